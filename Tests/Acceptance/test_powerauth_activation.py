"""How a phone becomes known to PowerAuth: codes, one-time passwords, who commits and until when, and recovery."""

import pytest

from powerauth_arithmetic import activation_code, b64, is_activation_code
from powerauth_device import Device

NOT_CREATED = 400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID"


@pytest.fixture
def new_phone(enrollment, configuration):
    """A phone that nobody knows yet."""
    return lambda version="3.3", **options: Device(enrollment, configuration, version, **options)


def test_codes_are_of_the_form_that_sdks_take(backend, application):
    codes = {backend.register("eva", application)["activationCode"] for _ in range(5)}
    assert len(codes) == 5 and all(is_activation_code(code) for code in codes)


def test_a_code_alone_will_do(backend, application, new_phone, version):
    phone = new_phone(version)
    phone.activate(backend.register("eva", application)["activationCode"])
    assert phone.status().state == "PENDING_COMMIT"


def test_a_code_is_used_once(backend, application, refused, new_phone, version):
    code = backend.register("eva", application)["activationQrCodeData"]
    first = new_phone(version)
    first.activate(code)

    with refused(*NOT_CREATED):
        new_phone(version).activate(code)
    backend.commit(first.activation_id)
    with refused(*NOT_CREATED):
        new_phone(version).activate(code)
    first.validate()


def test_a_code_that_nobody_was_given_is_refused(refused, new_phone, version):
    with refused(*NOT_CREATED):
        new_phone(version).activate(activation_code(b"0123456789"))


def test_what_says_too_little_is_refused(refused, new_phone):
    code = {"code": "AAAAA-AAAAA-AAAAA-AAAAA"}
    for kind, identity in (("CODE", {}), ("CODE", {"code": ""}), ("CODE", {"name": "eva"}), ("CODE", None), ("MAGIC", code),
                           (None, code)):
        with refused(*NOT_CREATED, about=(kind, identity)):
            new_phone().create_activation(kind, identity)


def test_a_device_key_that_is_no_point_ends_the_registration(backend, application, refused, new_phone):
    for key in (b"", b"\0", b"\4" + bytes(64), b"\2" + b"\xff" * 32, b"no point at all"):
        started = backend.register("eva", application)
        with refused(*NOT_CREATED, about=key):
            new_phone().activate(started["activationCode"], devicePublicKey=b64(key))
        assert backend.state(started["registrationId"]) == "REMOVED"


def test_a_refused_activation_leaves_nothing_behind(world, refused, new_phone):
    def activations():
        return world.get("/fixtures")["powerauth"].get("activations", [])

    before = activations()
    for key in (b"", b"\4" + bytes(64)):
        with refused(*NOT_CREATED, about=key):
            new_phone().create_activation("CUSTOM", {"username": "eva"}, devicePublicKey=b64(key))
    assert activations() == before
    # Nobody asked for it, and nobody looks at it.
    new_phone().create_activation("CUSTOM", {"username": "eva"}, activationOtp="1234")
    assert len(activations()) == len(before) + 1


def test_the_least_of_claims_comes_with_an_activation(new_phone, version):
    told = new_phone(version).create_activation("CUSTOM", {"username": "eva"})["userInfo"]
    assert told["sub"] == "eva" and set(told) == {"sub", "jti", "iat"}


def test_an_envelope_that_cannot_be_read_is_no_activation(backend, application, refused, new_phone, version):
    phone = new_phone(version)
    envelope = phone.envelope

    def wrong(scope, purpose, key=None):
        made = envelope(scope, purpose, key)
        if purpose == "/pa/activation":
            made.mac_key = bytes(16)
        return made

    phone.envelope = wrong
    started = backend.register("eva", application)
    with refused(*NOT_CREATED):
        phone.activate(started["activationCode"])
    # It was somebody's mistake, and nobody's code.
    new_phone(version).activate(started["activationCode"])


def test_custom_attributes_come_back(backend, application, new_phone, version):
    phone = new_phone(version)
    told = phone.create_activation(
        "CODE", {"code": backend.register("eva", application)["activationCode"]}, custom={"theme": "dark", "n": 1})
    assert told["customAttributes"] == {"theme": "dark", "n": 1}
    assert new_phone(version).activate(backend.register("eva", application)["activationCode"])["customAttributes"] == {}


def test_what_the_phone_leaves_out_is_left_out(backend, application, new_phone):
    phone = new_phone()
    phone.activate(backend.register("eva", application)["activationCode"], activationName=None, platform=None, deviceInfo=None,
                   extras=None)
    told = backend.registration(phone.activation_id)
    assert told["platform"] == "unknown" and told.get("name") is None and told.get("deviceInfo") is None


def test_committed_in_the_key_exchange(backend, application, new_phone, version):
    started = backend.register("eva", application, commitPhase="ON_KEY_EXCHANGE")
    phone = new_phone(version)
    phone.activate(started["activationQrCodeData"])
    assert backend.state(phone.activation_id) == "ACTIVE"
    phone.validate()


@pytest.mark.parametrize("how", ["otpValidation", "commitPhase"])
def test_a_password_that_is_asked_in_the_key_exchange(backend, application, refused, new_phone, version, how):
    started = backend.register("eva", application, otp="7352", **{how: "ON_KEY_EXCHANGE"})
    phone = new_phone(version)
    for wrong in ({"activationOtp": "0000"}, {}, {"activationOtp": ""}):
        with refused(*NOT_CREATED):
            phone.activate(started["activationCode"], **wrong)
        assert backend.state(started["registrationId"]) == "CREATED"

    phone.activate(started["activationCode"], activationOtp="7352")

    assert backend.state(started["registrationId"]) == "ACTIVE"
    phone.validate()


def test_a_password_may_be_wrong_four_times(backend, application, refused, new_phone):
    started = backend.register("eva", application, otp="7352", otpValidation="ON_KEY_EXCHANGE")
    for state in ("CREATED", "CREATED", "CREATED", "CREATED", "REMOVED"):
        with refused(*NOT_CREATED):
            new_phone().activate(started["activationCode"], activationOtp="0000")
        assert backend.state(started["registrationId"]) == state
    with refused(*NOT_CREATED):
        new_phone().activate(started["activationCode"], activationOtp="7352")


@pytest.mark.parametrize("how", ["otpValidation", "commitPhase"])
def test_a_password_that_is_asked_at_the_commit(backend, application, refused, new_phone, how):
    started = backend.register("eva", application, otp="7352", **{how: "ON_COMMIT"})
    phone = new_phone()
    with refused(*NOT_CREATED):
        phone.activate(started["activationCode"], activationOtp="7352")
    phone.activate(started["activationCode"])

    # What is missing costs nothing, what is wrong an attempt.
    for _ in range(6):
        with refused(400, "ERROR_REGISTRATION_CHANGE"):
            backend.commit(phone.activation_id)
    for _ in range(4):
        with refused(400, "ERROR_REGISTRATION_CHANGE"):
            backend.commit(phone.activation_id, otp="0000")
    assert backend.state(phone.activation_id) == "PENDING_COMMIT"
    backend.commit(phone.activation_id, otp="7352")
    assert backend.state(phone.activation_id) == "ACTIVE"


def test_the_fifth_wrong_password_at_the_commit_is_the_last(backend, application, refused, new_phone):
    started = backend.register("eva", application, otp="7352", otpValidation="ON_COMMIT")
    new_phone().activate(started["activationCode"])
    for _ in range(5):
        with refused(400, "ERROR_REGISTRATION_CHANGE"):
            backend.commit(started["registrationId"], otp="0000")
    assert backend.state(started["registrationId"]) == "REMOVED"


def test_orders_that_make_no_sense(backend, application, refused):
    for order in ({"otp": "1", "otpValidation": "ON_COMMIT", "commitPhase": "ON_COMMIT"}, {"otpValidation": "ON_KEY_EXCHANGE"},
                  {"otpValidation": "ON_COMMIT", "otp": ""}, {"commitPhase": "LATER"}, {"otpValidation": "PERHAPS", "otp": "1"},
                  {"timestampRegistrationExpire": 1}, {"timestampRegistrationExpire": "soon"}, {"flags": "VIP"}, {"user": ""},
                  {"user": "x" * 256}, {"user": None}, {"application": None}, {"application": "nowhere"}):
        with refused(400, "ERROR_REQUEST", about=order):
            backend.register(**({"user": "eva", "application": application} | order))
    assert backend.registrations("eva") == []


@pytest.mark.parametrize("exchanged", [False, True])
def test_a_registration_that_is_not_finished_expires(world, backend, application, refused, new_phone, exchanged):
    started = backend.register("eva", application)
    phone = new_phone()
    if exchanged:
        phone.activate(started["activationCode"])
    world.advance(299)
    assert backend.state(started["registrationId"]) == ("PENDING_COMMIT" if exchanged else "CREATED")
    world.advance(2)

    assert backend.state(started["registrationId"]) == "REMOVED"
    with refused(400, "ERROR_REGISTRATION_CHANGE"):
        backend.commit(started["registrationId"])
    if exchanged:
        assert phone.status().state == "REMOVED"
    else:
        with refused(*NOT_CREATED):
            new_phone().activate(started["activationCode"])


def test_its_life_can_be_longer(world, backend, application, new_phone):
    now = new_phone()
    now.synchronise_clock()
    started = backend.register("eva", application, timestampRegistrationExpire=now.now() + 3_600_000)
    world.advance(3500)
    phone = new_phone()
    phone.activate(started["activationCode"])
    backend.commit(phone.activation_id)
    world.advance(30 * 86_400)
    assert phone.status().state == "ACTIVE"


def test_a_second_registration_can_wait_for_the_first(backend, application, refused, new_phone):
    first = backend.register("eva", application)["registrationId"]

    def check():
        return backend.call("POST", "/v2/registrations", {"userId": "eva", "appId": application},
                            params={"incompleteStatusCheck": "true"})

    with refused(400, "ERROR_REGISTRATION_NOT_ALLOWED") as refusal:
        refusal.of(check())
    backend.register("eva", application)
    backend.remove(first)
    with refused(400, "ERROR_REGISTRATION_NOT_ALLOWED") as refusal:
        refusal.of(check())
    for one in backend.registrations("eva"):
        backend.remove(one["registrationId"])
    assert check().status_code == 200


def test_commits_at_the_wrong_time(backend, application, refused, phone):
    created = backend.register("eva", application)["registrationId"]
    for identifier in (created, phone.activation_id):
        with refused(400, "ERROR_REGISTRATION_CHANGE"):
            backend.commit(identifier)
    for change in ("BLOCK", "UNBLOCK"):
        with refused(400, "ERROR_REGISTRATION_CHANGE"):
            backend.change(created, change)
    with refused(400, "ERROR_REQUEST"):
        backend.change(phone.activation_id, "DESTROY")
