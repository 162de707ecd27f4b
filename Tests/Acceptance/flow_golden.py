"""Compares a flow with a file: what a login is, in its steps."""

import contextlib

import pytest

from understudy import ROOT, until


@pytest.fixture
def now(world):
    """The id of the newest entry of the journal, after which a flow begins."""
    return lambda: max([entry["id"] for entry in world.journal(limit=1)], default=0)


def told(world, since, form="text", **query):
    answer = world.control("GET", "/flows/last", params={"since": since, "format": form, "wait": 5} | query)
    assert answer.status_code == 200, answer.text
    return answer.text


def expect_flow(world, since, name, **query):
    """The newest flow is what the file says: the one assertion that a team needs."""
    golden = (ROOT / "Tests/Acceptance/flows" / f"{name}.txt").read_text()
    with contextlib.suppress(AssertionError):
        # A callback is told when it was answered, which may be later.
        until(lambda: told(world, since, **query) == golden, name, seconds=3)
    shown = told(world, since, **query)
    assert shown == golden, f"the flow is another one now:\n{shown}"
