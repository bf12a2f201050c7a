"""The texts of a page's template that do not come from a table."""

import re
from html.parser import HTMLParser

CODE = r"\{% block style %\}.*?\{% endblock %\}|\{\{.*?\}\}|\{%.*?%\}"
"""Of a template: style sheets, expressions and statements."""


class Texts(HTMLParser):
    """A parser of the texts that a template contains itself."""

    SPOKEN = ("aria-label", "title", "placeholder", "alt")

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.is_code = False
        self.feed(re.sub(CODE, "", text, flags=re.DOTALL))

    def handle_starttag(self, tag, attrs):
        self.is_code = tag in ("style", "script")
        self.found += [value for name, value in attrs if name in self.SPOKEN and value]

    def handle_endtag(self, tag):
        self.is_code = False

    def handle_data(self, data):
        if data.strip() and not self.is_code:
            self.found.append(data.strip())


def texts_of(template):
    """Return the texts and spoken attributes of a template, without those of its expressions."""
    return Texts(template).found
