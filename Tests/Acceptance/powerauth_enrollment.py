"""An enrollment server of one's own in front of PowerAuth's management API, as a back end with a RESTful integration runs one.

It holds no keys: what it may open, it opens by what `ecies/decryptor` tells; everything else it hands on.
"""

import hmac
import json
import os
import re
import struct
import time

import requests

from powerauth_arithmetic import ZERO_IV, b64, decrypt, derive_internal, encrypt, mac, normalised, sized, unb64
from powerauth_device import Device

SECRETLESS = "&"


class Answer:
    """What a phone gets, as `requests` would hand it over."""

    def __init__(self, body, status=200):
        self.status_code, self.text = status, json.dumps(body)
        self.headers = {"Content-Type": "application/json"}

    def json(self):
        return json.loads(self.text)


class Refused(Exception):
    def __init__(self, told):
        super().__init__(told)
        self.code, self.told = told["code"], told


class Opened:
    """A request that was opened in front of the server, and what seals its answer."""

    def __init__(self, version, told, request, associated):
        key = unb64(told["secretKey"])
        self.encryption_key, self.mac_key, self.iv_key = key[:16], key[16:32], key[32:]
        self.version, self.base, self.associated = version, unb64(told["sharedInfo2"]), associated
        self.nonce = unb64(request.get("nonce") or "")
        encrypted = unb64(request["encryptedData"])
        ephemeral = unb64(request["ephemeralPublicKey"])
        expected = self._mac(encrypted, self.nonce, request.get("timestamp"), ephemeral)
        assert hmac.compare_digest(b64(expected), request["mac"]), "the decryptor is not that of the request"
        self.plain = json.loads(decrypt(self.encryption_key, self._iv(self.nonce), encrypted))

    def _iv(self, nonce):
        return ZERO_IV if self.version == "3.0" else derive_internal(self.iv_key, nonce)

    def _mac(self, encrypted, nonce, timestamp, ephemeral):
        shared = self.base
        if self.version >= "3.2":
            bound = sized(*(text.encode() for text in [self.version, *self.associated]))
            shared = sized(shared, nonce, struct.pack(">Q", timestamp), ephemeral, bound)
        return mac(self.mac_key, encrypted + shared)

    def seal(self, answer):
        nonce, told = self.nonce, {}
        timestamp = None
        if self.version >= "3.2":
            nonce, timestamp = os.urandom(16), int(time.time() * 1000)
            told = {"nonce": b64(nonce), "timestamp": timestamp}
        encrypted = encrypt(self.encryption_key, self._iv(nonce), json.dumps(answer).encode())
        return {"encryptedData": b64(encrypted), "mac": b64(self._mac(encrypted, nonce, timestamp, None))} | told


def sealed(told):
    """What of an answer of the management API is for the phone."""
    return {name: told[name] for name in ("encryptedData", "mac", "nonce", "timestamp") if told.get(name) is not None}


class Enrollment:
    def __init__(self, world):
        self.base = world + "/powerauth-java-server/rest/v3/"
        self.generates_recovery_codes = True

    def manage(self, path, **members):
        answer = requests.post(self.base + path, json={"requestObject": members}, timeout=30).json()
        if answer["status"] != "OK":
            raise Refused(answer["responseObject"])
        return answer["responseObject"]

    def serve(self, path, body, headers):
        request = json.loads(body)
        named = {name.lower(): dict(re.findall(r'(\w+)="([^"]*)"', value)) for name, value in headers.items()}
        signed = named.get("x-powerauth-authorization")
        about = named.get("x-powerauth-encryption") or signed and {
            "version": signed["pa_version"], "application_key": signed["pa_application_key"],
            "activation_id": signed["pa_activation_id"]}
        try:
            return Answer(self.routes[path](self, request, body, about, signed))
        except Refused as refused:
            more = {name: told for name, told in refused.told.items() if name == "currentRecoveryPukIndex"}
            return Answer({"status": "ERROR", "responseObject": {"code": refused.code, "message": "REFUSED"} | more}, 400)

    def time(self, *_):
        return {"status": "OK", "responseObject": {"serverTime": int(time.time() * 1000)}}

    def tell_status(self, request, *_):
        asked = {name: value for name, value in request["requestObject"].items() if name in ("activationId", "challenge")}
        told = self.manage("activation/status", **asked)
        return {"status": "OK", "responseObject": {
            "activationId": told["activationId"], "encryptedStatusBlob": told["encryptedStatusBlob"],
            "nonce": told.get("encryptedStatusBlobNonce"), "customObject": None}}

    def temporary_key(self, request, *_):
        return {"status": "OK", "responseObject": self.manage("keystore/create", **request["requestObject"])}

    def open(self, request, about, activation=False):
        members = {name: request.get(name) for name in ("temporaryKeyId", "ephemeralPublicKey", "nonce", "timestamp")}
        told = self.manage(
            "ecies/decryptor", applicationKey=about["application_key"], protocolVersion=about["version"],
            activationId=about["activation_id"] if activation else None, **members)
        bound = [about["application_key"]] + ([about["activation_id"]] if activation else [])
        return Opened(about["version"], told, request, bound + [request[name] for name in ["temporaryKeyId"] if request.get(name)])

    def create_activation(self, request, _body, about, _signed):
        outer = self.open(request, about)
        kind, identity = outer.plain["type"], outer.plain["identityAttributes"]
        members = {"applicationKey": about["application_key"], "protocolVersion": about["version"],
                   "generateRecoveryCodes": self.generates_recovery_codes} | outer.plain["activationData"]
        if kind == "CODE":
            told = self.manage("activation/prepare", activationCode=identity["code"], **members)
        elif kind == "RECOVERY":
            told = self.manage(
                "activation/recovery/create", recoveryCode=identity["recoveryCode"], puk=identity["puk"], **members)
        else:
            told = self.manage("activation/create", userId=identity["username"], **members)
        self.status = told["activationStatus"]
        return outer.seal({"activationData": sealed(told)})

    def verify(self, uri_id, body, signed, method="POST"):
        told = self.manage(
            "signature/verify", activationId=signed["pa_activation_id"], applicationKey=signed["pa_application_key"],
            data=self.data(uri_id, body, signed, method), signature=signed["pa_signature"],
            signatureType=signed["pa_signature_type"].upper(), signatureVersion=signed["pa_version"])
        if not told["signatureValid"]:
            raise Refused({"code": "ERR_AUTHENTICATION"})

    def data(self, uri_id, body, signed, method="POST"):
        """What is signed, all but the secret, which is the server's alone."""
        return normalised(method, uri_id, signed["pa_nonce"], body, "").decode().removesuffix(SECRETLESS)

    def validate(self, _request, body, _about, signed):
        self.verify("/pa/signature/validate", body, signed)
        return {"status": "OK"}

    def create_token(self, request, body, about, signed):
        self.verify("/pa/token/create", body, signed)
        return sealed(self.manage("token/create", signatureType=signed["pa_signature_type"].upper(),
                                  **self.enclosed(request, about)))

    def unlock_vault(self, request, body, about, signed):
        members = self.enclosed(request, about)
        members["signatureVersion"] = members.pop("protocolVersion")
        told = self.manage(
            "vault/unlock", signedData=self.data("/pa/vault/unlock", body, signed), signature=signed["pa_signature"],
            signatureType=signed["pa_signature_type"].upper(), **members)
        if not told["signatureValid"]:
            raise Refused({"code": "ERR_AUTHENTICATION"})
        return sealed(told)

    def confirm_recovery(self, request, body, about, signed):
        self.verify("/pa/recovery/confirm", body, signed)
        return sealed(self.manage("recovery/confirm", **self.enclosed(request, about)))

    def user_info(self, request, _body, about, _signed):
        opened = self.open(request, about, activation=True)
        return opened.seal({"sub": "told by the enrollment server", "asked": opened.plain})

    def enclosed(self, request, about):
        return {"applicationKey": about["application_key"], "activationId": about["activation_id"],
                "protocolVersion": about["version"]} | request

    routes = {
        "/pa/v3/status": time, "/pa/v3/activation/status": tell_status, "/pa/v3/keystore/create": temporary_key,
        "/pa/v3/activation/create": create_activation, "/pa/v3/signature/validate": validate,
        "/pa/v3/token/create": create_token, "/pa/v3/vault/unlock": unlock_vault,
        "/pa/v3/recovery/confirm": confirm_recovery, "/pa/v3/user/info": user_info,
    }


class PhoneBehind(Device):
    """A phone whose app is told the address of that enrollment server."""

    def __init__(self, enrollment, configuration, version, **options):
        super().__init__("http://enrollment.invalid", configuration, version, **options)
        self.enrollment = enrollment

    def post(self, path, body=b"{}", headers=(), method="POST"):
        return self.enrollment.serve(path, body, dict(headers))
