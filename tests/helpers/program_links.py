"""Links of Penpa+ and SudokuPad, as the programs pack them."""

import base64
import json
import zlib


def unpacked(link):
    """Return the lines of text in a link."""
    payload = base64.b64decode(link.partition("p=")[2])
    return zlib.decompress(payload, -15).decode().split("\n")


def packed(lines):
    """Return a link that holds lines of text."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    payload = packer.compress("\n".join(lines).encode()) + packer.flush()
    code = base64.b64encode(payload).decode()
    return f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={code}"


def drawn_link(drawn, *, size=9, shape="square", options="0,0,0,0", tags=None, answer=None):
    """Return a link to a drawing, whose abbreviated keys have no quotes.

    Give `size` as text where rows and columns differ, or are wrong.
    """
    sizes = size if isinstance(size, str) else f"{size},{size}"
    head = f"{shape},{sizes},38,0,1,1,380,380,84,84,{options},Title: ,Author: ,,,OFF,false"
    text = json.dumps(drawn, separators=(",", ":"))
    for name in ("zR", "z_", "zN", "zY", "zT"):
        text = text.replace(f'"{name}"', name)
    answered = text if answer is None else json.dumps(answer)
    lines = [head, "[0,0,0,0]", "{}", text, answered, *["0"] * 12]
    return packed(lines if tags is None else [*lines, json.dumps(tags)])


def numbers_of(line):
    """Return the drawing of the givens of a 9x9; cells are counted from a margin of two."""
    return {
        str((place // 9 + 2) * 13 + place % 9 + 2): [symbol, 1, "1"]
        for place, symbol in enumerate(line)
        if symbol != "."
    }


def zipped(value):
    """Return JSON in the short form that SudokuPad packs."""
    short = {"cells": "ce", "value": "v", "regions": "re", "cages": "ca"}

    def shown(found):
        if isinstance(found, dict):
            items = [f"{short.get(key, key)}:{shown(item)}" for key, item in found.items()]
            return "{" + ",".join(items) + "}"
        if isinstance(found, list):
            items = ["" if item == {} else shown(item) for item in found]
            return "[" + ",".join(items) + ("{}" if items[-1:] == [""] else "") + "]"
        if isinstance(found, bool):
            return "t" if found else "f"
        return f"'{found}'" if isinstance(found, str) else str(found)

    return shown(value)
