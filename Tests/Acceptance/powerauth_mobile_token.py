"""The Mobile Token side of an app: operations that wait for the user's word, the inbox, push, and QR codes without a network."""

import datetime
import re

from powerauth_answers import checked, unwrapped
from powerauth_arithmetic import decimal_code, normalised, unb64, verifies
from powerauth_device import PIN

#: No fraction and no colon: iOS reads nothing else, Android repairs only a positive offset.
DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000")


def moment(text):
    """A date of the interface, as seconds since the epoch."""
    assert DATE.fullmatch(text), text
    return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S%z").timestamp()


class OfflineOperation:
    """A QR code of the kind that needs no network, read and its signature checked as the SDK does."""

    def __init__(self, device, text):
        lines = text.split("\n")
        assert len(lines) in (7, 8), text
        self.id, self.title, self.message, self.data, self.flags = lines[:5]
        self.otp = lines[5] if len(lines) == 8 else None
        self.nonce, signature = lines[-2], lines[-1]
        assert len(unb64(self.nonce)) == 16, text
        key = {"0": device.application.master_public_key, "1": device.server_public_key}[signature[0]]
        covered = text[:len(text) - len(signature) + 1]
        assert verifies(key, unb64(signature[1:]), covered.encode()), text
        self.title, self.message = (
            re.sub(r"\\(.)", lambda escape: "\n" if escape[1] == "n" else escape[1], part) for part in (self.title, self.message))


class MobileToken:
    """`device` is an active one. Its token is made when it is needed first."""

    def __init__(self, device):
        self.device = device
        self._token = None

    @property
    def token(self):
        if not self._token:
            self._token = self.device.create_token("possession")
        return self._token

    def by_token(self, path, request=None):
        body = self.device.write({} if request is None else {"requestObject": request})
        return self.device.post("/api" + path, body, self.device.token_header(self.token))

    def by_code(self, path, uri_id, request, factors, pin):
        body = self.device.write({} if request is None else {"requestObject": request})
        return self.device.signed("/api" + path, uri_id, body, factors, pin)

    # Operations.

    def _operations(self, path, request=None):
        body = checked(self.by_token("/auth/token/app/operation" + path, request))
        assert body["status"] == "OK" and moment(body["currentTimestamp"]), body
        return body["responseObject"]

    def operations(self):
        return self._operations("/list")

    def ids(self):
        return [operation["id"] for operation in self.operations()]

    def operation(self, identifier):
        return self._operations("/detail", {"id": identifier})

    def claim(self, identifier):
        return self._operations("/detail/claim", {"id": identifier})

    def history(self, pin=PIN, factors="possession_knowledge"):
        answer = self.by_code("/auth/token/app/operation/history", "/operation/history", None, factors, pin)
        assert "currentTimestamp" not in answer.json(), answer.text
        return unwrapped(answer)

    def authorize(self, operation, pin=PIN, factors="possession_knowledge", **more):
        """Approves an operation as it was shown: `operation` is the object from a list or detail."""
        request = {"id": operation["id"], "data": operation["data"]} | more
        answer = self.by_code("/auth/token/app/operation/authorize", "/operation/authorize", request, factors, pin)
        assert unwrapped(answer) is None, answer.text

    def reject(self, identifier, reason="UNEXPECTED_OPERATION"):
        answer = self.by_code("/auth/token/app/operation/cancel", "/operation/cancel",
                              {"id": identifier, "reason": reason}, "possession", None)
        assert unwrapped(answer) is None, answer.text

    # Without a network.

    def scan(self, text):
        return OfflineOperation(self.device, text)

    def offline_code(self, scanned, pin=PIN, factors="possession_knowledge"):
        """What the phone shows for the user to type."""
        body = "&".join([scanned.id, scanned.data] + ([scanned.otp] if scanned.otp else [])).encode()
        data = normalised("POST", "/operation/authorize/offline", scanned.nonce, body, "offline")
        code = decimal_code(self.device.factor_keys(factors, pin), self.device.counter, data)
        self.device.step()
        return code

    # Push and inbox.

    def register_push(self, path="/push/device/register/token", **request):
        assert unwrapped(self.by_token(path, request)) is None

    def unread(self):
        return unwrapped(self.by_token("/inbox/count"))["countUnread"]

    def messages(self, page=0, size=100, unread=False):
        request = {"page": page, "size": size, "onlyUnread": unread}
        body = checked(self.by_token("/inbox/message/list", request))
        assert (body["status"], body["page"], body["size"]) == ("OK", page, size), body
        return body["responseObject"]

    def message(self, identifier):
        return unwrapped(self.by_token("/inbox/message/detail", {"id": identifier}))

    def read(self, identifier):
        assert unwrapped(self.by_token("/inbox/message/read", {"id": identifier})) is None

    def read_all(self):
        assert unwrapped(self.by_token("/inbox/message/read-all")) is None
