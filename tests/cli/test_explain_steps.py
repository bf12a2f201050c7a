"""`nando explain` with every step, what walks leave out, and names of other programs."""

import re
from pathlib import Path

import pytest
from helpers.command import rows
from helpers.command import run as command
from helpers.samples.logic_patterns import PUZZLES

import nando
from nando.solvers.logic import list_steps, walk_through

PUZZLE = PUZZLES["XY-wing"]
LONG = PUZZLES["VWXYZ-wing 6.4"]
EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "variants.txt"


def run(*arguments, stdin=None):
    return command("explain", *arguments, stdin=stdin)


def test_all_lists_the_steps_under_their_techniques():
    result = run("--all", "--without", "chains,nishio,exclusion", PUZZLE.text)
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert lines[0] == PUZZLE.text
    headings = [line for line in lines if line.endswith(")") and "." not in line.split("(")[0]]
    assert headings[0] == "hidden single in box (1.2)"
    ratings = [float(line.rpartition("(")[2].rstrip(")")) for line in headings]
    assert ratings == sorted(ratings)
    numbered = [line for line in lines[1:] if line.lstrip().partition(".")[0].isdigit()]
    assert lines[-1].startswith(f"{len(numbered)} steps by {len(headings)} techniques, ")
    (row,) = rows("explain", "--all", "--without", "chains,nishio,exclusion", PUZZLE.text)
    assert int(row["steps"]) == len(numbered)
    assert "se_rating" not in row


@pytest.mark.thorough
def test_one_of_all_is_asked_for_by_its_number(tmp_path):
    third = list_steps(PUZZLE).steps[2]
    assert run("--all", "--step", 3, PUZZLE.text).stdout == f"3. {third.sentence()}\n"
    picture = tmp_path / "x.svg"
    assert run("--all", "--step", 3, PUZZLE.text, "-o", picture).exit_code == 0
    assert "<svg" in picture.read_text()
    assert "There is no step 9999" in run("--all", "--step", 9999, PUZZLE.text).stderr


def test_all_of_a_full_grid_and_of_none():
    full = walk_through(PUZZLE).end.values.tolist()
    text = "".join(map(str, full))
    assert "The grid is full: there is no step." in run("--all", text).stdout
    assert (
        "No technique has a step here."
        in run("--all", "--only", "swordfish", text[:-9] + "." * 9).stdout
    )


@pytest.mark.thorough
def test_effort_bounds_a_list_and_the_list_says_so():
    hard = "9....8...4.85...16.7....4.........5....83....8.6.95..4.1.2..76............5..68.."
    few = run("--all", "--only", "with chains", "--effort", "20", hard).stdout
    assert few.endswith(
        "The list is not complete: the effort allowed for nested searches is used up.\n"
    )


def test_a_step_beyond_the_last_is_reported(tmp_path):
    for arguments in ((), ("--hint", 2), ("-f", "jsonl"), ("--all",)):
        result = run("--step", 999, *arguments, PUZZLE.text)
        assert result.exit_code == 1
        assert "1 of 1 puzzles have no step 999\n  line 1: There is no step 999" in result.stderr
    drawn = run("--step", 999, "-o", tmp_path / "step.svg", PUZZLE.text)
    assert drawn.exit_code == 2
    assert "There is no step 999: the walk has" in drawn.stderr
    assert not [*tmp_path.iterdir()]
    lengths = [len(nando.explain(puzzle).steps) for puzzle in (PUZZLE, LONG)]
    shorter, longer = sorted(lengths)
    both = run("--step", longer, stdin=f"{PUZZLE.text}\n{LONG.text}\n")
    assert both.stdout.startswith(f"{longer}. ")
    assert both.stdout.count("\n") == 1
    assert f"line {1 + lengths.index(shorter)}: There is no step {longer}" in both.stderr


def test_a_walk_leaves_out_what_nothing_needs_and_says_so():
    result = run(LONG.text)
    whole = walk_through(LONG)
    assert run("--whole", LONG.text).stdout == f"{whole}\n"
    assert str(nando.explain(LONG, whole=True)) == str(whole)
    short = nando.explain(LONG)
    assert f"{short}\n" == result.stdout
    assert len(short.steps) < len(whole.steps)
    message = f"{len(short.steps)} steps, {len(short.left_out)} more left out as unnecessary."
    assert message in result.stdout
    (row,) = rows("explain", LONG.text)
    assert (int(row["left_out"]), float(row["se_rating"])) == (len(short.left_out), whole.rating)


def test_a_page_names_a_variant_instead_of_its_text(tmp_path):
    killer = next(line for line in EXAMPLES.read_text().splitlines() if line.startswith("6x6+kil"))
    short = "..34............+killer:r2c2r2c3:5+killer:r3c2r4c2:4+killer:r3c3r3c4:7"
    page = tmp_path / "page.html"
    for text, size in ((killer, 6), (short, 4)):
        run("-o", page, "--language", "de", text)
        said = page.read_text(encoding="utf-8")
        assert f'<p class="line">Killer-Sudoku {size} × {size}</p>' in said
        assert text not in said
    run("-o", page, LONG.text)
    assert f'<p class="line">{LONG.text}</p>' in page.read_text()


@pytest.mark.parametrize(
    ("style", "names"),
    [
        ("nando", {"full house", "hidden single in box", "XY-wing", "two strong links"}),
        ("se", {"Hidden Single", "Two-string Kite", "XY-Wing"}),
        ("hodoku", {"Full House", "Hidden Single", "2-String Kite", "XY-Wing"}),
        ("sudokuwiki", {"Hidden Single", "X-Cycle", "Y-Wing"}),
    ],
)
def test_the_techniques_have_the_names_of_the_style(style, names):
    walk = nando.explain(PUZZLE, whole=True, style=style)
    assert names <= {name for name, _, _ in walk.techniques()}
    output = run("--whole", "--style", style, PUZZLE.text).stdout
    assert f"{walk}\n" == output
    assert sum(count for _, _, count in walk.techniques()) == len(walk.steps)
    plain = nando.explain(PUZZLE, whole=True)
    assert [t.step for t in walk.steps] == [t.step for t in plain.steps]


def test_the_steps_of_a_variant_have_the_names_of_the_style_and_hints_name_the_box_once():
    windoku = next(line for line in EXAMPLES.read_text().splitlines() if line.endswith("windoku"))
    output = run("--style", "hodoku", windoku, "--only", "single,house,locked,naked").stdout
    assert "Naked Single: r5c8 can only be 7" in output
    assert "Locked candidates" in output, "no other program has this name"
    hints = [run("--hint", 1, "--step", n, windoku).stdout for n in (1, 2)]
    assert [hint for hint in hints if re.fullmatch(r"Look for a hidden single in box \d\.\n", hint)]


def test_interrupted_pages_have_the_walks_that_are_finished(tmp_path, monkeypatch):
    from nando.cli.commands.explain import Way

    walked = []
    whole = Way.of

    def of(way, read):
        if len(walked) == 2:
            raise KeyboardInterrupt
        walked.append(read.text)
        return whole(way, read)

    monkeypatch.setattr(Way, "of", of)
    page = tmp_path / "walks.html"
    done = run("-o", page, stdin="\n".join([PUZZLE.text, LONG.text, PUZZLE.text]))
    assert done.exit_code == 130
    assert "interrupted: the first 2 puzzles are kept" in done.stderr
    assert all(text in page.read_text() for text in walked)
    page.unlink()
    assert run("-o", page, PUZZLE.text).exit_code == 130
    assert not page.exists()
