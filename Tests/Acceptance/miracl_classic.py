"""Phones with the classic M-Pin SDK, the open one of Apache Milagro.

Source: the M-Pin SDK core in C++ and its recorded exchanges.
"""

import re
from urllib.parse import urlencode

from miracl_channel import TOKEN
from miracl_device import ACTIVATED, STARTED, Device
from mpin import add, hex_of, point_of, times


class ClassicDevice(Device):
    """The prefix of its settings is a parameter of the SDK; `client_id` names an OpenID Connect client."""

    content_type = "application/json; charset=UTF-8"

    def __init__(self, base, client_id=None, prefix="rps", **options):
        headers = {"Accept": "text/plain"}
        if client_id:
            headers["X-MIRACL-Client-ID"] = client_id
        super().__init__(base, **options, **headers)
        self.prefix = prefix
        self.permit = None

    def address(self, url):
        return self.base + url if url.startswith("/") else super().address(url)

    def set_backend(self):
        """A missing `usePermits` is a true one."""
        self.settings = self.get(f"{self.base}/{self.prefix}/clientSettings")
        self.uses_permits = self.settings.get("usePermits", True)
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

    # Registration.

    def start_registration(self, user_data=""):
        order = {"mobile": 1, "userId": self.user, "deviceName": self.name, "userData": user_data}
        self.mpin_id = None
        return self._register(self.settings["registerURL"], order)

    def restart_registration(self):
        """Asks for another mail."""
        before = self.mpin_id
        order = {"mobile": 1, "userId": self.user, "regOTT": self.registration_token}
        told = self._register(f"{self.settings['registerURL']}/{self.mpin_id}", order)
        assert self.mpin_id == before, told
        return told

    def _register(self, url, order):
        told = self.put(url, order)
        assert TOKEN.fullmatch(told["regOTT"]), told
        assert re.fullmatch("([0-9a-f]{2})+", told["mpinId"]), told
        self.mpin_id, self.registration_token = told["mpinId"], told["regOTT"]
        self.state = ACTIVATED if told["active"] else STARTED
        return told

    def confirm_registration(self):
        """Fetches both shares, the second from the other authority."""
        first = self.get(f"{self.settings['signatureURL']}/{self.mpin_id}?" + urlencode({"regOTT": self.registration_token}))
        second = self.get(self.settings["certivoxURL"] + "clientSecret?" + first["params"])
        self.shares, self.dtas = [], first.get("dtas", "")
        self.keep_share(first["clientSecretShare"])
        self.keep_share(second["clientSecret"])
        return first

    # Time permits.

    def start_authentication(self):
        """Fetches the time permit of the day, if there are any."""
        if not self.uses_permits:
            return None
        told = self.get(f"{self.settings['timePermitsURL']}/{self.mpin_id}")
        self.day = told["date"]
        share = self.stored_permit(told) or self.permit_of_the_authority(told)
        self.permit = add(point_of(told["timePermit"]), point_of(share))
        return told

    def stored_permit(self, told):
        path = "/".join(map(str, (self.settings["appID"], told["date"], told["storageId"])))
        answer = self.send("GET", self.settings["timePermitsStorageURL"] + "/" + path)
        return answer.text if answer.status_code == 200 else None

    def permit_of_the_authority(self, told):
        query = {"hash_mpin_id": told["storageId"], "app_id": self.settings["appID"], "mobile": 1, "signature": told["signature"]}
        return self.get(self.settings["certivoxURL"] + "timePermit?" + urlencode(query))["timePermit"]

    # Proofs.

    def permit_for(self, identity):
        return self.permit

    def first_message(self, identity, x, u, scope):
        permitted = hex_of(times(x, identity.permitted(self.day))) if self.permit else ""
        return {"mpin_id": identity.mpin_id, "U": hex_of(u), "UT": permitted, "pass": 1}

    def second_message(self, identity, v, wid):
        return {"mpin_id": identity.mpin_id, "V": hex_of(v), "WID": wid or "0", "pass": 2, "OTP": self.wants_otp}

    wants_otp = False

    def last_message(self, token):
        """The answer of the second pass goes back in a wrapper."""
        return {"mpinResponse": self.second_answer | {"authOTT": token}}
