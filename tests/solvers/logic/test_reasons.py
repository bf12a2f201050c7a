"""Reasons for the links of a chain, and steps with the same result."""

import re

import pytest

import nando
from nando.solvers.logic.wording.families import family_of

HARD = "9....8...4.85...16.7....4.........5....83....8.6.95..4.1.2..76............5..68.."
REASON = {
    "en": r"last candidate|only place left in (row|column|box) \d|naked pair|pointing|nested chain"
    r"|hidden pair|claiming|X-wing",
    "de": r"letzter Kandidat|einziger Platz in (Zeile|Spalte|Block) \d|.*",
}


@pytest.fixture(scope="module")
def walk():
    return nando.explain(HARD)


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_fact_of_a_chain_has_its_reason(language):
    chains = [one for one in nando.explain(HARD, language=language).steps if one.step.links]
    assert len(chains) > 12
    for taken in chains:
        sentence = taken.sentence()
        for fact in re.findall(r"[rZ]\dc?S?\d=\d[^ ,;.)]*(?: \(([^)]*)\))?", sentence):
            assert re.fullmatch(REASON[language], fact), sentence


def left(marks, facts):
    """Return the candidates that the rules alone leave once some facts hold."""
    digits = {cell: set(marks.digits(cell)) for cell in range(81)}
    for cell, digit, is_on in facts:
        if is_on:
            digits[cell] = {digit}
            for other in range(81):
                if other != cell and marks.sees(cell, other):
                    digits[other].discard(digit)
        else:
            digits[cell].discard(digit)
    return digits


def test_reasons_hold_on_the_marks(walk):
    checked = 0
    for taken in walk.steps:
        facts = []
        for sentence in taken.reasons:
            fact, _, why = sentence.removeprefix("suppose that ").partition(": ")
            row, column, no, digit = re.fullmatch(r"r(\d)c(\d) is (not )?(\d)", fact).groups()
            cell, digit = 9 * int(row) + int(column) - 10, int(digit)
            if sentence.startswith("suppose"):
                facts = []
            digits = left(taken.position, facts)
            if why == "last candidate":
                assert digits[cell] <= {digit}, (taken.number, sentence)
                checked += 1
            elif found := re.fullmatch(r"only place left in (row|column|box) (\d)", why):
                kind = ["row", "column", "box"].index(found[1])
                house = taken.position.house(9 * kind + int(found[2]) - 1)
                others = [c for c in house if digit in digits[c] and c != cell]
                assert not others, (taken.number, sentence)
                checked += 1
            elif found := re.fullmatch(r"in (row|column|box) (\d), the (\d) is in r(\d)c(\d)", why):
                other = 9 * int(found[4]) + int(found[5]) - 10
                assert (other, digit, True) in facts
                assert taken.position.sees(other, cell)
                checked += 1
            facts.append((cell, digit, not no))
    assert checked > 100


def test_a_w_wing_is_two_cells_and_a_link(walk):
    taken = next(
        one
        for one in walk.steps
        if one.step.links and family_of(one.step, one.position).name == "W-wing"
    )
    assert taken.sentence() == (
        "W-wing on 2 3 in r2c2 and r3c9: each of the two cells is 2 or 3; in column 6, the 3 can "
        "only go in r2c6 or r3c6, and each of these sees one of the two cells. So one of the two "
        "is not 3 but 2, and no cell that sees both can be 2: remove 2 from r3c3."
    )
    assert taken.reasons[:2] == ["suppose that r2c2 is not 2", "r2c2 is 3: last candidate"]
    assert taken.to_dict()["reasons"] == taken.reasons
    assert taken.sentence(1) == "Look for a W-wing with one end in box 1."


def test_other_steps_have_no_reasons(walk):
    assert all(not one.reasons for one in walk.steps if not one.step.links)


@pytest.mark.thorough
def test_steps_with_the_same_result_are_one_row():
    listing = nando.list_steps(HARD, only=["chain"])
    results = [(one.step.placement, one.step.eliminations, one.name) for one in listing.steps]
    assert len(set(results)) == len(results)
    folded = [one for one in listing.steps if one.others]
    assert folded
    for one in folded:
        assert all(other.eliminations == one.step.eliminations for other in one.others)
        assert all(other.rating >= one.step.technique.rating for other in one.others)
        assert re.search(r"\((\d+) other ways? to the same\.\)$", one.sentence())
        assert one.to_dict()["others"] == len(one.others)
    assert [one.number for one in listing.steps] == [*range(1, len(listing.steps) + 1)]
