"""The extensions `prf` and `largeBlob` of software authenticators, asked for by py_webauthn and read by Yubico's fido2."""

import json

import pytest
import webauthn
from fido2.webauthn import AttestationObject, AuthenticatorData
from webauthn.helpers import bytes_to_base64url, options_to_json

from software_authenticator import ORIGIN, RP, USER, Authenticator

FIRST, SECOND = (bytes_to_base64url(text) for text in (b"first input", b"second input"))


def creation(**extensions):
    options = webauthn.generate_registration_options(rp_id=RP, rp_name="Example", user_id=USER, user_name="ada@example.com")
    return options, json.dumps(json.loads(options_to_json(options)) | {"extensions": extensions})


def request(*allowed, **extensions):
    options = webauthn.generate_authentication_options(rp_id=RP)
    allowed = [{"type": "public-key", "id": identifier} for identifier in allowed]
    return options, json.dumps(
        json.loads(options_to_json(options)) | {"allowCredentials": allowed, "extensions": extensions})


def register(phone, **extensions):
    options, text = creation(**extensions)
    created = phone.create(text)
    registered = webauthn.verify_registration_response(
        credential=created, expected_challenge=options.challenge, expected_rp_id=RP, expected_origin=ORIGIN)
    data = AttestationObject(webauthn.base64url_to_bytes(created["response"]["attestationObject"])).auth_data
    return created["id"], registered, created["clientExtensionResults"], data


def log_in(phone, registered, *allowed, **extensions):
    options, text = request(*allowed, **extensions)
    got = phone.get(text)
    webauthn.verify_authentication_response(
        credential=got, expected_challenge=options.challenge, expected_rp_id=RP, expected_origin=ORIGIN,
        credential_public_key=registered.credential_public_key, credential_current_sign_count=0)
    return got["clientExtensionResults"], AuthenticatorData(webauthn.base64url_to_bytes(got["response"]["authenticatorData"]))


def bytes_of(text):
    return webauthn.base64url_to_bytes(text)


def test_prf_gives_the_same_bytes_for_the_same_input(world):
    phone = Authenticator(world)
    identifier, registered, made, data = register(phone, prf={"eval": {"first": FIRST, "second": SECOND}})
    assert made["prf"]["enabled"] is True
    results = made["prf"]["results"]
    assert len(bytes_of(results["first"])) == 32 and results["first"] != results["second"]
    # What CTAP's hmac-secret leaves in authenticator data: two outputs of 32 bytes after an IV of 16, encrypted.
    assert data.extensions["hmac-secret"] is True and len(data.extensions["hmac-secret-mc"]) == 80

    got, data = log_in(phone, registered, prf={"eval": {"first": SECOND, "second": FIRST}})
    assert got == {"prf": {"results": {"first": results["second"], "second": results["first"]}}}
    assert len(data.extensions["hmac-secret"]) == 80
    assert bytes_of(results["first"]) not in bytes(data)

    by_credential = {"evalByCredential": {identifier: {"first": FIRST}}, "eval": {"first": SECOND}}
    got, data = log_in(phone, registered, identifier, prf=by_credential)
    assert got == {"prf": {"results": {"first": results["first"]}}}
    assert len(data.extensions["hmac-secret"]) == 48
    assert log_in(phone, registered, prf={})[0] == {"prf": {}}
    assert log_in(phone, registered)[0] == {}
    assert world.control("GET", phone.path).json()["credentials"][0]["prf"] is True


@pytest.mark.parametrize("prf, created, got", [
    ("get", {"enabled": True}, True), ("none", {"enabled": False}, False)])
def test_prf_of_lesser_authenticators(world, prf, created, got):
    phone = Authenticator(world, behaviour={"prf": prf})
    _, registered, made, _ = register(phone, prf={"eval": {"first": FIRST}})
    assert made == {"prf": created}
    assert ("results" in log_in(phone, registered, prf={"eval": {"first": FIRST}})[0]["prf"]) is got


def test_prf_is_that_of_verified_users_and_of_credentials_that_were_made_for_it(world):
    phone = Authenticator(world)
    _, registered, _, data = register(phone)
    assert data.extensions is None
    assert log_in(phone, registered, prf={"eval": {"first": FIRST}})[0] == {"prf": {}}

    phone = Authenticator(world)
    _, registered, _, _ = register(phone, prf={})
    phone.change(userVerified=False)
    assert log_in(phone, registered, prf={"eval": {"first": FIRST}})[0] == {"prf": {}}


def test_a_large_blob_is_written_and_read(world):
    phone = Authenticator(world)
    identifier, registered, made, _ = register(phone, largeBlob={"support": "required"})
    assert made == {"largeBlob": {"supported": True}}
    assert log_in(phone, registered, largeBlob={"read": True})[0] == {"largeBlob": {}}

    blob = bytes_to_base64url(b"a certificate" * 100)
    assert log_in(phone, registered, identifier, largeBlob={"write": blob})[0] == {"largeBlob": {"written": True}}
    assert log_in(phone, registered, largeBlob={"read": True})[0] == {"largeBlob": {"blob": blob}}
    too_much = bytes_to_base64url(bytes(4097))
    assert log_in(phone, registered, identifier, largeBlob={"write": too_much})[0] == {"largeBlob": {"written": False}}
    assert world.control("GET", phone.path).json()["credentials"][0]["largeBlob"] == blob


def test_an_authenticator_without_room_says_so(world):
    phone = Authenticator(world, behaviour={"largeBlob": False})
    identifier, registered, made, _ = register(phone, largeBlob={"support": "preferred"})
    assert made == {"largeBlob": {"supported": False}}
    assert log_in(phone, registered, identifier, largeBlob={"write": FIRST})[0] == {"largeBlob": {"written": False}}
    refused = phone.ask("create", creation(largeBlob={"support": "required"})[1])
    assert (refused.status_code, refused.json()["title"]) == (422, "NotSupportedError")


@pytest.mark.parametrize("call, allowed, extensions, status, title", [
    ("create", [], {"prf": {"evalByCredential": {}}}, 422, "NotSupportedError"),
    ("create", [], {"prf": {"eval": {"second": FIRST}}}, 400, "TypeError"),
    ("create", [], {"largeBlob": {"read": True}}, 422, "NotSupportedError"),
    ("get", [], {"prf": {"evalByCredential": {"AQID": {"first": FIRST}}}}, 422, "NotSupportedError"),
    ("get", ["AQID"], {"prf": {"evalByCredential": {"": {"first": FIRST}}}}, 400, "SyntaxError"),
    ("get", ["AQID"], {"prf": {"evalByCredential": {"AQIE": {"first": FIRST}}}}, 400, "SyntaxError"),
    ("get", [], {"largeBlob": {"support": "preferred"}}, 422, "NotSupportedError"),
    ("get", ["AQID"], {"largeBlob": {"read": True, "write": FIRST}}, 422, "NotSupportedError"),
    ("get", [], {"largeBlob": {"write": FIRST}}, 422, "NotSupportedError"),
])
def test_what_an_extension_does_not_do_is_refused_as_a_browser_would(world, call, allowed, extensions, status, title):
    phone = Authenticator(world)
    register(phone)
    text = creation(**extensions)[1] if call == "create" else request(*allowed, **extensions)[1]
    refused = phone.ask(call, text)
    assert (refused.status_code, refused.json()["title"]) == (status, title), refused.text
    assert "Blob" in refused.json()["detail"] or "prf" in refused.json()["detail"] or "first" in refused.json()["detail"]


#: What a page asks, one after another; `ID` stands for the credential that the first has made.
ASKED = [
    ("create", [], {"credProps": True, "prf": {"eval": {"first": FIRST, "second": SECOND}}, "largeBlob": {"support": "required"}}),
    ("get", ["ID"], {"prf": {"eval": {"first": FIRST}}}),
    ("get", ["ID"], {"prf": {"evalByCredential": {"ID": {"first": SECOND}}, "eval": {"first": FIRST}}}),
    ("get", ["ID"], {"prf": {}}),
    ("get", ["ID"], {"largeBlob": {"read": True}}),
    ("get", ["ID"], {"largeBlob": {"write": FIRST}}),
    ("get", ["ID"], {"largeBlob": {"read": True}}),
    ("create", [], {"prf": {"evalByCredential": {}}}),
    ("create", [], {"prf": {"eval": {"second": FIRST}}}),
    ("create", [], {"largeBlob": {"read": True}}),
    ("get", [], {"prf": {"evalByCredential": {"AQID": {"first": FIRST}}}}),
    ("get", ["ID"], {"prf": {"evalByCredential": {"AQIE": {"first": FIRST}}}}),
    ("get", ["ID"], {"largeBlob": {"support": "preferred"}}),
    ("get", ["ID"], {"largeBlob": {"read": True, "write": FIRST}}),
    ("get", [], {"largeBlob": {"write": FIRST}}),
]

IN_THE_BROWSER = """async ([call, kind, options]) => {
    try {
        const parsed = PublicKeyCredential[`parse${kind}OptionsFromJSON`](options)
        return JSON.stringify((await navigator.credentials[call]({publicKey: parsed})).toJSON())
    } catch (error) {
        return JSON.stringify(error.name)
    }
}"""


def shape(value):
    """Members and their types, the members of `results` too, but no bytes that are drawn by chance."""
    if isinstance(value, dict):
        return {name: shape(member) for name, member in value.items()}
    return value if value in (True, False, FIRST, SECOND) else type(value).__name__


def test_a_browser_answers_alike(world, server, chromium):
    page = chromium.new_page()
    page.goto(server.url + "/journal")
    devices = page.context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    devices.send("WebAuthn.addVirtualAuthenticator", {"options": {
        "protocol": "ctap2", "ctap2Version": "ctap2_1", "transport": "internal", "hasResidentKey": True,
        "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True, "hasPrf": True,
        "hasLargeBlob": True}})
    phone = Authenticator(world, origin=server.url)

    def in_the_browser(call, options):
        return json.loads(page.evaluate(IN_THE_BROWSER, [call, {"create": "Creation", "get": "Request"}[call], options]))

    def in_software(call, options):
        answer = phone.ask(call, json.dumps(options))
        return answer.json() if answer.status_code == 200 else answer.json()["title"]

    def told(ask):
        """What comes of each, and the results of the PRF."""
        shapes, results, identifier = [], [], None
        for call, allowed, extensions in ASKED:
            options = {"challenge": "AQID", "extensions": extensions}
            options |= {"rp": {"id": "localhost", "name": "E"}, "user": {"id": "YWRh", "name": "ada", "displayName": "Ada"},
                        "pubKeyCredParams": [{"type": "public-key", "alg": -7}],
                        "authenticatorSelection": {"residentKey": "required"}} if call == "create" else {
                "rpId": "localhost", "allowCredentials": [{"type": "public-key", "id": named} for named in allowed]}
            answer = ask(call, json.loads(json.dumps(options).replace('"ID"', f'"{identifier}"')))
            if isinstance(answer, str):
                shapes.append(answer)
                continue
            identifier = identifier or answer["id"]
            shapes.append((sorted(answer), sorted(answer["response"]), shape(answer["clientExtensionResults"])))
            results.append(answer["clientExtensionResults"].get("prf", {}).get("results", {}))
        assert results[0]["first"] == results[1]["first"] and results[0]["second"] == results[2]["first"]
        return shapes

    assert told(in_software) == told(in_the_browser)
    page.close()


def test_what_extensions_keep_survives_the_program(start, tmp_path):
    server = start("--data", tmp_path)
    phone = Authenticator(server.default_world)
    identifier, registered, made, _ = register(
        phone, prf={"eval": {"first": FIRST}}, largeBlob={"support": "required"})
    log_in(phone, registered, identifier, largeBlob={"write": SECOND})

    server.stop()
    phone.world = start("--data", tmp_path).default_world
    got, _ = log_in(phone, registered, prf={"eval": {"first": FIRST}}, largeBlob={"read": True})
    assert got == {"prf": {"results": made["prf"]["results"]}, "largeBlob": {"blob": SECOND}}
