"""XML from anywhere: without a document type it has no entities to expand and nothing to fetch."""

from typing import NoReturn
from xml.parsers import expat

XmlError = expat.ExpatError
"""What is no XML."""


def xml_parser() -> expat.XMLParserType:
    """A parser that refuses a document type by ValueError."""
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse
    parser.buffer_text = True
    return parser


def local(name: str) -> str:
    """The name of an element or attribute without its namespace."""
    return name.rpartition(":")[2]


def _refuse(*_: object) -> NoReturn:
    raise ValueError("XML with a document type (DOCTYPE), which may hide a bomb; remove it")
