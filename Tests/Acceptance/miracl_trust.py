"""Clients of MIRACL Trust: fixed addresses, a key pair for every identity, errors by code.

Source: client-js 7 and 8; MIRACL's Trust SDKs for Android and iOS with their integration tests.
"""

import json
from base64 import b64encode
from urllib.parse import parse_qs, urlencode, urlsplit

import mpin_pairing
from miracl_device import PIN, Device
from mpin import CURVE, hex_of


class TrustDevice(Device):
    """The newest: client-js 8, and the SDK for Android."""

    def __init__(self, base, project, **options):
        super().__init__(base, **options, **{"X-MIRACL-CLIENT": "JS Client/8.8.0"})
        self.project = project
        self.pin_length = 4

    @property
    def pass1_url(self):
        return self.base + "/rps/v2/pass1"

    @property
    def pass2_url(self):
        return self.base + "/rps/v2/pass2"

    @property
    def authenticate_url(self):
        return self.base + "/rps/v2/authenticate"

    # Verification.

    def ask_for_mail(self, **members):
        order = {"userId": self.user, "projectId": self.project, "deviceName": self.name} | members
        told = self.post(self.base + "/verification/email", order)
        assert type(told["backoff"]) is int, told
        return told

    def confirm(self, link, **members):
        """Takes the link apart as a browser does, to which a plus sign is a space; the activation token."""
        query = parse_qs(urlsplit(link).query)
        return self.confirm_code(query["code"][0], query["user_id"][0], **members)

    def confirm_code(self, code, user=None, **members):
        told = self.post(self.base + "/verification/confirmation", {"userId": user or self.user, "code": code} | members)
        assert told["projectId"] == self.project, "project mismatch"
        assert "accessId" in told and type(told["expireTime"]) is int, told
        self.confirmation = told
        return told["actToken"]

    # Registration.

    def register(self, activation_token, pin=PIN, **members):
        self.secret, self.public_key = mpin_pairing.new_key_pair()
        order = {"userId": self.user, "deviceName": self.name, "activationToken": activation_token,
                 "publicKey": self.public_key} | members
        told = self.post(self.base + "/registration", order)
        assert told["projectId"] == self.project and told["curve"] == CURVE, told
        self.mpin_id, self.dtas, self.shares = told["mpinId"], told["dtas"], []
        first, second = told["secretUrls"]
        for url in (first, second):
            self.keep_share(self.get(url)["dvsClientSecret"])
        self.choose_pin(pin)
        return told

    # Sessions.

    def tell_status(self, status, access_id, **members):
        return self.post(self.base + "/rps/v2/codeStatus", {"status": status, "wid": access_id} | members)

    def session_details(self, access_id):
        """All that the SDK for Android cannot do without."""
        told = self.tell_status("wid", access_id)
        texts = {"prerollId", "projectId", "projectName", "projectLogoURL", "verificationMethod", "verificationURL",
                 "verificationCustomText", "identityType", "identityTypeLabel", "description", "hash"}
        assert {name for name in texts if type(told.get(name)) is not str} == set(), told
        assert type(told["pinLength"]) is int and type(told["enableRegistrationCode"]) is bool, told
        assert type(told["limitRegCodeVerified"]) is bool, told
        assert told["verificationMethod"] in ("standardEmail", "fullCustom"), told
        return told

    def choose_user(self, access_id):
        return self.tell_status("user", access_id, userId=self.user)

    def abort(self, access_id):
        return self.tell_status("abort", access_id)

    # Proofs.

    def first_message(self, identity, x, u, scope):
        return {"mpin_id": identity.mpin_id, "dtas": self.dtas, "U": hex_of(u), "publicKey": identity.public_key,
                "scope": list(scope)}

    def second_message(self, identity, v, wid):
        return {"mpin_id": identity.mpin_id, "V": hex_of(v)} | ({"WID": wid} if wid else {})

    def last_message(self, token):
        return {"authOTT": token, "wam": "dvs"}

    def authenticate(self, token, **members):
        """The SDK for Android needs both of these, whatever else is told."""
        told = super().authenticate(token, **members)
        assert told["status"] == 200 and told["message"] == "OK", told
        return told

    def jwt(self, pin=PIN, wid=None):
        return self.log_in(pin, ["jwt"], wid)["jwt"]

    def log_in_renewing(self, pin=PIN, scope=("jwt",)):
        """Logs in; where the server wants the identity renewed, it is made anew with the same PIN first."""
        told = self.log_in(pin, scope)
        if asked := told.get("dvsRegister"):
            assert asked["curve"] == CURVE, asked
            self.renew(asked["token"], pin)
            told = self.log_in(pin, scope)
            assert not told.get("dvsRegister"), "renewed twice"
        return told

    def renew(self, token, pin):
        self.register(token, pin)

    # Codes for other devices.

    def quick_code(self, pin=PIN):
        token = self.log_in(pin, ["reg-code"])["jwt"]
        return self.quick_code_for(token)

    def quick_code_for(self, token):
        order = {"projectId": self.project, "jwt": token, "deviceName": self.name}
        return self.post(self.base + "/verification/quickcode", order)

    # Signatures.

    def sign_document(self, document_hash, timestamp=None, pin=PIN):
        self.log_in(pin, ["dvs-auth"])
        return self.sign(document_hash, timestamp, pin)

    def sign_session(self, access_id, pin=PIN):
        """Signs what a back end wants signed; the text that goes there."""
        details = self.session_details(access_id)
        signature = self.sign_document(details["hash"], pin=pin)
        text = b64encode(json.dumps(signature).encode()).decode()
        self.tell_status("signed", access_id, signature=text)
        return text


class OlderTrustDevice(TrustDevice):
    """client-js 7, and the SDK for iOS of 2025: Trust over the addresses of MFA, with no word on what the body is."""

    content_type = None

    def register(self, activation_token, pin=PIN, **members):
        order = {"userId": self.user, "deviceName": self.name, "mobile": 0, "activateCode": activation_token} | members
        told = self.put(self.base + "/rps/v2/user", order)
        assert told["projectId"] == self.project, "project mismatch"
        self.mpin_id = told["mpinId"]
        self.secret, self.public_key = mpin_pairing.new_key_pair()
        query = urlencode({"regOTT": told["regOTT"], "publicKey": self.public_key})
        self._fetch_shares(self.get(f"{self.base}/rps/v2/signature/{self.mpin_id}?{query}"))
        self.choose_pin(pin)
        return told

    def _fetch_shares(self, first):
        assert first["curve"] == CURVE, first
        self.dtas, self.shares = first["dtas"], []
        self.keep_share(first["dvsClientSecretShare"])
        self.keep_share(self.get(first["cs2url"])["dvsClientSecret"])

    def first_message(self, identity, x, u, scope):
        return super().first_message(identity, x, u, scope) | {"UT": "", "pass": 1}

    def second_message(self, identity, v, wid):
        return {"mpin_id": identity.mpin_id, "V": hex_of(v), "WID": wid or "", "pass": 2, "OTP": False}

    def renew(self, token, pin):
        """Keeps the M-Pin id, with a new key pair."""
        before = self.mpin_id
        self.secret, self.public_key = mpin_pairing.new_key_pair()
        order = {"publicKey": self.public_key, "deviceName": self.name, "dvsRegisterToken": token}
        told = self.post(self.base + "/rps/v2/dvsregister", order)
        assert told["mpinId"] == before, told
        self._fetch_shares(told)
        self.choose_pin(pin)
