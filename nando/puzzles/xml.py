"""Parse XML without document types, so that there are no entities to expand or fetch."""

from typing import NoReturn
from xml.parsers import expat

XmlError = expat.ExpatError
"""The error for invalid XML."""


def xml_parser() -> expat.XMLParserType:
    """Return a parser that raises ValueError for a document type."""
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse
    parser.buffer_text = True
    return parser


def local(name: str) -> str:
    """Return the name of an element or attribute without its namespace."""
    return name.rpartition(":")[2]


def _refuse(*_: object) -> NoReturn:
    raise ValueError("XML with a document type (DOCTYPE), which may hide a bomb; remove it")
