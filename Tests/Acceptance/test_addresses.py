"""The people of the built-in fixtures and of the starter files pass the check that back ends give addresses."""

import json5
import pytest
from email_validator import validate_email

from understudy import ROOT

FILES = [ROOT / "Fixtures/default.json", *sorted((ROOT / "Fixtures/starters").glob("*.json"))]


def texts(value):
    if isinstance(value, dict):
        for name, member in value.items():
            yield from texts(name)
            yield from texts(member)
    elif isinstance(value, list):
        for entry in value:
            yield from texts(entry)
    elif isinstance(value, str):
        yield value


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_address_is_taken_by_email_validator(file):
    found = {text for text in texts(json5.loads(file.read_text())) if "@" in text and "/" not in text and " " not in text}
    for address in found:
        assert validate_email(address, check_deliverability=False).normalized == address
    assert found or file.stem in {"miracl", "nextauth", "powerauth"}, "expected people with addresses"
