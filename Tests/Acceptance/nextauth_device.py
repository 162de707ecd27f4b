"""An installation of an app that speaks the open device protocol of nextAuth: requests, keys and proofs, nothing that a user
sees.

It knows the protocol from its description alone. Keys and signatures are those of cryptography, PBKDF2 and HMAC are Python's own.
"""

import base64
import hashlib
import hmac
import json

import requests
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from websockets.sync.client import connect

PIN = "13524"


class Refused(Exception):
    """An error of the device protocol."""

    def __init__(self, answer):
        body = answer.json()
        assert set(body) == {"code", "number", "message"}, body
        self.status, self.code, self.number = answer.status_code, body["code"], body["number"]
        super().__init__(f"{self.status} {self.code} {self.number}: {body['message']}")


def b64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64url(text):
    assert "=" not in text, text
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Key:
    """A pair of P-256, as an app makes one for each account, and one for biometrics."""

    def __init__(self, raw=False):
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.raw = raw

    @property
    def public(self):
        return b64url(self.private.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo))

    def sign(self, text):
        """ECDSA with SHA-256: DER, or r and s where `raw` is set."""
        der = self.private.sign(text.encode(), ec.ECDSA(hashes.SHA256()))
        if not self.raw:
            return b64url(der)
        r, s = utils.decode_dss_signature(der)
        return b64url(r.to_bytes(32, "big") + s.to_bytes(32, "big"))


def signed_text(identifier, kind, challenge, subject="", approve=""):
    return "".join(f"{line}\n" for line in ("understudy-nextauth-1", identifier, kind, challenge, subject, approve))


class Device:
    """`base` is the address of nextAuth in a world. `raw` signs with r and s in the place of DER."""

    def __init__(self, base, platform="android", raw=False, **told):
        self.base, self.raw = base + "/device/v1", raw
        self.http = requests.Session()
        self.http.trust_env = False
        made = self.call("POST", "/instances", {"platform": platform, "clientVersion": "1.0"} | told)
        assert made["secondfactor"]["pin"] == "UNSET"
        self.id, self.token, self.time = made["instanceid"], made["token"], made["time"]
        self.http.headers["Authorization"] = "Device " + self.token
        self.keys, self.biometry = {}, Key(raw)

    def call(self, method, path, body=None, timeout=30, **query):
        """The JSON of the answer, or None where there is none; a refusal is raised."""
        answer = self.http.request(method, self.base + path, json=body, params=query, timeout=timeout)
        if answer.status_code >= 400:
            raise Refused(answer)
        return answer.json() if answer.content else None

    # Proofs.

    def pin_key(self, pin):
        return hashlib.pbkdf2_hmac("sha256", pin.encode(), unb64url(self.id), 10_000, 32)

    def pin_proof(self, pin, challenge):
        return b64url(hmac.digest(self.pin_key(pin), unb64url(challenge), "sha256"))

    def signature(self, flow, account, **more):
        """The account's own, over the flow."""
        return self.keys[account].sign(signed_text(flow["flowid"], flow["type"], flow["challenge"], str(account), **more))

    # Flows.

    def start(self, kind, **more):
        return self.call("POST", "/flows", {"type": kind} | more)

    def step(self, flow, name, **body):
        return self.call("POST", f"/flows/{flow['flowid']}/{name}", body)

    def flow(self, flow):
        return self.call("GET", f"/flows/{flow['flowid']}")

    def confirm_enrolment(self, flow, description="Test phone", **more):
        """Makes the account's key; it is kept by `keep`, once the account has an id."""
        self.new_key = Key(self.raw)
        text = signed_text(flow["flowid"], "ENROL", flow["challenge"], self.new_key.public)
        return self.step(flow, "confirm", publickey=self.new_key.public, description=description,
                         signature=self.new_key.sign(text), **more)

    def keep(self, flow):
        """The account that an enrolment made."""
        self.keys[flow["account"]["accountid"]] = self.new_key
        return flow["account"]["accountid"]

    def confirm_login(self, flow, account, **more):
        return self.step(flow, "confirm", accountid=account, signature=self.signature(flow, account), **more)

    def decide(self, flow, account, approve):
        signature = self.signature(flow, account, approve="1" if approve else "0")
        return self.step(flow, "confirm", approve=approve, signature=signature)

    def set_pin(self, flow, pin, biometric=False):
        more = {"biometrickey": self.biometry.public} if biometric else {}
        return self.step(flow, "secondfactor", pinkey=b64url(self.pin_key(pin)), **more)

    def prove_pin(self, flow, pin, account=None):
        """`account` signs too, where nothing was signed before."""
        more = {"signature": self.signature(flow, account)} if account else {}
        return self.step(flow, "secondfactor", pinproof=self.pin_proof(pin, flow["challenge"]), **more)

    def prove_biometry(self, flow, account):
        """A biometric key signs the same text as the account's."""
        approve = "1" if flow["type"] == "TRANSACTION" else ""
        subject = self.new_key.public if flow["type"] == "ENROL" else str(account)
        text = signed_text(flow["flowid"], flow["type"], flow["challenge"], subject, approve)
        more = {"signature": self.keys[account].sign(text)} if flow["type"] in ("APPLOGIN", "LOGIN") else {}
        return self.step(flow, "secondfactor", biometricsignature=self.biometry.sign(text), **more)

    # Outside of flows.

    def challenge(self):
        return self.call("POST", "/instance/challenge")["challenge"]

    def change_pin(self, old, new):
        """`old` is None where biometrics stand in for it."""
        challenge = self.challenge()
        proof = {"oldproof": self.pin_proof(old, challenge)} if old else {
            "biometricsignature": self.biometry.sign(signed_text(self.id, "CHANGE_PIN", challenge))}
        return self.call("POST", "/instance/pin", proof | {"pinkey": b64url(self.pin_key(new)), "challenge": challenge})

    def delete_account(self, account):
        text = signed_text(self.id, "DELETE_ACCOUNT", self.challenge(), str(account))
        self.call("DELETE", f"/accounts/{account}", {"signature": self.keys[account].sign(text)})

    def ping(self, session, activity=None):
        return self.call("POST", f"/sessions/{session}/ping", {} if activity is None else {"activity": int(activity)})

    def stop(self, session, reason="USER"):
        self.call("POST", f"/sessions/{session}/stop", {"reason": reason})

    def events(self, since=0, wait=0):
        return self.call("GET", "/events", since=since, wait=wait, timeout=wait + 30)

    def socket(self, since=0):
        """The same events by WebSocket; each frame is what `events` answers."""
        address = self.base.replace("http", "ws", 1) + f"/events?since={since}"
        return connect(address, subprotocols=["device", self.token], proxy=None)

    def messages(self):
        return self.call("GET", "/messages")

    @property
    def factor(self):
        return self.call("GET", "/instance")["secondfactor"]


def received(socket, seconds=10):
    """What the next frame says."""
    return json.loads(socket.recv(timeout=seconds))
