"""The links of a step, checked one by one on marks."""

from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic import standard_ladder
from nando.solvers.logic.chains import assumptions
from nando.solvers.logic.chains.forcing import CELLS_FORCE, HOUSE_FORCES
from nando.solvers.logic.house_walk import every_step


def holds(step, taken_at, marks):
    """Return True if every link of a step holds on marks, and no assumption is missing there."""
    if step.technique.kernel != kernels.CHAIN:
        cell, digit = step.links[0][:2]
        if step.variant == CELLS_FORCE and marks.digits(cell) != taken_at.digits(cell):
            return False
        if step.variant == HOUSE_FORCES:
            (house,) = step.houses
            if marks.places(house, digit) != taken_at.places(house, digit):
                return False
    patterns = patterns_in(step)
    return all(
        assumptions.forced_in(end, starts, marks) is not None
        if end[2]
        else assumptions.is_forced_off(end, starts, marks)
        or assumptions.pattern_behind(end, starts, marks, patterns, every_step) is not None
        for trail in assumptions.trails(step)
        for end, starts in trail.parents.items()
    )


def patterns_in(step):
    """Return the techniques besides links that assumptions of a step may use, the easiest first."""
    kernel, degree = step.technique.kernel, step.technique.degree
    allowed = set()
    if kernel == kernels.NESTED_FORCING or (kernel, degree) == (
        kernels.FORCING,
        assumptions.PATTERNS,
    ):
        allowed |= {(kernels.POINTING, 0), (kernels.CLAIMING, 0), (kernels.LOCKED, 0)}
        allowed |= {(kernels.NAKED_SUBSET, 2), (kernels.HIDDEN_SUBSET, 2), (kernels.FISH, 2)}
    if kernel == kernels.NESTED_FORCING:
        allowed.add((kernels.CHAIN, 0))
        nested = {
            assumptions.WITH_MULTIPLE: (assumptions.STATIC,),
            assumptions.WITH_DYNAMIC: (assumptions.STATIC, assumptions.DYNAMIC),
        }.get(degree, ())
        allowed |= {(kernels.FORCING, kind) for kind in nested}
    ladder = standard_ladder(step.technique.kind)
    return tuple(t for t in ladder if (t.kernel, t.degree) in allowed)
