"""What a command cannot do is one sentence with a way out, and leaves the folder as it was."""

import os
import shlex

import pytest
from helpers.command import run
from helpers.pages.played_pages import SUDOKU

from nando.games import load_fill_order

LINE = SUDOKU.text
FILES = {
    "empty.txt": b"\n# nothing\n",
    "junk.bin": bytes(range(256)),
    "nul.json": b"\0" * 100,
    "nul.csv": b"\0" * 100,
    "a.parquet": b"PAR1\x15\xff",
    "log.csv": f"game,player,puzzle,t_ms,cell,value\n1,ada,{LINE},1000,r1c3,4\n".encode(),
    "no.csv": b"game,puzzle,t_ms,cell,value\n",
    "other.csv": b"game,player\n1,ada\n",
    "two.txt": f"{LINE}\n{LINE}\n".encode(),
    "parts.toml": b"[[parts]]\n",
    "none.toml": b"",
    "results.csv": f"player,puzzle,seconds\nada,{LINE},300\n".encode(),
    "title.toml": "title = '数独'\n[[parts]]".encode(),
}
CASES = {
    "rate": [
        ("empty.txt", "no puzzles found in empty.txt"),
        ("-", "no puzzles found"),
        ("parts.toml", "parts.toml describes what to make, and holds no puzzles"),
        ("junk.bin", "junk.bin: not a text file"),
        ("absent.txt", "absent.txt: No such file or directory"),
        (".", "Is a directory; name the files in it"),
        ("53..7", "53..7: neither a file nor a whole puzzle; wanted the 81 cells"),
        ("-- -1", "-1: neither a file nor a whole puzzle; wanted the 81 cells"),
        ("a.parquet", "a.parquet: damaged Parquet file"),
        ("empty.txt --kind chess", "unknown puzzle kind 'chess'; known: sudoku"),
        ("empty.txt --coverage 1.5", "--coverage must be between 0 and 1"),
        ("empty.txt -o r.xyz", "unknown suffix"),
        ("empty.txt -o r.parquet.gz", "leave out .gz"),
        ("empty.txt -o absent/r.csv", "No such directory"),
        (f"LINE -o {os.devnull}", f"{os.devnull}: unknown suffix; known: .txt, .csv,"),
        ("LINE -o out", "out: give a file with a suffix, for example .csv; or,"),
        ("--jobs 0 empty.txt", "wanted a number of cores, or -1 for all"),
        ("--model absent.json LINE", "absent.json"),
        ("--model nul.json LINE", "nul.json: not text (character 0 is NUL)"),
        ("--cache nul.json LINE", "nul.json: not a cache of ratings"),
        ("- --resume", "give -o FILE"),
        ("LINE --runs 1000000000000", "runs must be at most 1,000,000"),
        ("LINE --jobs 1000000000", "got 1000000000; wanted a number of cores"),
        ("LINE --format xml", "xml"),
        ("LINE --magic", "magic"),
    ],
    "solve": [
        ("--method magic LINE", "unknown solver 'magic'; known: exact, brute_force"),
        (
            "--method search_time ...../3..1./.1.../...../.4...",
            "search_time cannot run on 'nurikabe' puzzles: it has no",
        ),
        ("--count 3 4 empty.txt", "--count: one number is wanted, got 3 and 4"),
    ],
    "features": [("--groups magic LINE", "magic")],
    "convert": [
        ("--to gif LINE", "format must be one of line, grid"),
        ("--to spreadsheet LINE", "spreadsheet can be read but not written"),
        ("--to sdx -o x.sdx LINE LINE", "sdx holds one puzzle per file"),
        ("absent.txt", "absent.txt: No such file"),
        ("-o x.gif LINE", "unknown suffix; known: .csv, .ipuz, .json,"),
        ("two.txt -o board.svg", "put {n} into the name"),
    ],
    "explain": [
        ("absent.txt", "absent.txt: No such file or directory"),
        ("2..../no/such/file", "No such file or directory"),
        ("LINE --hint 4", "hint"),
        ("LINE --hint 1 --format csv", "--hint is for text output"),
        ("--style sudokuexplainer LINE", "sudokuexplainer"),
        ("--sheet LINE", "--sheet is a page of all boards: give -o FILE.html"),
        ("--sheet -f jsonl LINE", "--sheet is a page of all boards: give -o FILE.html"),
        ("--from gone.txt LINE", "gone.txt: No such file; --from takes a grid or a file"),
        ("--from . LINE", "Is a directory; --from takes a grid or a file"),
        ("--all --whole LINE", "leave one out"),
        ("--effort 20 LINE", "--effort bounds what --all lists: add --all, or leave it out"),
        ("-o steps.xyz LINE", "steps.xyz: unknown suffix"),
        ("--size 8x -o a.png LINE", "--size must be a width, for example 800px"),
        ("--size 9px -o a.png LINE", "--size must be 50 to 20,000 pixels"),
        ("--size 300px LINE", "--size is for .svg, .png and .gif"),
        ("--theme dark -o a.html LINE", "--theme dark is for .svg, .png and .gif"),
        ("--animate 2 -o a.png LINE", "--animate makes a moving picture"),
        ("-o a-{n}.gif LINE", "a .gif shows all steps: leave {n} out"),
        ("--fragment -o a.svg LINE", "--fragment is a page inside another"),
        ("-o a-{n}.html LINE", "{n} in a name is for .svg and .png"),
        ("--lesson blub", "no technique is called 'blub'"),
        ("--lesson x-wing -o lesson.png LINE", "a lesson is written as .html, .pdf, .txt"),
    ],
    "generate": [
        ("--count 0", "--count must be at least 1, got 0"),
        ("-n 100000000000000000000", "--count must be at most 9,223,372,036,854,775,807, got"),
        ("-n 1000000000000", "--count must be at most 1,000,000,000, got 1000000000000"),
        ("--givens 27 --symmetry rotational-90", "27 givens cannot have rotational-90"),
        ("--symmetry spiral", "symmetry must be one of none, rotational"),
        ("--symmetry rotatonal", "got 'rotatonal'; did you mean 'rotational'?"),
        ("--order hodku", "got 'hodku'; did you mean 'hodoku'?"),
        ("--grade silly", "grade must be one of beginner, easy, medium"),
        ("--target soon", "not a time: 'soon'; wanted 8min"),
        ("--budget soon", "--budget: wanted a number of puzzles or a time such as 5min, got"),
        ("--target 8", "8 counts as seconds: write 8min, or 8s"),
        ("--target 8min --grade easy", "--target and --grade contradict each other"),
        ("--target 8min --tolerance 0", "tolerance must be between 0 and 1, got 0"),
        ("--percentile 101", "percentile must be 0 to 100, got 101"),
        ("--target 8min --no-rating", "a difficulty needs a model"),
        ("--no-rating --model x.json", "--model and --no-rating contradict each other"),
        ("--resume", "--resume needs the output file of the interrupted run"),
        ("--exclude absent.txt", "absent.txt: No such file"),
        ("--exclude nul.csv", "nul.csv: not a text file"),
        ("--pattern nul.csv", "nul.csv: not text"),
        ("-o absent/p.csv", "absent: No such directory; make it first"),
        ("-o p.doc", "unknown suffix"),
        ("--target 20h --budget 40", "18 h 00 min to 22 h 00 min was not reached with"),
        ("--target 9s --budget 40", "puzzle 1: 8 s to 10 s was not reached with"),
        ("--givens 17 --budget 3", "raise most_per_house; or try more with --budget 30"),
        ("--rule samurai,jigsaw", "jigsaw regions are made for one grid"),
        ("--kind variant", "a variant needs a rule, a layout, or a size that no Sudoku has"),
        ("--order 2", "--size 4x4"),
        ("--size 16x16", "--order 4"),
        ("--mean-size 3", "--mean-size: not for sudoku puzzles"),
        ("--kind nurikabe --order 4", "--order: not for nurikabe puzzles"),
        ("--kind nurikabe --size 7y7", "not a size: '7y7'; wanted WxH"),
        ("--kind nurikabe --size 5x2", "shape must be 3 to 100 rows and columns, got 2 by 5"),
        ("--kind nurikabe --mean-size 1", "mean_size must be 1.5 to 50, half of the cells, got 1"),
        ("--kind nurikabe --largest 2", "largest must be at least mean_size, 3, got 2"),
        ("--kind nurikabe --unknown -1", "unknown must be 0 to 25, a quarter of the cells, got -1"),
        (f"--kind nurikabe --size {'9' * 30}", "wanted WxH, such as 10x10"),
        ("--rule killr", "did you mean 'killer'"),
        ("--rule killer,killer", "named twice"),
        ("--rule windoku --size 6x6", "needs a grid of 9x9"),
        ("--rule killer:3", "ask for killer"),
        ("--rule whispers:9", "whispers:9 fits no two of 9 digits"),
        ("--rule samurai,butterfly", "several arrangements of grids"),
        ("--rule diagonals --givens 70", "ask for other givens, or for other rules"),
        ("--rule diagonals --givens 7", "needs at least 8 givens"),
        ("--rule palindrome --look setter", "needs at least 8 givens"),
        ("--rule odd --look setter", "odd has no clues that can do without them"),
        ("--rule killer --look poster", "look must be one of"),
        ("--rule arrow --clues 9-3", "a range go from less to more, got 9-3"),
        ("--rule thermometer --cells 1", "cells must be at least 2 for thermometer, got 1"),
        ("--rule thermometer --cells 30", "cells must be at most 9 for thermometer, got 30"),
        ("--rule arrow,between --cells 2", "cells must be at least 3 for between, got 2"),
        ("--rule killer --cells 1", "got 1; singles allows cages of one"),
        ("--rule arrow --cells long", "cells must be a number, or a range such as 3-8"),
        ("--rule arrow --clues 28-40", "28 clues of arrow with 3 cells do not fit on 81"),
        ("--rule sandwich --cells 3", "no clues of several cells; leave cells out"),
        ("--rule diagonals --clues 5", "diagonals: no clues to count; leave clues out"),
        ("--rule arrow --singles 2", "arrow: no cages; leave singles out"),
        ("--rule killer --clues 200", "clues must be 1 to 81, got 200"),
        ("--kind killer --size 5x6", "nando: size must be 2x2 to 25x25"),
        ("--givens 20-24", "ranges are for variants; give a number"),
        ("--rule killer --symmetry round", "symmetry must be one of"),
        ("--size 9x9", "a variant needs a rule"),
        ("--rule jigsaw --size 5x5 --symmetry mirror", "ask for rotational, or none"),
        ("--rule shogun --symmetry diagonal", "the board has no diagonal symmetry"),
        ("--rule non-consecutive --size 4x4", "no digits obey non-consecutive"),
        ("--givens 16", "givens must be 17 to 81, got 16; with fewer no 9x9 puzzle has one"),
        ("--givens 64", "64 givens are more than 7 a house"),
        ("--givens 25 --minimal", "givens and minimal cannot be combined"),
        ("--rule killer,", "rule names nothing"),
        ("--size 6x7 --rule killer", "as many rows as columns"),
        ("--needs swordfish --hardest x-wing", "needs swordfish contradicts"),
        ("--needs X-wing --se 2-3", "needs X-wing contradicts se 2-3"),
        ("--se 4.5 --hardest X-wing", "se 4.5 contradicts hardest X-wing"),
        ("--without singles", "without singles, digits cannot be entered: allow a hidden single"),
        ("--se 1.3-1.4", "no step is rated 1.3 to 1.4: the nearest are rated 1.2 and 1.5"),
        (
            "--kind nurikabe --size 5x5 --se 5.5",
            "no step is rated 5.5: the nearest are rated 5 and 6",
        ),
        ("--kind nurikabe --size 5x5 --se 9", "no step is rated 9: the nearest are rated 8"),
        ("--se 5-4", "se must be a rating or a range such as 4.0-4.5, got '5-4'"),
        (
            "--order hodoko",
            "order must be 3, 4 or 5 for the size of a Sudoku, or sudoku-explainer, hodoku",
        ),
        ("--order sudoku-explainer --needs W-wing", "has no W-wing"),
        ("--order hodoku --needs innie", "no technique is called 'innie'"),
        ("--order hodoku --needs cage --rule killer", "for Sudoku, not for"),
        ("--without blub", "no technique is called 'blub'"),
        ("--kind killer --needs inie", "'inie', the nearest is innie or outie"),
        ("--kind killer --rule arrow", "both name rules"),
        ("--kind nurikabe --needs swordfish", "no technique of nurikabe puzzles is called"),
        ("--kind nurikabe --order 3", "order: not for nurikabe puzzles"),
    ],
    "book": [
        ("-o b.doc --grades easy:1", "a book is written as .pdf, .html, .epub, or"),
        ("-o b.pdf", "nothing to print: give one of --grades"),
        ("two.txt -o b.pdf", "for a book of puzzles, give --from"),
        ("-o b.pdf --grades easy:0", "'easy:0' asks for no puzzles; leave it out"),
        ("-o b.pdf --grades easy", "wanted NAME:COUNT, for example easy:12"),
        (f"-o b.pdf --grades easy:{'9' * 30}", "a count of 30 digits"),
        ("-o b.pdf --grades silly:1", "grade must be one of beginner, easy"),
        ("-o b.pdf --grades easy:1 --per-page 5", "per_page must be one of 1, 2, 4, 6, 8, 9, 12"),
        ("-o b.pdf --targets soon:1", "not a time: 'soon'"),
        ("-o b.pdf --targets 4min:1 --from x.csv", "leave out --from"),
        ("-o b.pdf --from absent.json", "absent.json: No such file"),
        ("-o b.pdf --from nul.json", "nul.json: not text"),
        ("-o absent/b.pdf --grades easy:1", "absent: No such directory"),
        ("-o b.pdf --preview b1.png", "b1.png: wanted the .toml file that describes a book"),
        (
            "-o b.pdf --grades easy:1 --kind killr",
            "got 'killr': unknown rule 'killr'; did you mean",
        ),
        (
            "-o b.pdf --grades easy:1 --kind killer --rule arrow",
            "kind killer and rule arrow both name rules",
        ),
        (
            "-o b.pdf --grades easy:1 --from bank.txt --size 6x6 --minimal",
            "--size and --minimal: for new puzzles; leave them out, or leave out --from",
        ),
        ("-o b.pdf none.toml", "a book needs parts: add [[parts]]"),
        ("-o b.pdf title.toml", "Source Sans Pro has no 数 独"),
        (
            "-o b.pdf parts.toml --grades easy:1 --hints",
            "--grades and --hints: cannot be combined with a file",
        ),
        ("-o b.pdf parts.toml --page-size a4", "--page-size: cannot be combined with a file"),
    ],
    "play": [
        (f"{'.' * 81} -o p.html", "no puzzle can be used"),
        ("LINE -o p.pdf", "a page to play is written as .html, got"),
        ("LINE -o p.html --language fr", "--language must be one of en, de"),
        ("LINE -o p.html --grades easy:2", "leave out FILE"),
        ("LINE -o p.html --size 6x6", "--size: for new puzzles"),
        ("-o p.html --grades easy:2 --targets 4min:2", "leave one out"),
        ("-o p.html --grades nonsense:2", "nonsense"),
        ("empty.txt -o p.html", "no puzzles found in empty.txt"),
        ("gone.txt -o p.html", "gone.txt: No such file"),
        ("LINE -o nowhere/p.html", "No such directory"),
        ("LINE -o p.html --no-rating --model m.json", "contradict"),
    ],
    "order": [
        ("." * 81, "several solutions"),
        ("no-such-file", "No such file"),
        ("LINE --model nul.json", "nul.json: not text"),
        (
            "LINE --history log.csv --without other.csv",
            "no column 'puzzle'; wanted what nando audit",
        ),
        ("LINE --without other.csv", "name the log of earlier games"),
        ("LINE --player ada", "with --history"),
        ("LINE --player eve --history log.csv", "no games of 'eve'"),
    ],
    "audit": [
        ("no.csv", "no games found"),
        ("nul.csv", "nul.csv: not text"),
        ("log.csv --model nul.json", "nul.json: not text"),
        ("log.csv --level 0", "level must be"),
        ("log.csv --language fr", "--language must be one of en, de, got 'fr'"),
        ("results.csv --model results.csv", "a table of results has neither"),
        ("log.csv --by player -f html", "leave out --by"),
        ("log.csv --model orders.json", "without an audit"),
    ],
    "evaluate": [
        ("--data log.csv", "--job order"),
        ("--job order --data no.csv", "no finished games"),
    ],
    "fit": [
        ("", "-o"),
        ("--data log.csv -o log.csv", "a model is a .json file"),
        ("--data nul.csv -o m.json", "nul.csv: not text"),
    ],
    "schema": [("play", "no schema 'play'; known: audit, audit_players, audit_results, book")],
    "magic": [("", "magic")],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("refusals")
    for name, content in FILES.items():
        (path / name).write_bytes(content)
    (path / "orders.json").write_text(load_fill_order().to_json(), encoding="utf-8")
    (path / "p.html").write_text("before", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("command", "arguments", "message"),
    [(command, *case) for command, cases in CASES.items() for case in cases],
)
def test_what_cannot_be_done_is_said_in_one_line(folder, monkeypatch, command, arguments, message):
    monkeypatch.chdir(folder)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    result = run(command, *shlex.split(arguments.replace("LINE", LINE)))
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert message in " ".join(result.stderr.replace("│", " ").split())
    said = [line for line in result.stderr.splitlines() if not line.startswith("compiling kern")]
    assert len(said) == 1 or "Usage:" in said[0] or command in ("order", "play"), said
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
