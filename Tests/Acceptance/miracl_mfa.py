"""Clients of MIRACL MFA: the native mobile SDK, and the libraries for JavaScript that speak the same protocol.

Source: MIRACL's wrappers of the mobile SDK with their sequence diagrams, the open core that it descends from; client-js 4 to 6.
"""

import re
from urllib.parse import urlencode, urlsplit

import mpin_pairing
from miracl_channel import TOKEN
from miracl_device import ACTIVATED, STARTED, Device
from mpin import CURVE, Identity


def access_code_of(told):
    """The access code of a session: some clients read a member, others cut it off the QR code's address."""
    code = urlsplit(told["qrURL"]).fragment
    assert TOKEN.fullmatch(code) and code == told["accessId"] and TOKEN.fullmatch(told["webOTT"]), told
    assert told["accessURL"].startswith("http"), told
    return code


class MFADevice(Device):
    """The native SDK, as the sample app drives it."""

    content_type = "application/json; charset=UTF-8"

    def __init__(self, base, project, **options):
        headers = {"Accept": "text/plain", "X-MIRACL-CID": project}
        super().__init__(base, **options, **headers)
        self.project = project
        self.signing = None

    def set_backend(self):
        self.settings = self.get(self.base + "/rps/v2/clientSettings")
        return self.settings

    @property
    def pass1_url(self):
        return self.settings["mpinAuthServerURL"] + "/pass1"

    @property
    def pass2_url(self):
        return self.settings["mpinAuthServerURL"] + "/pass2"

    @property
    def authenticate_url(self):
        return self.settings["authenticateURL"]

    # Access codes.

    def access_code(self, authorize_url):
        self.session_told = self.post(authorize_url)
        return access_code_of(self.session_told)

    def tell_status(self, status, code, **members):
        return self.post(self.settings["codeStatusURL"], {"status": status, "wid": code} | members)

    def session_details(self, code):
        return self.tell_status("wid", code)

    def abort(self, code):
        return self.tell_status("abort", code)

    def start_authentication(self, code):
        told = self.tell_status("user", code, userId=self.user)
        assert all(type(value) is str for value in told.values()), told
        return told

    # Registration.

    def start_registration(self, wid=None, **members):
        order = {"mobile": 1, "userId": self.user, "deviceName": self.name} | members
        if wid:
            order["wid"] = wid
        told = self.put(self.settings["registerURL"], order)
        assert TOKEN.fullmatch(told["regOTT"]), told
        assert re.fullmatch("([0-9a-f]{2})+", told["mpinId"]), told
        assert type(told["active"]) is bool, told
        self.mpin_id, self.registration_token = told["mpinId"], told["regOTT"]
        self.state = ACTIVATED if told["active"] else STARTED
        return told

    def confirm_registration(self, **query):
        """Fetches both shares; refused with 401 until the user has confirmed."""
        query = {"regOTT": self.registration_token} | query
        first = self.get(f"{self.settings['signatureURL']}/{self.mpin_id}?" + urlencode(query))
        assert first["curve"] == CURVE and first["dtas"], first
        second = self.get(first["cs2url"])
        self.shares, self.dtas = [], first["dtas"]
        self.keep_share(first["clientSecretShare"])
        self.keep_share(second["clientSecret"])
        return first, second

    # One-time tokens.

    def code_for(self, wid, pin="1234", **members):
        """Logs in; the authorization code for the app's back end."""
        return self.log_in(pin, ["authcode"], wid, **members)["code"]

    # Signatures.

    def register_signing(self, pin="5678", login_pin="1234"):
        """An identity of its own for signatures, with a key pair."""
        told = self.log_in(login_pin, ["dvs-reg"])["dvsRegister"]
        assert told["curve"] == CURVE, told
        secret, public_key = mpin_pairing.new_key_pair()
        first = self.register_key(public_key, told["token"])
        second = self.get(first["cs2url"])
        shares = [first["dvsClientSecretShare"], second["dvsClientSecret"]]
        assert first["curve"] == CURVE and first["mpinId"] != self.mpin_id, first
        self.dtas = first["dtas"]
        self.signing = Identity(first["mpinId"], shares, pin, secret, public_key)
        return told["token"]

    def register_key(self, public_key, token):
        order = {"publicKey": public_key, "deviceName": self.name, "dvsRegisterToken": token}
        return self.post(self.settings["dvsRegURL"], order)

    def sign_document(self, document_hash, timestamp=None, pin="5678"):
        """Proves itself first, so that a wrong PIN is counted, and signs."""
        self.log_in(pin, ["dvs-auth"], identity=self.signing)
        return self.sign(document_hash, timestamp, pin, self.signing)


class WebDevice(MFADevice):
    """client-js 6: other names for some addresses, and the project in every one."""

    content_type = "application/json"

    def set_backend(self):
        self.settings = self.get(f"{self.base}/rps/v2/clientSettings")
        assert len(bytes.fromhex(self.settings["seedValue"])) >= 32, self.settings["seedValue"]
        return self.settings

    def address(self, url):
        joined = "&" if "?" in url else "?"
        return f"{super().address(url)}{joined}project_id={self.project}"

    @property
    def pass1_url(self):
        return self.settings["pass1URL"]

    @property
    def pass2_url(self):
        return self.settings["pass2URL"]

    def renew(self, told):
        """What `authenticate` answered in place of a login: a new share of a new secret; the PIN stays."""
        assert told["curve"] == CURVE, told
        second = self.get(told["cs2url"])
        self.shares, self.dtas = [], told["dtas"]
        self.keep_share(told["clientSecretShare"])
        self.keep_share(second["clientSecret"])
