"""Fixtures for tests of PowerAuth: a back end, phones, and the claim that something is refused and the reason told."""

import pytest

from powerauth4_arithmetic import SUITES
from powerauth4_device import Configuration4, Device4
from powerauth_answers import Refused, checked
from powerauth_backend import ADMINISTRATOR, APPLICATION, INTEGRATION, Backend
from powerauth_channel import VERSIONS
from powerauth_device import Device
from powerauth_messages import Configuration
from powerauth_mobile_token import MobileToken

__all__ = ["administrator", "application", "backend", "configuration", "configuration4", "enrollment", "make_mobile", "make_phone", "make_phone4", "mobile", "phone",
           "refused", "start_operation", "suite", "version"]


@pytest.fixture
def backend(world):
    """A back end that may call PowerAuth Cloud."""
    return Backend(world.url + "/powerauth-cloud", INTEGRATION)


@pytest.fixture
def administrator(world):
    """Who may do what is below `/admin` there."""
    return Backend(world.url + "/powerauth-cloud", ADMINISTRATOR)


@pytest.fixture(scope="session")
def application():
    """The id of PowerAuth's application."""
    return APPLICATION


@pytest.fixture(scope="session")
def configuration(server, application):
    """What PowerAuth's mobile SDK is told of the application, in every world the same."""
    administrator = Backend(server.url + "/powerauth-cloud", ADMINISTRATOR)
    return Configuration(administrator.application(application)["mobileSdkConfig"])


@pytest.fixture(scope="session")
def configuration4(server, application):
    """The same for the SDK 2.x."""
    administrator = Backend(server.url + "/powerauth-cloud", ADMINISTRATOR)
    return Configuration4(administrator.application(application)["mobileSdkConfigV4"])


@pytest.fixture(params=list(SUITES))
def suite(request):
    """A suite of PowerAuth's protocol 4.0."""
    return request.param


@pytest.fixture
def make_phone4(backend, application, configuration4, enrollment):
    """Makes phones with the SDK 2.x and an active, confirmed registration."""
    def make(user="eva", suite="EC_P384", commit=True, biometry=False, flags=(), **options):
        started = backend.register(user, application, flags=list(flags))
        phone = Device4(enrollment, configuration4, suite, **options)
        phone.user = user
        phone.activate(started["activationQrCodeData"])
        phone.confirm(biometry)
        if commit:
            backend.commit(phone.activation_id)
        return phone

    return make


@pytest.fixture
def enrollment(world):
    """The address that PowerAuth's mobile SDK is told."""
    return world.url + "/enrollment-server"


@pytest.fixture(params=VERSIONS)
def version(request):
    """A version of PowerAuth's mobile protocol."""
    return request.param


@pytest.fixture
def make_phone(backend, application, configuration, enrollment):
    """Makes phones with an active registration."""
    def make(user="eva", version="3.3", commit=True, flags=(), **options):
        started = backend.register(user, application, flags=list(flags))
        phone = Device(enrollment, configuration, version, **options)
        phone.user = user
        phone.activate(started["activationQrCodeData"])
        if commit:
            backend.commit(phone.activation_id)
        return phone

    return make


@pytest.fixture
def phone(make_phone, version):
    """Eva's phone, in each version of the protocol."""
    return make_phone(version=version)


@pytest.fixture
def make_mobile(make_phone):
    """Makes phones with Mobile Token."""
    return lambda user="eva", **options: MobileToken(make_phone(user, **options))


@pytest.fixture
def mobile(make_mobile):
    return make_mobile()


@pytest.fixture
def start_operation(backend):
    """Starts an operation for eva; its id."""
    return lambda template="login", **more: backend.start(template, **({"userId": "eva"} | more))["operationId"]


class Refusal:
    """A claim that a call is refused, and its reason told. `about` says which of several it was."""

    def __init__(self, world, status, code=None, message=None, about=None):
        self.world, self.status, self.code, self.message, self.about = world, status, code, message, about

    def of(self, answer):
        """A bare answer that must be a refusal."""
        checked(answer)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, _):
        if kind and not issubclass(kind, Refused):
            return False
        assert error, f"not refused; {self.status} {self.code} was expected {self.about}"
        told = (error.status, error.code, error.message)
        expected = (self.status, self.code or error.code, self.message or error.message)
        assert told == expected, (error, self.about)
        assert self.world.journal(status=self.status, limit=1)[0].get("explanation"), f"nobody explains {error}"
        self.code, self.details = error.code, error.details
        return True


@pytest.fixture
def refused(world):
    """Claims that what is done is refused with that status, code and message, and that the journal says why."""
    return lambda *claim, **about: Refusal(world, *claim, **about)
