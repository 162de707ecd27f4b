"""Simulated phones with MIRACL's app, in the generations of its SDK: registration, logins, codes, signatures, and what is refused."""

import base64
import hashlib
import json
import re

import pytest
import requests

from miracl_backend import CLIENT, REDIRECT, AccessSession
from miracl_device import PIN
from oauth_browser import Browser
from phones import Phone, Refused, new_phone
from understudy import run, until

PLATFORM = "miracl"
ADA = "ada@example.com"
SDKS = ["classic", "mfa", "olderTrust", "trust"]
NATIVE = ["classic", "mfa"]
#: What each SDK calls a wrong PIN.
WRONG = {"classic": "INCORRECT_PIN (11)", "mfa": "INCORRECT_PIN (11)", "olderTrust": "AuthenticationException.UnsuccessfulAuthentication",
         "trust": "AuthenticationException.UnsuccessfulAuthentication"}


@pytest.fixture
def make(world):
    """A phone whose owner is registered by one of the SDKs."""
    def make(sdk="trust", name="eva", **more):
        phone = new_phone(world, name, owner=name, mail=f"{name}@example.com")
        assert phone.enrol(platform=PLATFORM, protocol=sdk, **more)["kind"] == "activation"
        return phone
    return make


def refused(call, *arguments, **options):
    """What the SDK reports, and the sentence beside it."""
    with pytest.raises(Refused) as caught:
        call(*arguments, **options)
    return caught.value.error, caught.value.detail


def qr(session):
    return session.told["qrURL"]


@pytest.mark.parametrize("sdk", SDKS)
@pytest.mark.parametrize("model", ["ios", "android"])
def test_from_the_mail_to_the_login(world, customer, model, sdk):
    phone = new_phone(world, "eva", owner="eva", mail="eva@example.com", model=model)
    told = phone.do("register", PLATFORM, protocol=sdk, pin="9753")
    assert (told["kind"], told["id"]) == ("registration", "eva@example.com")
    assert phone.actions(PLATFORM) == ["register"]
    link = world.code("eva@example.com")["link"]
    if sdk in NATIVE:
        # The owner opens the mail in any browser, and the app notices.
        browser = Browser()
        [form] = browser.open(link).forms
        browser.press(form.buttons[0][0])
        until(lambda: phone.fact("State", PLATFORM) == "REGISTERED", "the app to hear of the confirmation")
    else:
        assert phone.scan(link)["kind"] == "activation"

    session = customer.start_session(userId="eva@example.com")
    asked = phone.scan(qr(session))
    assert asked["kind"] == "login" and session.status == "user"
    [request] = phone.pending()
    assert (request["id"], request["ways"]) == (session.code, ["pin"])
    assert phone.approve(pin="9753")["kind"] == "approved"
    told = session.poll()
    assert (told["status"], told["userId"]) == ("authenticated", "eva@example.com")


def test_a_registration_before_the_mail_was_opened(world, customer):
    phone = new_phone(world, "eva", owner="eva", mail="eva@example.com")
    phone.do("register", PLATFORM, protocol="mfa")
    assert phone.pending() == [] and phone.fact("State", PLATFORM) == "STARTED_REGISTRATION"
    assert "is not enrolled" in refused(phone.scan, qr(customer.start_session()))[1]
    world.advance(3601)
    error, detail = refused(phone.tell, "/pending", method="GET")
    assert error == "REGISTRATION_EXPIRED (19)" and "404" in detail


@pytest.mark.parametrize("sdk", SDKS)
def test_wrong_pins_block_the_identity(world, customer, make, sdk):
    phone = make(sdk, pin="2468")
    session = customer.start_session()
    phone.scan(qr(session))
    for wrong in ("2469", "2467"):
        error, detail = refused(phone.approve, pin=wrong)
        assert error == WRONG[sdk] and "401" in detail and "PIN" in detail
    assert phone.fact("State", PLATFORM) == "REGISTERED" and len(phone.pending()) == 1
    error, detail = refused(phone.approve, **{"with": "wrong-pin"})
    assert error == ("INCORRECT_PIN (11)" if sdk in NATIVE else "AuthenticationException.Revoked") and "410" in detail
    assert phone.fact("State", PLATFORM) == "BLOCKED" and phone.fact("Token", PLATFORM) is None
    assert "is not enrolled" in refused(phone.scan, qr(customer.start_session()))[1]
    assert session.status == "user"
    # Not the phone alone thinks so: a copy of it from before would be refused too.
    assert [one["state"] for one in world.get("/records")["records"] if one["kind"] == "identity"] == ["blocked"]


def test_the_built_in_phone_registers_once_when_it_scans(world, customer):
    ada = Phone(world, "ada")
    session = customer.start_session()
    ada.scan(qr(session))
    ada.approve()
    assert session.poll()["userId"] == ADA
    session = customer.start_session()
    ada.scan(qr(session))
    for _ in range(3):
        refused(ada.approve, **{"with": "wrong-pin"})
    # Not again after it was thrown out.
    assert "is not enrolled" in refused(ada.scan, qr(customer.start_session()))[1]


def test_codes_that_are_good_no_more(world, customer, make):
    phone = make()
    error, detail = refused(phone.scan, customer.base + "/mobile-login/#" + "0" * 32)
    assert error == "AuthenticationSessionException.InvalidAuthenticationSession" and "404 INVALID_AUTH_SESSION" in detail
    session = customer.start_session()
    world.advance(301)
    assert refused(phone.scan, qr(session))[0] == "AuthenticationSessionException.InvalidAuthenticationSession"
    # Shown on the phone, answered too late.
    session = customer.start_session()
    phone.scan(qr(session))
    world.advance(301)
    error, detail = refused(phone.approve)
    assert error == "AuthenticationException.InvalidAuthenticationSession" and phone.pending() == []
    for text in ("", "hello", qr(session).replace("#", "?")):
        assert refused(phone.scan, text or "x")[1].startswith("No app on the phone knows")


def test_who_declines_ends_the_session(customer, make):
    phone = make()
    session = customer.start_session()
    phone.scan(qr(session))
    assert phone.decline()["kind"] == "declined"
    assert session.status == "abort" and phone.pending() == []
    assert refused(phone.scan, qr(session))[0] == "AuthenticationSessionException.InvalidAuthenticationSession"


@pytest.mark.parametrize("sdk", SDKS)
def test_a_one_time_password(world, customer, make, sdk):
    phone = make(sdk)
    phone.do("otp")
    assert refused(phone.approve, **{"with": "wrong-pin"})[0] == WRONG[sdk]
    digits = phone.approve()["code"]
    assert customer.check_otp("eva@example.com", digits).status_code == 200
    assert customer.check_otp("eva@example.com", digits).status_code == 401
    phone.do("otp")
    late = phone.approve()["code"]
    world.advance(61)
    assert customer.check_otp("eva@example.com", late).status_code == 401


@pytest.mark.parametrize("sdk", ["mfa", "trust"])
def test_one_phone_brings_in_another(world, customer, make, sdk):
    phone = make(sdk)
    phone.do("quick_code")
    code = phone.approve()["code"]
    tablet = new_phone(world, "tablet", owner="eva", mail="eva@example.com")
    assert tablet.enrol(platform=PLATFORM, protocol=sdk, otp=code, pin="1111")["kind"] == "activation"
    session = customer.start_session()
    tablet.scan(qr(session))
    tablet.approve()
    assert session.poll()["userId"] == "eva@example.com"
    third = new_phone(world, "third", owner="eva", mail="eva@example.com")
    error, _ = refused(third.enrol, platform=PLATFORM, protocol=sdk, otp=code)
    assert error == ("IDENTITY_NOT_AUTHORIZED (7)" if sdk == "mfa" else "ActivationTokenException.UnsuccessfulVerification")


@pytest.mark.parametrize("sdk", ["mfa", "olderTrust", "trust"])
def test_documents(customer, make, sdk):
    phone = make(sdk)
    digest = hashlib.sha256(b"contract").hexdigest()
    session = customer.start_session(userId="eva@example.com", description="A contract", hash=digest)
    asked = phone.scan(qr(session))
    [request] = phone.pending()
    assert asked["kind"] == request["kind"] == "signature" and request["message"] == "A contract"
    assert {"name": "Hash", "value": digest} in request["details"]
    assert refused(phone.approve, **{"with": "wrong-pin"})[0] == WRONG[sdk]
    phone.approve()
    told = session.poll()
    assert told["status"] == "signed"
    signature = json.loads(base64.b64decode(told["signature"]))
    assert customer.verify(signature)["hash"] == digest


def test_a_push_is_there_at_once(world, customer, make):
    phone = make()
    query = {"client_id": CLIENT, "redirect_uri": REDIRECT, "response_type": "code", "scope": "openid", "state": "s", "nonce": "n"}
    started = requests.post(customer.base + "/pushauth", params=query, json={"prerollId": "eva@example.com"}, timeout=30)
    assert started.status_code == 200, started.text
    [request] = until(phone.pending, "the push")
    assert request["id"] == started.json()["accessId"] and request["title"] == "Sign in to Sample app"
    phone.approve()
    assert AccessSession(started.json()).poll()["redirectURL"].startswith(REDIRECT + "?")
    phone.change(policy="approve")
    started = requests.post(customer.base + "/pushauth", params=query, json={"prerollId": "eva@example.com"}, timeout=30)
    until(lambda: AccessSession(started.json()).status == "authenticated", "the policy")


@pytest.mark.parametrize("sdk", ["mfa", "trust"])
def test_a_secret_that_the_server_wants_renewed(world, customer, make, sdk):
    phone = make(sdk)
    before = phone.fact("Token", PLATFORM)

    def renewal():
        identity, *_ = [one for one in world.get("/records")["records"] if one["kind"] == "identity"]
        return identity["id"], [fact["value"] for fact in identity["facts"] if fact["name"] == "Renewal"]

    phone.do("otp")
    phone.approve()
    assert world.control("POST", f"/records/miracl/{renewal()[0]}/renew", json={}).ok
    assert renewal()[1] == ["at the next proof"]
    session = customer.start_session()
    phone.scan(qr(session))
    phone.approve()
    assert session.status == "authenticated" and renewal()[1] == []
    # Without a key pair the new secret is the old one.
    assert (phone.fact("Token", PLATFORM) != before) is (sdk == "trust")
    phone.do("otp")
    assert customer.check_otp("eva@example.com", phone.approve()["code"]).status_code == 200


@pytest.mark.parametrize("sdk", NATIVE)
def test_the_app_of_the_vendors_sample(sample, make, sdk):
    phone = make(sdk)
    asked = phone.do("applogin", authorize_url=sample.authorize_url())
    assert refused(phone.approve, asked["id"], **{"with": "wrong-pin"})[0] == WRONG[sdk]
    code = phone.approve(asked["id"])["code"]
    assert sample.redeem(code, "eva@example.com").status_code == 200
    _, detail = refused(phone.do, "applogin", authorize_url="https://elsewhere.example/authorize")
    assert "UNTRUSTED_DOMAIN_ERROR (18)" in detail


def test_the_token_of_a_login(customer, make):
    phone = make("trust")
    phone.do("token")
    assert customer.claims_of_jwt(phone.approve()["code"])["sub"] == "eva@example.com"


def test_two_phones_of_one_user_and_one_that_is_registered(customer, make, world):
    phone = make("mfa")
    assert "is registered on the phone" in refused(phone.enrol, platform=PLATFORM)[1]
    phone.do("delete_user")
    assert phone.actions(PLATFORM) == ["register"]
    assert phone.enrol(platform=PLATFORM, protocol="trust")["kind"] == "activation"
    error, detail = refused(new_phone(world, "nobody", owner="nobody").enrol, platform=PLATFORM)
    assert "known by their email addresses" in detail
    with pytest.raises(Refused) as caught:
        new_phone(world, "other", owner="o@example.com").enrol(platform=PLATFORM, protocol="4.0")
    assert caught.value.status == 400 and "classic, mfa, olderTrust, trust" in caught.value.detail


def test_phone_and_python_device_side_by_side(customer, make, make_native, make_trust):
    """Of one user, each with a token of its own: a blocked one leaves the other alone."""
    phone = make("mfa")
    for other in (make_native(user="eva@example.com"), make_trust(user="eva@example.com")):
        for _ in range(2):
            session = customer.start_session()
            phone.scan(qr(session))
            phone.approve()
            assert session.status == "authenticated"
            other.log_in(PIN, ["oidc"], customer.start_session().code)
    native = make_native(user="eva@example.com")
    for _ in range(3):
        native.status_of("9999")
    session = customer.start_session()
    phone.scan(qr(session))
    phone.approve()
    assert session.status == "authenticated" and native.state == "BLOCKED"


def test_phones_go_with_exports_to_another_address(world, customer, make, make_world):
    make("mfa")
    copy = make_world(fixtures=world.get("/fixtures"))
    phone, there = Phone(copy, "eva"), type(customer)(copy.url + "/miracl")
    session = there.start_session()
    phone.scan(qr(session))
    phone.approve()
    assert session.status == "authenticated" and phone.fact("Address", PLATFORM).endswith(f"/w/{copy.name}/miracl")


def test_an_offline_phone(world, customer, make):
    phone = make("mfa")
    session = customer.start_session()
    phone.scan(qr(session))
    phone.change(network="offline")
    error, detail = refused(phone.approve)
    assert error == "NETWORK_ERROR (4)" and "is offline" in detail
    phone.change(network="online")
    assert phone.approve()["kind"] == "approved" and session.status == "authenticated"


@pytest.mark.parametrize("sdk", SDKS)
def test_a_proof_that_comes_two_times_at_once_is_taken_once(customer, make, sdk):
    phone = make(sdk)
    session = customer.start_session()
    phone.scan(qr(session))
    told = phone.approve(fault="twice")
    assert re.search("two times at once: 200; 403, “No first pass .*, then 200; 408, “", told["detail"]), told
    assert session.status == "authenticated"
    other = customer.start_session()
    phone.scan(qr(other))
    assert "200; 404" in phone.decline(fault="twice")["detail"] and other.status == "abort"
    phone.do("otp")
    assert customer.check_otp("eva@example.com", phone.approve()["code"]).status_code == 200


@pytest.mark.parametrize("fault, why", [("changed-counter", "wrong by more than the PIN"), ("stolen-key", "The PIN is off by -2580")])
@pytest.mark.parametrize("sdk", SDKS)
def test_what_is_proven_wrong_is_counted(world, customer, make, sdk, fault, why):
    phone = make(sdk)
    session = customer.start_session()
    phone.scan(qr(session))
    for left in ("2 attempts are left", "One attempt is left"):
        error, detail = refused(phone.approve, fault=fault)
        assert error == WRONG[sdk] and why in detail and left in detail and session.status == "user"
    assert phone.approve()["kind"] == "approved" and session.status == "authenticated"
    # Three in a row block the identity, which the phone itself hears at its next proof.
    session = customer.start_session()
    phone.scan(qr(session))
    for _ in range(3):
        refused(phone.approve, fault=fault)
    assert [one["state"] for one in world.get("/records")["records"] if one["kind"] == "identity"] == ["blocked"]
    assert phone.fact("State", PLATFORM) == "REGISTERED"
    assert "410" in refused(phone.approve)[1] and phone.fact("State", PLATFORM) == "BLOCKED" and session.status == "user"


@pytest.mark.parametrize("sdk", SDKS)
def test_a_proof_as_it_was_before_there_were_key_pairs(customer, make, sdk):
    phone = make(sdk)
    session = customer.start_session()
    phone.scan(qr(session))
    if sdk in NATIVE:
        with pytest.raises(Refused) as caught:
            phone.approve(fault="old-protocol")
        assert caught.value.status == 400 and f"the SDK {sdk} has no key pair" in caught.value.detail
    else:
        error, detail = refused(phone.approve, fault="old-protocol")
        assert error == "AuthenticationException.AuthenticationFail" and "403" in detail and "has a key pair" in detail
    assert session.status == "user"
    assert phone.approve()["kind"] == "approved" and session.status == "authenticated"


@pytest.mark.parametrize("sdk", ["mfa", "olderTrust", "trust"])
def test_a_signature_of_another_document_is_none(customer, make, sdk):
    phone = make(sdk)
    digest = hashlib.sha256(b"contract").hexdigest()

    def signed(**fault):
        session = customer.start_session(userId="eva@example.com", description="A contract", hash=digest)
        phone.scan(qr(session))
        detail = phone.approve(**fault)["detail"]
        signature = json.loads(base64.b64decode(session.poll()["signature"]))
        order = {"signature": signature, "timestamp": signature["timestamp"], "type": "verification"}
        return detail, customer.send("POST", customer.base + "/dvs/verify", order, headers=customer.basic)

    detail, verified = signed(fault="other-data")
    assert "other data than the phone was shown" in detail and verified.status_code == 401
    assert signed()[1].status_code == 200
    session = customer.start_session()
    phone.scan(qr(session))
    with pytest.raises(Refused) as caught:
        phone.approve(fault="other-data")
    assert caught.value.status == 400 and "the document's of a signature" in caught.value.detail and session.status == "user"


@pytest.mark.parametrize("sdk", SDKS)
def test_who_was_not_asked_answers_for_no_other_project(world, customer, make, sdk):
    fixtures = world.get("/fixtures")
    [project, *_] = fixtures["miracl"]["projects"]
    fixtures["miracl"]["projects"].append({"id": "elsewhere", "name": "Elsewhere"})
    assert world.control("PUT", "/fixtures", json=fixtures).status_code == 204, project
    phone = make(sdk)
    session = customer.start_session(projectId="elsewhere")
    error, detail = refused(phone.approve, session.code, fault="unasked", platform=PLATFORM)
    assert error == ("INCORRECT_ACCESS_NUMBER (12)" if sdk in NATIVE else "AuthenticationException.InvalidAuthenticationSession") and "412" in detail
    assert session.status == "new"
    # A code of one's own project is for whoever has it, as a picture of it is.
    session = customer.start_session()
    assert "had not asked" in phone.approve(session.code, fault="unasked", platform=PLATFORM)["detail"]
    assert session.poll()["userId"] == "eva@example.com"


def test_faults_that_do_not_go_with_the_answer(customer, make):
    phone = make()
    phone.do("otp")
    for answer, fault, why in ((phone.approve, "rooted", "“changed-counter”, “stolen-key”, “old-protocol”"), (phone.decline, "twice", "proves nothing"),
                               (phone.decline, "stolen-key", "proves nothing")):
        with pytest.raises(Refused) as caught:
            answer("otp", fault=fault)
        assert caught.value.status == 400 and why in caught.value.detail
    assert customer.check_otp("eva@example.com", phone.approve()["code"]).status_code == 200


def test_by_the_command_line(server, world, customer):
    def phone(*arguments):
        return run("phone", *arguments, "--world", world.name, url=server.url)

    assert phone("create", "eva", "--user", "eva", "--mail", "eva@example.com").returncode == 0
    assert "by the SDK mfa" in phone("enrol", "eva", "--platform", "miracl", "--protocol", "mfa", "--pin", "1357").stdout
    session = customer.start_session()
    assert session.code in phone("scan", "eva", qr(session)).stdout
    refusal = phone("approve", "eva", "--with", "wrong-pin")
    assert refusal.returncode == 1 and "INCORRECT_PIN (11)" in refusal.stderr
    assert "was approved" in phone("approve", "eva").stdout
    phone("do", "eva", "otp")
    digits = phone("approve", "eva").stdout.rsplit(" ", 1)[1].rstrip(".\n")
    assert customer.check_otp("eva@example.com", digits).status_code == 200


@pytest.mark.parametrize("sdk", SDKS)
def test_a_token_of_another_identity(world, customer, make, sdk):
    """What somebody gains who copies a token beside another M-Pin id: an attempt less, and no login."""
    phone = make(sdk)
    make(sdk, name="bob")
    fixtures = world.get("/fixtures")
    eva, bob = [next(app["state"] for app in fixtures["phones"]["apps"] if app["phone"] == name) for name in ("eva", "bob")]
    eva["device"]["identity"]["token"] = bob["device"]["identity"]["token"]
    assert world.control("PUT", "/fixtures", json=fixtures).status_code == 204
    session = customer.start_session()
    phone.scan(qr(session))
    error, detail = refused(phone.approve)
    assert error == WRONG[sdk] and "wrong by more than the PIN" in detail and session.status == "user"


@pytest.mark.parametrize("sdk", ["olderTrust", "trust"])
def test_a_key_pair_of_another_identity(world, customer, make, sdk):
    phone = make(sdk)
    make(sdk, name="bob")
    fixtures = world.get("/fixtures")
    eva, bob = [next(app["state"] for app in fixtures["phones"]["apps"] if app["phone"] == name) for name in ("eva", "bob")]
    eva["device"]["identity"]["publicKey"] = bob["device"]["identity"]["publicKey"]
    assert world.control("PUT", "/fixtures", json=fixtures).status_code == 204
    phone.do("otp")
    error, detail = refused(phone.approve)
    assert error == "AuthenticationException.AuthenticationFail" and "403" in detail


@pytest.mark.parametrize("sdk, error", [("mfa", "INCORRECT_PIN (11)"), ("trust", "AuthenticationException.Revoked")])
def test_an_identity_that_the_customer_revokes(world, make, sdk, error):
    phone = make(sdk)
    [identity] = [one for one in world.get("/records")["records"] if one["kind"] == "identity"]
    assert world.control("POST", f"/records/miracl/{identity['id']}/revoke", json={"inputs": {"reason": "lost"}}).ok
    phone.do("otp")
    told, detail = refused(phone.approve)
    assert told == error and "410" in detail and phone.fact("State", PLATFORM) == "BLOCKED"


@pytest.mark.parametrize("sdk", ["mfa", "trust"])
def test_a_quick_code_is_for_its_user_and_its_minute(world, make, sdk):
    phone = make(sdk)
    phone.do("quick_code")
    code = phone.approve()["code"]
    for user, seconds in (("bob", 0), ("eva", 61)):
        world.advance(seconds)
        other = new_phone(world, "of-" + user, owner=user, mail=f"{user}@example.com")
        error, _ = refused(other.enrol, platform=PLATFORM, protocol=sdk, otp=code)
        assert error == ("IDENTITY_NOT_AUTHORIZED (7)" if sdk == "mfa" else "ActivationTokenException.UnsuccessfulVerification")
