"""Fixtures for tests of MIRACL: devices of all generations, back ends, and the claim that something is refused."""

import copy
import itertools
from urllib.parse import parse_qs, urlsplit

import pytest

from miracl_backend import PROJECT, Backend, SampleApp
from miracl_channel import Refused, checked
from miracl_classic import ClassicDevice
from miracl_mfa import MFADevice, WebDevice
from miracl_trust import OlderTrustDevice, TrustDevice
from oauth_browser import Browser

__all__ = ["change_miracl", "customer", "declined", "enroll", "make_classic", "make_native", "make_trust", "miracl", "native",
           "open_mail", "sample", "trust"]

users = itertools.count(1)


@pytest.fixture
def miracl(world):
    """The address that MIRACL's clients are told."""
    return world.url + "/miracl"


@pytest.fixture
def customer(miracl):
    """The customer's back end."""
    return Backend(miracl)


@pytest.fixture
def sample(world):
    """The back end of the vendor's sample."""
    return SampleApp(world.url + "/app")


@pytest.fixture
def change_miracl(world):
    """Changes the project, or with `section` and `where` an entry that has these values in another part of the fixtures."""
    def change(section="projects", where=None, **members):
        fixtures = world.get("/fixtures")
        where = where or {"id": PROJECT}
        found = [one for one in fixtures["miracl"].get(section, []) if where.items() <= one.items()]
        assert len(found) == 1, (where, fixtures["miracl"].get(section))
        before = copy.deepcopy(found[0])
        found[0].update(members)
        loaded = world.control("PUT", "/fixtures", json=fixtures)
        assert loaded.ok, loaded.text
        return before

    return change


@pytest.fixture
def open_mail(world):
    """Opens the newest mail to somebody: its link; with `press`, also presses the button behind it."""
    def open_mail(user, press=True, **query):
        sent = world.code(user, **query)
        link = sent["link"]
        assert parse_qs(urlsplit(link).query)["user_id"] == [user], link
        if press:
            browser = Browser()
            page = browser.open(link)
            assert page.status == 200, page.text
            [form] = page.forms
            [(says, _)] = form.buttons
            done = browser.press(says)
            assert done.status == 200, done.text
        return link

    return open_mail


@pytest.fixture
def enroll(open_mail):
    """Takes a device of the first two generations from nothing to a PIN."""
    def enroll(device, pin="1234", **members):
        device.set_backend()
        if not device.start_registration(**members)["active"]:
            open_mail(device.user)
        device.confirm_registration()
        device.choose_pin(pin)
        return device

    return enroll


def somebody():
    return f"user{next(users)}@example.com"


@pytest.fixture
def make_native(miracl, enroll):
    """Makes registered phones of MIRACL MFA; with `web` browsers."""
    def make(user=None, web=False, pin="1234", ready=True, **options):
        device = (WebDevice if web else MFADevice)(miracl, PROJECT, user=user or somebody(), **options)
        return enroll(device, pin) if ready else device

    return make


@pytest.fixture
def native(make_native):
    return make_native()


@pytest.fixture
def make_classic(miracl, enroll):
    """Makes registered phones of the classic SDK."""
    def make(user=None, ready=True, **options):
        device = ClassicDevice(miracl, user=user or somebody(), **options)
        return enroll(device) if ready else device

    return make


@pytest.fixture
def make_trust(miracl, open_mail):
    """Makes registered devices of MIRACL Trust; with `older` those of last year."""
    def make(user=None, older=False, pin="1234", ready=True, **options):
        device = (OlderTrustDevice if older else TrustDevice)(miracl, PROJECT, user=user or somebody(), **options)
        if ready:
            device.ask_for_mail()
            device.register(device.confirm(open_mail(device.user, press=False)), pin)
        return device

    return make


@pytest.fixture
def trust(make_trust):
    return make_trust()


class Refusal:
    """A claim that a call is refused, and its reason told. `code` is looked at where it is given."""

    def __init__(self, world, status, code=None):
        self.world, self.status, self.code = world, status, code

    def of(self, answer):
        """A bare answer that must be a refusal."""
        checked(answer)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, _):
        if kind and not issubclass(kind, Refused):
            return False
        assert error, f"not refused; {self.status} {self.code} was expected"
        assert (error.status, error.code) == (self.status, self.code or error.code), error
        assert self.world.journal(status=self.status, limit=1)[0].get("explanation"), f"nobody explains {error}"
        self.context, self.answer = error.context, error.answer
        return True


@pytest.fixture
def declined(world):
    """Claims that what is done is refused with that status and code, and that the journal says why."""
    return lambda status, code=None: Refusal(world, status, code)
