"""A phone or browser with an identity of MIRACL's: what all three generations of clients do alike."""

import re
import time

import mpin
from miracl_channel import TOKEN, Channel, Refused, checked
from mpin import Identity, hex_of, point_of

PIN, WRONG = "1234", "4321"
#: States of a user in the SDK.
STARTED, ACTIVATED, REGISTERED, BLOCKED = "STARTED_REGISTRATION", "ACTIVATED", "REGISTERED", "BLOCKED"


class Device(Channel):
    """Keeps what a client keeps. A generation says at which addresses it finds the server and how it writes its messages.

    `identity` is what a PIN has been chosen for; `mpin_id` and `shares` are there before that.
    """

    def __init__(self, base, user="ada@example.com", name="Test phone", **headers):
        super().__init__(base, **headers)
        self.user, self.name = user, name
        self.mpin_id, self.shares, self.dtas, self.identity, self.state = None, [], "", None, None
        self.secret, self.public_key = 1, ""

    def keep_share(self, text):
        point_of(text)
        self.shares.append(text)

    def choose_pin(self, pin=PIN):
        """Ends the registration; nobody hears of it."""
        assert len(self.shares) == 2, self.shares
        self.identity = Identity(self.mpin_id, self.shares, pin, self.secret, self.public_key)
        self.state = REGISTERED

    # A proof, step by step.

    def commit(self, scope=(), identity=None, **changes):
        """The first pass: the number drawn here, and the server's. `changes` are to members of the message."""
        identity = identity or self.identity
        x, u = identity.commit()
        told = self.post(self.pass1_url, self.first_message(identity, x, u, scope) | changes)
        assert re.fullmatch("[0-9a-f]{64}", told["y"]) and told["pass"] == 1, told
        assert 0 < int(told["y"], 16) < mpin.R, told
        return x, int(told["y"], 16)

    def answer(self, x, y, pin=PIN, wid=None, identity=None, **changes):
        """The second pass: the one-time token for its verdict, which the server keeps to itself."""
        identity = identity or self.identity
        v = identity.answer(x, y, pin, self.permit_for(identity))
        told = self.post(self.pass2_url, self.second_message(identity, v, wid) | changes)
        assert TOKEN.fullmatch(told["authOTT"]) and told["pass"] == 2, told
        self.second_answer = told
        return told["authOTT"]

    def prove(self, pin=PIN, scope=(), wid=None, identity=None):
        return self.answer(*self.commit(scope, identity), pin, wid, identity)

    def authenticate(self, token, **members):
        """Has the verdict told; blocked as the SDK is, it forgets its token."""
        answer = self.send("POST", self.authenticate_url, self.last_message(token) | members)
        if answer.status_code == 410:
            self.state = BLOCKED
        return checked(answer)

    def log_in(self, pin=PIN, scope=(), wid=None, identity=None, **members):
        """All three; the body of the last answer."""
        return self.authenticate(self.prove(pin, scope, wid, identity), **members)

    def status_of(self, pin, **options):
        """The HTTP status by which the last answer tells right from wrong."""
        try:
            self.log_in(pin, **options)
        except Refused as refused:
            return refused.status
        return 200

    # What a generation may have otherwise.

    def permit_for(self, identity):
        """The time permit of the day; `None` where there is none."""
        return None

    def first_message(self, identity, x, u, scope):
        return {"mpin_id": identity.mpin_id, "U": hex_of(u), "UT": "", "dtas": self.dtas, "publicKey": identity.public_key,
                "scope": list(scope), "pass": 1}

    def second_message(self, identity, v, wid):
        return {"mpin_id": identity.mpin_id, "V": hex_of(v), "WID": wid or "0", "pass": 2, "OTP": False}

    def last_message(self, token):
        return {"authOTT": token}

    # Signatures.

    def sign(self, document_hash, timestamp=None, pin=PIN, identity=None):
        """A signature as it goes to who wants it; `timestamp` is the server's business too."""
        identity = identity or self.identity
        timestamp = int(time.time()) if timestamp is None else timestamp
        u, v = identity.sign(bytes.fromhex(document_hash), timestamp, pin)
        return {"hash": document_hash, "mpinId": identity.mpin_id, "u": hex_of(u), "v": hex_of(v),
                "publicKey": identity.public_key, "dtas": self.dtas, "timestamp": timestamp}
