"""What a phone does not get from PowerAuth with what is another application's, activation's or person's, or what is shut out."""

import json

import pytest

from powerauth_answers import checked
from powerauth_arithmetic import b64, b64url, mac, new_key, point, unb64
from powerauth_backend import APPLICATION as OWN
from powerauth_backend import INTEGRATION, Backend
from powerauth_channel import ACTIVATION, APPLICATION
from powerauth_device import Device
from powerauth_enrollment import Enrollment
from powerauth_messages import Configuration

UNDECIPHERED = 400, "ERR_ENCRYPTION", "POWER_AUTH_ENCRYPTION_FAILED"
NO_TEMPORARY_KEY = 400, "ERR_TEMPORARY_KEY", "POWER_AUTH_TEMPORARY_KEY_FAILURE"
NOT_CREATED = 400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID"
PROVIDER = {"providerId": "understudy-fake"}


@pytest.fixture
def shop(administrator):
    """What the app of another application of the house is built with; the back end sees both."""
    made = administrator.create_application("shop")
    administrator.assign(INTEGRATION[0], "shop")
    return Configuration(made["mobileSdkConfig"])


@pytest.fixture
def versions(world):
    """Lets the apps of the application's version in, or shuts them out."""
    manage = Enrollment(world.url).manage
    [version] = manage("application/detail", applicationId=OWN)["versions"]

    def versions(call):
        manage(f"application/version/{call}", applicationId=OWN, applicationVersionId=version["applicationVersionId"])

    return versions


def ask(phone, key=None, scope=APPLICATION):
    """An encrypted question for the application, which no activation is needed for; with the header of that scope."""
    envelope = phone.envelope(APPLICATION, "/pa/generic/application", key)
    request = phone.write(envelope.seal(phone.write(PROVIDER), phone.now()))
    return checked(phone.post("/api/config/oidc", request, phone.encryption_header(scope)))


# Applications.

def test_a_code_under_the_key_of_another_application_costs_an_attempt(backend, phone, shop):
    own, phone.application = phone.application, shop
    told = backend.verify(phone.authorization("POST", "/x"), "POST", "/x")
    assert (told["signatureValid"], told["registrationStatus"]) == (False, "ACTIVE")

    phone.application = own
    told = backend.verify(phone.authorization("POST", "/x", factors="possession"), "POST", "/x")
    assert (told["signatureValid"], told["remainingAttempts"]) == (True, 4)


def test_a_version_that_is_shut_out_proves_and_asks_nothing(backend, refused, phone, versions):
    phone.user_info()
    versions("unsupport")
    told = backend.verify(phone.authorization("POST", "/x"), "POST", "/x")
    assert (told["signatureValid"], told["registrationStatus"]) == (False, "ACTIVE")
    with refused(*UNDECIPHERED):
        phone.user_info()

    versions("support")
    phone.user_info()
    phone.validate()


def test_an_activation_is_not_reached_through_another_application(refused, phone, shop):
    phone.temporary_keys.clear()
    own, phone.application = phone.application, shop
    with refused(*(NO_TEMPORARY_KEY if phone.version == "3.3" else UNDECIPHERED)):
        phone.user_info()

    phone.application = own
    phone.user_info()


def test_a_temporary_key_of_another_application_opens_nothing(refused, enrollment, configuration, shop):
    foreign = Device(enrollment, shop).fetch_temporary_key(APPLICATION)
    phone = Device(enrollment, configuration)
    with refused(*UNDECIPHERED):
        ask(phone, foreign)
    ask(phone)


def test_an_activation_code_of_another_application_activates_nothing(backend, refused, enrollment, configuration, shop, version):
    code = backend.register("eva", "shop")["activationCode"]
    with refused(*NOT_CREATED):
        Device(enrollment, configuration, version).activate(code)
    Device(enrollment, shop, version).activate(code)


def test_a_token_of_another_application_is_none_to_its_back_end(world, backend, administrator, phone, shop):
    made = administrator.create_user("till")
    administrator.assign("till", "shop")
    till = Backend(world.url + "/powerauth-cloud", (made["username"], made["password"]))
    header = phone.token_header(phone.create_token())

    assert till.verify_token(header) == {"tokenValid": False}
    assert backend.verify_token(header)["tokenValid"] is True, "nothing was remembered of it"


def test_messages_of_another_application_are_not_in_the_inbox(backend, refused, mobile, shop):
    identifier = backend.write_message("eva", applications=["shop"])["id"]
    own = backend.write_message("eva", applications=[OWN])["id"]

    assert mobile.unread() == 1 and [message["id"] for message in mobile.messages()] == [own]
    for call in (mobile.message, mobile.read):
        with refused(400, "INBOX_FAILED"):
            call(identifier)


# Activations.

def test_a_request_for_the_application_names_no_activation(refused, phone):
    ask(phone)
    with refused(*UNDECIPHERED):
        ask(phone, scope=ACTIVATION)


@pytest.mark.parametrize("state", ["PENDING_COMMIT", "REMOVED"])
def test_who_is_not_active_or_blocked_gets_no_temporary_key(backend, refused, make_phone, state):
    phone = make_phone(version="3.3", commit=state == "REMOVED")
    if state == "REMOVED":
        backend.remove(phone.activation_id)
    with refused(*NO_TEMPORARY_KEY):
        phone.fetch_temporary_key(ACTIVATION)
    assert backend.state(phone.activation_id) == state


def test_a_request_for_a_temporary_key_is_of_the_one_algorithm(enrollment, configuration, refused):
    phone = Device(enrollment, configuration)

    def request(algorithm):
        claims = {"applicationKey": configuration.key, "challenge": b64(bytes(18))}
        text = ".".join(b64url(json.dumps(part).encode()) for part in ({"alg": algorithm, "typ": "JWT"}, claims))
        return {"jwt": text + "." + b64url(mac(unb64(configuration.secret), text.encode()))}

    for algorithm in ("none", "HS512", "hs256"):
        with refused(*NO_TEMPORARY_KEY, about=algorithm):
            phone.plain("/pa/v3/keystore/create", request(algorithm))
    assert "jwt" in phone.plain("/pa/v3/keystore/create", request("HS256"))


def test_both_layers_of_an_activation_name_one_temporary_key(backend, refused, enrollment, configuration, application):
    phone = Device(enrollment, configuration)
    code = backend.register("eva", application)["activationCode"]
    keys = [phone.fetch_temporary_key(APPLICATION) for _ in range(2)]

    def create(outer, inner):
        outside = phone.envelope(APPLICATION, "/pa/generic/application", outer)
        inside = phone.envelope(APPLICATION, "/pa/activation", inner)
        request = inside.seal(phone.write({"devicePublicKey": b64(point(new_key().public_key()))}), phone.now())
        layers = {"type": "CODE", "identityAttributes": {"code": code}, "activationData": request}
        return checked(phone.post("/pa/v3/activation/create", phone.write(outside.seal(phone.write(layers), phone.now())),
                                  phone.encryption_header(APPLICATION)))

    with refused(*NOT_CREATED):
        create(*keys)
    create(keys[0], keys[0])


def test_a_token_is_removed_by_its_own_activation_alone(backend, make_phone, version):
    phone, other = make_phone(version=version), make_phone("grace", version)
    token = other.create_token()
    phone.remove_token(token)
    assert backend.verify_token(other.token_header(token))["tokenValid"] is True

    other.remove_token(token)
    assert backend.verify_token(other.token_header(token)) == {"tokenValid": False}


def test_the_detail_is_told_to_the_owner_of_the_token(refused, make_phone, version):
    phone, other = make_phone(version=version), make_phone("grace", version)
    token, foreign = (one.create_token("possession_knowledge") for one in (phone, other))
    with refused(*NOT_CREATED):
        phone.detail(foreign)
    assert phone.detail(token)["activationId"] == phone.activation_id


@pytest.mark.parametrize("version, seconds, is_valid", [
    ("3.0", 120, True), ("3.1", 120, True), ("3.2", 120, False), ("3.3", 120, False), ("3.2", 55, True), ("3.3", 55, True)])
def test_a_token_header_from_the_future(backend, refused, make_phone, version, seconds, is_valid):
    """It may be half an hour ahead, and since 3.2 a minute."""
    phone = make_phone(version=version)
    phone.synchronise_clock()
    header = phone.token_header(phone.create_token(), timestamp=phone.now() + seconds * 1000)
    if is_valid:
        assert backend.verify_token(header)["tokenValid"] is True
    else:
        with refused(400, "ERROR_TOKEN_INVALID"):
            backend.verify_token(header)


# Persons and registrations.

def test_an_offline_code_is_for_the_operations_own_registration(backend, refused, make_mobile, start_operation):
    mobile, second, stranger = make_mobile(), make_mobile(), make_mobile("grace")
    bound = backend.start("login", registrationId=mobile.device.activation_id)["operationId"]
    for identifier, other in ((start_operation(), stranger), (bound, second)):
        registration = other.device.activation_id
        with refused(400, "ERROR_REQUEST"):
            backend.offline_qr(identifier, registration)
        told = backend.offline_qr(identifier, mobile.device.activation_id)
        code = other.offline_code(mobile.scan(told["operationQrCodeData"]))
        with refused(400, "ERROR_REQUEST"):
            backend.approve_offline(identifier, registration, told["nonce"], code)
        assert backend.operation(identifier)["status"] == "PENDING"
        code = mobile.offline_code(mobile.scan(told["operationQrCodeData"]))
        assert backend.approve_offline(identifier, mobile.device.activation_id, told["nonce"], code)["otpValid"] is True


def test_an_offline_code_by_biometry_is_good_where_the_template_has_it(world, backend, mobile):
    fixtures = world.get("/fixtures")
    [template] = [one for one in fixtures["powerauth"]["operation_templates"] if one["id"] == "login"]
    template["factors"] = ["possession_knowledge"]
    assert world.control("PUT", "/fixtures", json=fixtures).ok
    identifier, registration = backend.start("login", userId="eva")["operationId"], mobile.device.activation_id
    told = backend.offline_qr(identifier, registration)
    scanned = mobile.scan(told["operationQrCodeData"])
    assert "B" not in scanned.flags

    code = mobile.offline_code(scanned, factors="possession_biometry")
    assert backend.approve_offline(identifier, registration, told["nonce"], code)["otpValid"] is False
    assert backend.approve_offline(identifier, registration, told["nonce"], mobile.offline_code(scanned))["otpValid"] is True


def test_a_removed_registration_is_called_no_more(world, backend, make_mobile):
    mobile, other = make_mobile(), make_mobile()
    for one, token in ((mobile, "lost"), (other, "kept")):
        one.register_push(platform="apns", token=token)
    backend.remove(mobile.device.activation_id)
    backend.start("login", userId="eva")
    assert {message["to"]["address"] for message in world.messages()} == {"kept"}
