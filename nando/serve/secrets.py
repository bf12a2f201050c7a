"""Secrets, which are made at random, stored as hashes, and compared in constant time.

Tokens are random, so a plain hash does not reveal them. A person chooses a password, so it gets a
hash that is slow to compute.
"""

import base64
import hashlib
import hmac
import secrets
import unicodedata

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits, without those that look alike."""
_N, _R, _P = 1 << 14, 8, 1
"""Cost of scrypt: 16 MiB and some 50 ms."""


def new_token() -> str:
    """Return a token of 256 bits."""
    return secrets.token_urlsafe(32)


def new_words(groups: int = 3) -> str:
    """Return a secret that people can copy from a screen, with 5 bits per letter."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(groups))


def bare(text: str) -> str:
    """Return the letters and digits of a secret that is typed, in lower case."""
    letters = "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text)))
    return letters.casefold() or text


def as_made(typed: str) -> str:
    """Return a secret of :func:`new_words` as it was made, however its dashes and case were typed.

    Examples
    --------
    >>> as_made(" ABCD efghjkmn")
    'abcd-efgh-jkmn'
    """
    letters = bare(typed)
    return "-".join(letters[i : i + 4] for i in range(0, len(letters), 4))


def token_hash(token: str) -> str:
    """Return the hash of a random token, to store it."""
    return hashlib.sha256(token.encode()).hexdigest()


def csrf_token(token: str) -> str:
    """Return the text that a page must send together with the cookie of a session.

    Other sites can make a browser send the cookie, but they cannot read this text.
    """
    return hmac.new(token.encode(), b"csrf", hashlib.sha256).hexdigest()


def is_same(given: str, expected: str) -> bool:
    """Compare two texts in a time that does not reveal where they differ."""
    return hmac.compare_digest(given.encode(), expected.encode())


def password_hash(password: str, salt: bytes | None = None) -> str:
    """Return the salt and scrypt hash of a password, to store them."""
    salt = secrets.token_bytes(16) if salt is None else salt
    key = hashlib.scrypt(password.encode(), salt=salt, n=_N, r=_R, p=_P)
    return ":".join(base64.b64encode(part).decode() for part in (salt, key))


def is_password(given: str, kept: str) -> bool:
    """Return True if a password has the stored hash; one that was made may lack its dashes."""
    salt = base64.b64decode(kept.partition(":")[0])
    return any(is_same(password_hash(text, salt), kept) for text in {given, as_made(given)})
