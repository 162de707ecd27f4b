"""A client of Hanko's Flow API that knows no state: it goes where the last answer says, as apps do, and holds every answer
against what clients rely on.

Source: Hanko documentation, “Flow API”; hanko-frontend-sdk 3.0.0; RFC 6238 for the codes of authenticator apps.
"""

import base64
import functools
import hashlib
import hmac
import re
import struct
from datetime import datetime

import requests
import yaml
from openapi_schema_validator import OAS30Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT4

from understudy import ROOT

DESCRIPTION = ROOT / "Tests/Vectors/hanko/flow-1.2.0.yaml"

#: Where the published description is wrong: what it complains of, as “state place: complaint”, and why the program answers so.
DIFFERENCES = {
    r"\S+ status: \d+ is not one of \[200\]": "a refused action stays in its state, with the status of the refusal",
    "login_init payload: 'request_options' is a required property": "only for devices with conditional mediation",
    r"profile_init actions/password_\w+/inputs/password/type: 'string' is not one of .*": "servers send a string there",
    r"\S+ actions/\w+/inputs/new_password/name: .* \['password'\]": "servers and the SDK call it new_password",
    r"\S+ actions/\w+/inputs/public_key/name: .* \['public-key'\]": "servers and the SDK call it public_key",
    "webauthn_credential_verification actions/.*/action: .*": "it names the assertion where the attestation belongs",
    r"\S+ payload/user/\w+/\d+/transports/\d+: 'hybrid' is not one of .*": "Web Authentication Level 3, section 5.8.4",
    r"\S+ payload/sessions/\d+/ip_address: .* is valid under each of .*": "formats are not looked at",
}

SHAPE = {"name", "status", "csrf_token", "actions", "links"}


class App:
    """What one installation of an app keeps between its flows: a language, a session, cookies, and what its device can do."""

    def __init__(self, world, language=None, passkeys=False, conditional=False):
        self.world = world
        self.language = language
        self.capabilities = {
            "webauthn_available": passkeys, "webauthn_conditional_mediation_available": conditional,
            "webauthn_platform_authenticator_available": passkeys}
        self.token = None
        self.cookies = {}

    @property
    def headers(self):
        """Cookies by hand: those that are Secure would never leave by http, as they do from a browser to its own machine."""
        headers = {"X-Language": self.language} if self.language else {}
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return headers

    def send(self, method, path, **options):
        answer = requests.request(method, self.world.hanko + path, headers=self.headers, timeout=30, **options)
        for cookie in answer.cookies:
            self.cookies[cookie.name] = cookie.value
        for gone in re.findall(r"(?:^|, )([\w-]+)=(?:\"\")?; [^,]*Max-Age=0", answer.headers.get("Set-Cookie", "")):
            self.cookies.pop(gone, None)
        self.token = answer.headers.get("X-Auth-Token", self.token)
        return answer

    @property
    def session(self):
        """The session token, wherever the server put it."""
        return self.token or self.cookies.get("hanko")

    def begin(self, kind):
        """A flow in its first state, before the app said what its device can do."""
        return Flow(self, kind)

    def flow(self, kind):
        """A flow past `preflight`."""
        return Flow(self, kind).run("register_client_capabilities", **self.capabilities)


class Flow:
    """A flow, as the last answer has it."""

    def __init__(self, app, kind):
        self.app = app
        self.kind = kind
        self.path = ["preflight"]
        self.body = {"csrf_token": None}
        self.hear(app.send("POST", "/" + kind))
        assert (self.name, list(self.actions)) == ("preflight", ["register_client_capabilities"]), self.body

    # --- What the answer says

    @property
    def name(self):
        return self.body["name"]

    @property
    def status(self):
        return self.body["status"]

    @property
    def actions(self):
        return self.body["actions"]

    @property
    def payload(self):
        return self.body["payload"]

    @property
    def error(self):
        return self.body.get("error", {}).get("code")

    def input_error(self, action, name):
        return self.actions[action]["inputs"][name].get("error", {}).get("code")

    # --- What an app does

    def run(self, action, **inputs):
        """Takes an action that is offered; the flow, with the next answer."""
        assert action in self.actions, f"{action} is not offered in {self.name}: {sorted(self.actions)} {self.body.get('error')}"
        known = self.actions[action]["inputs"]
        assert set(inputs) <= set(known), f"{action} asks for {sorted(known)}"
        # What the server put into an input goes back with it.
        kept = {name: one["value"] for name, one in known.items() if one.get("value") is not None}
        self.hear(self.post(self.actions[action]["href"], kept | inputs))
        return self

    def post(self, href, inputs, token=None):
        """Sends an action, also what no app would; the flow does not hear the answer."""
        body = {"input_data": inputs, "csrf_token": self.body["csrf_token"] if token is None else token}
        return self.app.send("POST", href, json=body)

    def through(self, *steps):
        """Takes actions one after the other, each a name or a name with inputs; every one must succeed."""
        for step in steps:
            action, inputs = (step, {}) if isinstance(step, str) else step
            self.run(action, **inputs)
            assert self.status == 200, self.body
        return self

    def code(self, address):
        """Types the newest code that was mailed to the address."""
        return self.run("verify_passcode", code=self.app.world.code(address)["code"])

    def done(self):
        """The payload of the success that must have been reached."""
        assert (self.name, self.status, self.actions) == ("success", 200, {}), self.body
        assert datetime.fromisoformat(self.payload["claims"]["expiration"]), self.payload
        assert int(self.answer.headers["X-Session-Lifetime"]) > 0
        assert self.answer.headers["X-Session-Retention"] in ("persistent", "session")
        return self.payload

    # --- What clients rely on in every answer

    def hear(self, answer):
        """Takes an answer as the last one."""
        assert answer.headers["Content-Type"].startswith("application/json"), answer.text
        body = answer.json()
        assert SHAPE <= set(body) <= SHAPE | {"payload", "error"}, body
        assert answer.status_code == body["status"] and body["links"] is None
        assert ("error" in body) == (body["status"] >= 400), body
        for name, action in body["actions"].items():
            assert action["action"] == name and action["description"] and isinstance(action["inputs"], dict), action
            assert re.fullmatch(rf"/{self.kind}\?action={name}%40[0-9a-f-]{{36}}", action["href"]), action
            for key, one in action["inputs"].items():
                assert one["name"] == key and one["type"] in ("string", "boolean", "email", "number", "password", "json"), one
        if body["csrf_token"]:
            assert isinstance(body["payload"], dict), body
            assert re.fullmatch("[0-9A-Za-z]{32}", body["csrf_token"]) and body["csrf_token"] != self.body["csrf_token"]
        else:
            assert body["name"] == "error" and body["actions"] == {} and "payload" not in body, body
        assert undescribed(self.kind, body) == []
        self.answer, self.body = answer, body
        if body["name"] != self.path[-1]:
            self.path.append(body["name"])


@functools.cache
def descriptions(kind):
    """Validators of the kind's states, by name."""
    document = yaml.safe_load(DESCRIPTION.read_text())
    registry = Registry().with_resource("urn:flow", Resource(contents=document, specification=DRAFT4))
    states = document["components"]["schemas"]["States" + kind.capitalize()]["discriminator"]["mapping"]
    return {name: OAS30Validator({"$ref": "urn:flow" + place}, registry=registry) for name, place in states.items()}


def undescribed(kind, body):
    """Where a state is not as the published description has it."""
    if body["name"] == "error":
        return []
    complaints = [
        f"{body['name']} {'/'.join(map(str, error.absolute_path))}: {error.message}"
        for error in descriptions(kind)[body["name"]].iter_errors(body)]
    return [one for one in complaints if not any(re.fullmatch(known, one, re.DOTALL) for known in DIFFERENCES)]


def totp(secret, when):
    """The code that an authenticator app shows at that time (RFC 6238: SHA-1, 30 s, six digits)."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    mac = hmac.digest(key, struct.pack(">Q", int(when) // 30), hashlib.sha1)
    start = mac[-1] & 15
    return f"{(struct.unpack('>I', mac[start:start + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


def now_of(world):
    """The world's time in seconds since 1970."""
    return datetime.fromisoformat(world.get("/clock")["now"]).timestamp()


def another(code):
    """A code that is not this one."""
    return "000000" if code != "000000" else "000001"
