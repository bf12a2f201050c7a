"""Pages of free text: the part of Markdown that books print."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

Word = tuple[str, bool]
"""A run of text, and whether it is bold."""

_INLINE = ("text", "strong", "em", "softbreak", "hardbreak", "code_inline")
_BLOCKS = ("heading", "paragraph", "bullet_list", "ordered_list", "list_item", "hr", "inline")


class Block(NamedTuple):
    """A heading, a paragraph, an item of a list, or a line across.

    Attributes
    ----------
    level : int
        Level of a heading, from 1; 0 for other text, -1 for a line across.
    mark : str
        Bullet or number of an item of a list; empty for other text.
    lines : tuple of tuple of Word
        The text, split where a line must end.
    """

    level: int
    mark: str
    lines: tuple[tuple[Word, ...], ...]

    @property
    def plain(self) -> str:
        """The text without its marks."""
        return " ".join("".join(text for text, _ in line) for line in self.lines)


def check_text(name: str, text: str) -> None:
    """Check that a text has only what books can print.

    Raises
    ------
    ValueError
        If the text is empty, or has for example links or pictures.
    """
    if not text.strip():
        raise ValueError(f"{name} is empty; give the text of the page, or leave the page out")
    blocks_of(text)


@lru_cache(maxsize=256)
def blocks_of(text: str) -> tuple[Block, ...]:
    r"""Return the blocks of a text.

    Raises
    ------
    ValueError
        For Markdown that books cannot print.

    Examples
    --------
    >>> [(block.level, block.mark, block.plain) for block in blocks_of("# Preface\n\n- **One**")]
    [(1, '', 'Preface'), (0, '•', 'One')]
    """
    return tuple(_blocks(text))


def _blocks(text: str) -> Iterator[Block]:
    from markdown_it import MarkdownIt

    level, mark, counters = 0, "", list[int]()
    for token in MarkdownIt().parse(text):
        name = token.type.removesuffix("_open").removesuffix("_close")
        if name not in _BLOCKS:
            raise ValueError(_refuse(name, token))
        if token.type == "heading_open":
            level = int(token.tag[1:])
        elif token.type.endswith("_list_open"):
            counters.append(0 if name == "bullet_list" else int(token.attrGet("start") or 1))
        elif token.type.endswith("_list_close"):
            counters.pop()
        elif token.type == "list_item_open":
            mark = f"{counters[-1]}." if counters[-1] else "•"
            counters[-1] += bool(counters[-1])
        elif token.type == "hr":
            yield Block(-1, "", ())
        elif token.type == "inline":
            yield Block(level, mark, tuple(_lines(token)))
            level, mark = 0, ""


def _lines(inline: Any) -> Iterator[tuple[Word, ...]]:
    line, depth = list[Word](), 0
    for token in inline.children:
        name = token.type.removesuffix("_open").removesuffix("_close")
        if name not in _INLINE:
            raise ValueError(_refuse(name, token))
        depth += token.nesting
        if name == "hardbreak":
            yield tuple(line)
            line = []
        elif name == "softbreak":
            line.append((" ", depth > 0))
        elif token.content:
            line.append((token.content, depth > 0))
    yield tuple(line)


def _refuse(name: str, token: Any) -> str:
    return (
        f"a page of text cannot have a {name.replace('_', ' ')} ({token.content[:30]!r}): write "
        "headings, paragraphs, lists and **bold** words"
    )
