"""What phones with PowerAuth signed and encrypted is made again by phones of the world: recordings of an independent phone agree with a
fresh world of other chance, and differences that are put into them are found."""

import base64
import copy
import json

import pytest
import requests

from compare_recordings import Changed, agrees, reasons, recording, refusal, whole
from powerauth_answers import checked
from powerauth_arithmetic import canonical_query
from powerauth_backend import INTEGRATION, Backend
from powerauth_channel import ACTIVATION, VERSIONS
from powerauth_device import Device
from powerauth_mobile_token import MobileToken, OfflineOperation
from understudy import CONTROL, World

BODY = b'{"user":"eva"}'


def life(world, backend, application, phone):
    """Of a phone: activation, codes of all factors, right and wrong, tokens, operations, vault, name, end."""
    started = backend.register("eva", application)
    phone.activate(started["activationQrCodeData"])
    assert backend.state(phone.activation_id) == phone.status().state == "PENDING_COMMIT"
    backend.commit(phone.activation_id)
    assert backend.registration(phone.activation_id)["name"] == "Test phone"

    for factors in ("possession", "possession_knowledge", "possession_biometry", "possession_knowledge_biometry"):
        phone.validate(factors=factors)
    phone.validate(method="GET", query="b=2&a=hello+world")
    assert refusal(phone.validate, pin="00000") == 401
    header = phone.authorization("POST", "/login", BODY)
    assert backend.verify(header, "POST", "/login", BODY)["remainingAttempts"] == 5
    wrong = backend.verify(phone.authorization("POST", "/login", BODY, pin="00000"), "POST", "/login", BODY)
    assert (wrong["signatureValid"], wrong["remainingAttempts"]) == (False, 4)
    query = {"to": "Zürich & back", "from": "a=b+c"}
    header = phone.authorization("GET", "/tickets", canonical_query("to=Z%C3%BCrich%20%26%20back&from=a%3Db%2Bc").encode())
    assert backend.verify(header, "GET", "/tickets", query=query)["signatureValid"] is True

    mobile = MobileToken(phone)
    ids = [backend.start("login", userId="eva")["operationId"] for _ in range(2)]
    assert set(mobile.ids()) == set(ids)
    assert refusal(mobile.authorize, mobile.operation(ids[0]), pin="00000") == 401
    mobile.authorize(mobile.operation(ids[0]))
    assert backend.operation(ids[0])["status"] == "APPROVED"
    mobile.reject(ids[1])
    assert len(mobile.history()) >= 2
    assert backend.verify_token(phone.token_header(mobile.token))["tokenValid"] is True

    second = phone.create_token("possession_knowledge")
    assert phone.detail(second)["activationName"] == "Test phone"
    assert refusal(phone.create_token, "possession_knowledge", pin="00000") == 401
    phone.unlock_vault()
    assert phone.user_info()["sub"] == "eva"
    phone.rename("Phone of all days")
    assert backend.registration(phone.activation_id)["name"] == "Phone of all days"
    phone.remove_token(second)
    backend.block(phone.activation_id, "LOST")
    assert refusal(phone.validate) == 401
    backend.unblock(phone.activation_id)
    phone.validate()
    phone.remove()
    assert backend.state(phone.activation_id) == "REMOVED"


@pytest.mark.parametrize("platform", ["ios", "android"])
@pytest.mark.parametrize("version", VERSIONS)
def test_the_life_of_a_phone(world, backend, application, enrollment, configuration, compare, version, platform):
    life(world, backend, application, Device(enrollment, configuration, version, platform=platform))
    assert whole(compare.report(recording(world)), "powerauth")["agree"] >= 20


def test_phones_beside_each_other_with_several_tokens(world, backend, make_phone, start_operation, compare):
    eva, frank = make_phone("eva"), make_phone("frank", platform="android")
    tokens = [frank.create_token("possession_knowledge"), eva.create_token("possession_knowledge"), eva.create_token()]
    frank.validate()
    assert [phone.detail(token)["activationName"] for phone, token in ((eva, tokens[1]), (frank, tokens[0]))] == ["Test phone"] * 2
    mobile = MobileToken(eva)
    mobile._token = tokens[2]
    assert mobile.ids() == []
    assert backend.verify_token(eva.token_header(tokens[1]))["userId"] == "eva"
    assert backend.verify_token(frank.token_header(tokens[0]))["userId"] == "frank"

    whole(compare.report(recording(world)), "powerauth")


def test_an_activation_by_custom_attributes(world, backend, enrollment, configuration, compare):
    phone = Device(enrollment, configuration)
    phone.create_activation("CUSTOM", {"username": "eva"})
    assert backend.registration(phone.activation_id)["userId"] == "eva"
    phone.validate()

    whole(compare.report(recording(world)), "powerauth")


def test_an_activation_with_an_otp(world, backend, application, enrollment, configuration, compare):
    started = backend.register("eva", application, otp="1234-5678", commitPhase="ON_KEY_EXCHANGE")
    phone = Device(enrollment, configuration)
    phone.activate(started["activationQrCodeData"], activationOtp="1234-5678")
    assert backend.state(phone.activation_id) == "ACTIVE"
    phone.validate()

    whole(compare.report(recording(world)), "powerauth")


def test_a_login_at_the_back_end_of_an_app(world, make_phone, compare):
    phone = make_phone()

    def log_in(pin):
        headers = {"Content-Type": "application/json"} | phone.authorization("POST", "/login", BODY, pin=pin)
        return requests.post(world.url + "/app/login", data=BODY, headers=headers, timeout=30).status_code

    assert [log_in("13524"), log_in("00000"), log_in("13524")] == [200, 401, 200]

    report = compare.report(recording(world))
    whole(report, "powerauth")
    assert report["differences"] == 0 and reasons(report) == set()


def test_a_replay_and_a_token_of_yesterday_stay_what_they_are(world, backend, make_phone, compare):
    phone = make_phone()
    token = phone.create_token()
    fresh = phone.token_header(token)
    old = phone.token_header(token, timestamp=phone.now() - 86_400_000)
    assert backend.verify_token(fresh)["tokenValid"] is True
    for header in (fresh, old):
        assert refusal(backend.verify_token, header) == 400
    code = phone.authorization("POST", "/login", BODY)
    assert [backend.verify(code, "POST", "/login", BODY)["signatureValid"] for _ in range(2)] == [True, False]

    whole(compare.report(recording(world)), "powerauth")


def test_codes_that_are_shown_without_a_network(world, backend, make_phone, compare):
    mobile = MobileToken(make_phone())
    operation = backend.start("login", userId="eva")["operationId"]
    for pin in ("00000", "13524"):
        shown = backend.offline_qr(operation, mobile.device.activation_id)
        code = mobile.offline_code(OfflineOperation(mobile.device, shown["operationQrCodeData"]), pin)
        told = backend.approve_offline(operation, mobile.device.activation_id, shown["nonce"], code)
        assert told["otpValid"] is (pin == "13524"), told

    whole(compare.report(recording(world)), "powerauth")


@pytest.mark.parametrize("factors", ["possession_knowledge", "possession_biometry"])
def test_codes_without_a_network_have_the_factors_and_the_form_of_the_recording(world, backend, make_phone, compare, factors):
    mobile = MobileToken(make_phone())
    operation = backend.start("login", userId="eva")["operationId"]
    shown = backend.offline_qr(operation, mobile.device.activation_id)
    for malformed in ("1234", "12345678-1234567x", "12345678-12345678-12345678"):
        assert refusal(backend.approve_offline, operation, mobile.device.activation_id, shown["nonce"], malformed) == 400
    code = mobile.offline_code(OfflineOperation(mobile.device, shown["operationQrCodeData"]), factors=factors)
    told = backend.approve_offline(operation, mobile.device.activation_id, shown["nonce"], code.replace("-", ""))
    assert (told["otpValid"], told["signatureType"]) == (True, factors)
    assert backend.operation(operation)["additionalData"]["authFactor"] == factors

    whole(compare.report(recording(world)), "powerauth")


def test_a_user_who_is_not_near_has_a_right_code(world, backend, make_phone, compare):
    """The refusal is of the operation, not of the PIN; and the clock is set back in between."""
    mobile = MobileToken(make_phone())
    operation = backend.start("login_preApproval", userId="eva", proximityCheckEnabled=True)["operationId"]
    shown = mobile.operation(operation)
    assert refusal(mobile.authorize, shown) == 401
    assert backend.operation(operation)["failureCount"] == 1
    world.control("PUT", "/clock", json={"frozen": True})
    otp = backend.operation(operation)["proximityOtp"]
    for seconds, status in ((60, 401), (-30, 200)):
        world.advance(seconds)
        mobile.device.synchronise_clock()
        check = {"otp": otp, "type": "QR_CODE", "timestampReceived": "2025-10-23T06:13:18.120Z", "timestampSent": "2025-10-23T06:13:20.004Z"}
        if status == 200:
            mobile.authorize(shown, proximityCheck=check)
        else:
            assert refusal(mobile.authorize, shown, proximityCheck=check) == status
    assert backend.operation(operation)["status"] == "APPROVED"

    whole(compare.report(recording(world)), "powerauth")


def test_a_token_that_a_back_end_of_another_app_does_not_know(world, administrator, backend, make_phone, compare):
    administrator.create_application("shop")
    made = administrator.create_user("till")
    administrator.assign("till", "shop")
    phone = make_phone()
    header = phone.token_header(phone.create_token())
    till = Backend(world.url + "/powerauth-cloud", (made["username"], made["password"]))
    assert [one.verify_token(header)["tokenValid"] for one in (till, backend)] == [False, True]

    whole(compare.report(recording(world)), "powerauth")


def test_five_wrong_pins_block_it_here_as_there(world, backend, make_phone, compare):
    phone = make_phone()
    for _ in range(5):
        assert refusal(phone.validate, pin="00000") == 401
    assert backend.state(phone.activation_id) == "BLOCKED"
    assert refusal(phone.validate) == 401

    whole(compare.report(recording(world)), "powerauth")


def test_the_wrong_pin_that_fails_an_operation_is_wrong_here_too(world, backend, make_phone, compare):
    """Its refusal says what became of the operation, and nothing of the code."""
    phone = make_phone()
    mobile = MobileToken(phone)
    identifier = backend.start("login", userId="eva")["operationId"]
    shown = mobile.operation(identifier)
    assert [refusal(mobile.authorize, shown, pin="00000") for _ in range(5)] == [401] * 4 + [400]
    assert backend.operation(identifier)["status"] == "FAILED"
    assert backend.state(phone.activation_id) == "BLOCKED"

    whole(compare.report(recording(world)), "powerauth")


def test_another_app_of_the_tenant_stands_for_the_only_one_of_the_world(
        world, administrator, backend, make_phone, compare, configuration):
    """A tenant's keys are not in the world: the phones are built for its application."""
    make_phone().validate()
    text = json.dumps(recording(world)).replace(configuration.key, "AAECAwQFBgcICQoLDA0ODw==")
    whole(compare.report(text), "powerauth")


def test_an_activation_that_is_older_than_the_recording(world, make_phone, compare):
    phone = make_phone()
    token = phone.create_token()
    world.control("DELETE", "/journal").raise_for_status()
    phone.validate()
    MobileToken(phone)._token = token
    assert checked(phone.post("/api/auth/token/app/operation/list", b"{}", phone.token_header(token)))["status"] == "OK"
    phone.temporary_keys.clear()
    phone.user_info()

    report = compare.report(recording(world))
    told = [one for one in report["platforms"] if one["name"] == "powerauth"][0]
    assert report["differences"] == 0 and told["agree"] == 0
    assert reasons(report) == {
        "it is of an activation of PowerAuth whose beginning is not in the recording, or was not played",
        "it has a token of PowerAuth whose beginning is not in the recording"}


def test_what_nobody_can_read_is_named(world, backend, application, enrollment, configuration, compare):
    """The recorded refusal is one of the key, which is encrypted."""
    started = backend.register("eva", application)
    assert refusal(Device(enrollment, configuration).activate, started["activationQrCodeData"], devicePublicKey="") == 400

    told = agrees(compare.report(recording(world)), "powerauth", "the exchange of keys was refused there, and what it said is encrypted")
    assert told["notComparable"] == 1


def test_what_our_back_end_asks_is_asked_once(world, make_phone, compare):
    """The sample app verifies each code by a request of its own, which it makes here again."""
    phone, back_end = make_phone(), {"Content-Type": "application/json"}

    def log_in(body=BODY, **options):
        return requests.post(world.url + "/app/login", data=BODY, timeout=30,
                             headers=back_end | phone.authorization("POST", "/login", body, **options))

    statuses = [log_in(b'{"user":"eve"}').status_code, log_in(pin="00000").status_code, log_in(factors="possession").status_code]
    token = phone.create_token()
    started = requests.post(world.url + "/app/login/init", data=BODY, headers=back_end | phone.token_header(token), timeout=30)
    assert statuses + [started.status_code] == [401, 401, 403, 200]

    har = recording(world)
    asked = [entry["request"] for entry in har["log"]["entries"]]
    inner = [one for one in asked if {"name": "User-Agent", "value": "understudy (app)"} in one["headers"]]
    report = compare.report(har)
    whole(report, "powerauth")
    assert sum(one["agree"] for one in report["platforms"]) > 0 and len(inner) == 5
    assert sum(route["requests"] for one in report["platforms"] for route in one["routes"]) == len(asked) - len(inner)


def test_a_code_that_is_sent_twice_is_sent_twice_here(world, make_phone, compare):
    header = {"Content-Type": "application/json"} | make_phone().authorization("POST", "/login", BODY)
    assert [requests.post(world.url + "/app/login", data=BODY, headers=header, timeout=30).status_code for _ in range(2)] == [200, 401]

    whole(compare.report(recording(world)), "powerauth")


def test_a_code_of_an_app_that_nobody_knows(backend, make_phone, configuration, world, compare):
    phone = make_phone()
    good = phone.authorization("POST", "/x")["X-PowerAuth-Authorization"]
    unknown = {"X-PowerAuth-Authorization": good.replace(configuration.key, "AAECAwQFBgcICQoLDA0ODw==")}
    assert "userId" not in backend.verify(unknown, "POST", "/x")
    assert backend.verify(phone.authorization("POST", "/x", factors="possession"), "POST", "/x")["remainingAttempts"] == 4

    whole(compare.report(recording(world)), "powerauth")


def test_a_field_in_which_nothing_is_signed_is_as_it_was(world, make_phone, compare):
    make_phone()
    nonsense = {"X-PowerAuth-Authorization": "PowerAuth nonsense"}
    assert requests.post(world.url + "/app/login", headers=nonsense, timeout=30).status_code == 401
    assert requests.post(world.url + "/enrollment-server/pa/v3/signature/validate", headers=nonsense, timeout=30).status_code == 401

    whole(compare.report(recording(world)), "powerauth")


@pytest.mark.parametrize("secret", ["activation", "application"])
def test_a_temporary_key_that_was_refused_for_the_signature(world, make_phone, configuration, compare, secret):
    """Of a JWT whose key nobody has, nobody knows what was wrong with it."""
    phone = make_phone()
    if secret == "activation":
        phone.transport = bytes(16)
    else:
        phone.application = copy.copy(configuration)
        phone.application.key = "AAECAwQFBgcICQoLDA0ODw=="
    assert refusal(phone.fetch_temporary_key, ACTIVATION) == 400

    report = compare.report(recording(world))
    agrees(report, "powerauth", "perhaps for its signature")
    assert len(reasons(report)) == 1


def test_data_that_a_phone_signed(world, make_phone, compare):
    phone = make_phone()
    signed = {"activationId": phone.activation_id, "data": "QQ==", "signature": base64.b64encode(phone.sign_data(b"A")).decode()}
    answer = requests.post(world.url + "/powerauth-java-server/rest/v3/signature/ecdsa/verify", json={"requestObject": signed}, timeout=30)
    assert answer.json()["responseObject"] == {"signatureValid": True}

    told = agrees(compare.report(recording(world)), "powerauth", "a signature with a phone's own key")
    assert told["notComparable"] == 1


def test_a_token_of_nobody_is_none_of_the_phone_s(world, backend, make_phone, compare):
    phone = make_phone()
    token = phone.create_token()
    token.id = "5b3c2f0e-6d0a-4a63-8d2c-0f4f3b1c9e77"
    assert backend.verify_token(phone.token_header(token)) == {"tokenValid": False}

    agrees(compare.report(recording(world)), "powerauth", "a token of PowerAuth whose beginning is not in the recording")


def test_an_otp_that_is_asked_at_the_commit(world, backend, application, enrollment, configuration, compare):
    started = backend.register("eva", application, otp="7352", otpValidation="ON_COMMIT")
    Device(enrollment, configuration).activate(started["activationCode"])
    backend.commit(started["registrationId"], otp="7352")
    assert backend.state(started["registrationId"]) == "ACTIVE"

    whole(compare.report(recording(world)), "powerauth")


def test_what_a_back_end_asks_of_a_registration_that_is_older(world, backend, make_phone, compare):
    phone = make_phone()
    world.control("DELETE", "/journal").raise_for_status()
    assert backend.state(phone.activation_id) == "ACTIVE"
    backend.register("eva", "my-app")

    told = agrees(compare.report(recording(world)), "powerauth", "older than the recording")
    assert (told["agree"], told["notComparable"]) == (1, 1)


# Differences that are put into a recording.

@pytest.fixture(scope="module")
def session(server, configuration, application):
    """A phone that does what can go wrong, as an archive."""
    answer = requests.post(server.url + CONTROL + "/worlds", json={}, timeout=30).json()
    world = World(answer["name"], answer["baseURL"])
    backend = Backend(world.url + "/powerauth-cloud", INTEGRATION)
    phone = Device(world.url + "/enrollment-server", configuration)
    phone.activate(backend.register("eva", application)["activationQrCodeData"])
    backend.commit(phone.activation_id)
    phone.status()
    mobile = MobileToken(phone)
    operation = backend.start("login", userId="eva")["operationId"]
    [waiting] = mobile.operations()
    assert refusal(mobile.authorize, waiting, pin="00000") == 401
    mobile.authorize(waiting)
    assert backend.operation(operation)["status"] == "APPROVED"
    phone.unlock_vault()
    backend.verify(phone.authorization("POST", "/login", BODY), "POST", "/login", BODY)
    yield recording(world)
    requests.delete(server.url + CONTROL + "/worlds/" + world.name, timeout=30)


def last(changed, path, status):
    return [entry["response"] for entry in changed.har["log"]["entries"]
            if entry["request"]["url"].endswith(path) and entry["response"]["status"] == status][-1]


def edit(path, change, status=200):
    def apply(changed):
        content = last(changed, path, status)["content"]
        content["text"] = json.dumps(change(json.loads(content["text"])))
    return apply


def inside(**more):
    return lambda body: body | {"responseObject": body["responseObject"] | more}


DIFFERENCES = {
    "another status of an approval": (
        lambda changed: last(changed, "/operation/authorize", 200).update(status=202), "status", "status"),
    "another refusal of a wrong PIN": (
        lambda changed: last(changed, "/operation/authorize", 401).update(status=403), "status", "status"),
    "another error word": (
        edit("/operation/authorize", inside(code="POWERAUTH_AUTH_FAILURE"), 401), "word", "body responseObject.code"),
    "a member less around what is encrypted": (
        edit("/token/create", lambda body: {name: body[name] for name in ("encryptedData", "mac", "nonce")}), "more", "body timestamp"),
    "a member more around what is encrypted": (
        edit("/vault/unlock", lambda body: body | {"hint": "x"}), "missing", "body hint"),
    "a number for a text": (edit("/activation/create", lambda body: body | {"mac": 7}), "type", "body mac"),
    "a member of an operation": (
        edit("/operation/list", lambda body: body | {"responseObject": [body["responseObject"][0] | {"colour": "red"}]}),
        "missing", "body responseObject[].colour"),
    "another count of attempts": (
        edit("/authentication/verify", lambda body: body | {"remainingAttempts": 3}), "value", "body remainingAttempts"),
    "a member of a status": (
        edit("/activation/status", inside(surplus=1)), "missing", "body responseObject.surplus"),
}


def test_the_session_agrees(session, compare):
    whole(compare.report(session), "powerauth")


@pytest.mark.parametrize("what", DIFFERENCES)
def test_a_difference_is_told_once(session, compare, what):
    change, kind, place = DIFFERENCES[what]
    changed = Changed(session)
    change(changed)
    found = compare.differences(changed.har)
    assert len(found) == 1 and found[0][1] in kind.split("|") and found[0][2] == place, found
