"""nextAuth's Mobile SDK as an app sees it: callbacks in the order of the quick start “AppLogin”, sessions, AppLogin; and an app
on top of it.

What the vendor calls by a callback is a line of the trace here, such as `SecondFactor VERIFY` or `SessionStop USER`.
"""

import base64
import urllib.parse

from nextauth_device import PIN, Refused

FLOWS = {"E": "ENROL", "L": "LOGIN", "S": "TRANSACTION"}
CALLBACKS = {"ENROL": "ConfirmEnrol", "LOGIN": "ConfirmLogin", "TRANSACTION": "ConfirmTransaction"}


class User:
    """Who holds the phone. `pins` are typed one after the other, the last of them from then on; None cancels."""

    def __init__(self, *pins, confirms=True, biometric=False, account=0):
        self.pins = list(pins or [PIN])
        self.confirms, self.biometric, self.account = confirms, biometric, account

    def type(self):
        return self.pins.pop(0) if len(self.pins) > 1 else self.pins[0]


class AppLogin:
    """A local copy of the session, dropped as soon as its end is known."""

    def __init__(self, sdk):
        self.sdk, self.session = sdk, None

    def start(self, server=None):
        self.sdk.activity = self.sdk.now()
        return self.sdk.run("APPLOGIN", **({"serverid": server} if server else {}))

    def stop(self, reason="USER"):
        self.sdk.stop(self.session["sessionid"], reason)

    @property
    def is_logged_in(self):
        return self.session is not None

    @property
    def web_nonce(self):
        return self.session and self.session["webnonce"]

    @property
    def user_name(self):
        return self.session and self.session["username"]


class SDK:
    """`now` is the phone's clock. `config` goes with each flow; the time-outs in it are measured here, too."""

    def __init__(self, device, now, user=None, headless=False, **config):
        self.device, self.now, self.user, self.headless, self.config = device, now, user or User(), headless, config
        self.app_login = AppLogin(self)
        self.trace, self.sessions, self.pings, self.accounts, self.handled = [], {}, {}, {}, set()
        self.last_event, self.activity, self.shown = 0, now(), None
        self.listener = lambda callback: None

    def call_back(self, *words):
        self.trace.append(" ".join(words))
        self.listener(words[0])

    def take(self):
        """The callbacks since the last time."""
        taken, self.trace = self.trace, []
        return taken

    # Flows.

    def start_session(self, data):
        """From a QR code's bytes, or from a link."""
        self.activity = self.now()
        if isinstance(data, str):
            encoded = data.partition(":")[2]
            data = base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))
        return self.run(FLOWS[data.decode().split(";")[1]], data=data.decode())

    def run(self, kind, **more):
        """A flow from its start to its end; its last object."""
        try:
            flow = self.device.start(kind, config=self.config, **more)
            asked = confirmed = False
            while flow["state"] == "WAIT_FOR_INPUT":
                step = (flow["interaction"] or {}).get("type")
                if step in ("CONFIRM", "CONFIRM_TRANSACTION"):
                    flow, confirmed = self.confirm(flow), True
                elif step is None:
                    server = flow["server"]["serverid"]
                    [account] = [one["accountid"] for one in self.accounts.values() if one["serverid"] == server]
                    flow = self.device.step(flow, "complete", signature=self.device.signature(flow, account))
                else:
                    flow, asked = self.second_factor(flow, asked, confirmed), True
        except Refused as refusal:
            self.call_back("UserErrorMessage", str(refusal.number))
            raise
        if flow["state"] == "DONE" and flow["session"]:
            self.begin(flow)
        return flow

    def confirm(self, flow):
        interaction, device = flow["interaction"], self.device
        self.shown = interaction
        self.call_back(CALLBACKS[flow["type"]])
        if flow["type"] == "TRANSACTION":
            return device.decide(flow, interaction["accounts"][0]["accountid"], self.user.confirms)
        if not self.user.confirms:
            return device.step(flow, "cancel")
        if flow["type"] == "ENROL":
            return device.confirm_enrolment(flow, headless=self.headless)
        return device.confirm_login(flow, interaction["accounts"][self.user.account]["accountid"])

    def second_factor(self, flow, asked, confirmed):
        interaction, device = flow["interaction"], self.device
        if not asked:
            self.call_back("SecondFactor", interaction["context"])
        pin, account = self.user.type(), next((one["accountid"] for one in interaction["accounts"]), None)
        if pin is None:
            flow = device.step(flow, "cancel")
        elif interaction["type"] == "SET_SECOND_FACTOR":
            flow = device.set_pin(flow, pin, self.user.biometric)
        elif self.user.biometric:
            assert "BIOMETRIC" in interaction["allowed"]
            flow = device.prove_biometry(flow, account)
        else:
            assert "PIN" in interaction["allowed"]
            flow = device.prove_pin(flow, pin, None if confirmed else account)
        self.call_back("SecondFactor", flow["interaction"]["result"])
        return flow

    def begin(self, flow):
        session = flow["session"]
        if flow["type"] == "ENROL":
            self.device.keep(flow)
        self.accounts[flow["account"]["accountid"]] = flow["account"]
        self.sessions[session["sessionid"]] = session
        if session["applogin"]:
            self.app_login.session = session
        if session["pingTime"]:
            self.pings[session["sessionid"]] = self.now() + session["pingTime"] / 2
        self.call_back("SessionLogin")

    # Running sessions.

    def end(self, session, reason):
        """Once, however many ways tell it."""
        self.pings.pop(session, None)
        if self.sessions.pop(session, None):
            if self.app_login.session and self.app_login.session["sessionid"] == session:
                self.app_login.session = None
            self.call_back("SessionStop", reason)

    def stop(self, session, reason="USER"):
        try:
            self.device.stop(session, reason)
        except Refused as refusal:
            # The server's clock was faster.
            assert refusal.status == 404, refusal
        self.end(session, reason)

    def ping(self, session):
        try:
            told = self.device.ping(session, self.activity)
            assert told["state"] == "ACTIVE"
            self.pings[session] = self.now() + told["next"]
        except Refused as refusal:
            assert refusal.status == 404, refusal
            self.end(session, "UNKNOWN")

    def tick(self):
        """What timers of the SDK do: time-outs of the AppLogin first, then the pings that are due."""
        session, idle = self.app_login.session, self.now() - self.activity
        if session and idle > self.config.get("inactivityTimeout", float("inf")):
            self.app_login.stop("INACTIVITY")
        elif session and session["expires"] and self.now() >= session["expires"]:
            self.app_login.stop("APPLOGIN_TIMEOUT")
        for identifier in [identifier for identifier, due in self.pings.items() if due <= self.now()]:
            self.ping(identifier)

    def list_sessions(self):
        self.activity = self.now()
        return self.device.call("GET", "/sessions")["sessions"]

    def list_accounts(self):
        self.activity = self.now()
        return self.device.call("GET", "/accounts")

    def delete_account(self, account):
        self.device.delete_account(account)
        for session in [one["sessionid"] for one in self.sessions.values() if one["accountid"] == account]:
            self.end(session, "ACCOUNT_DELETED")
        self.forget(account)

    def forget(self, account):
        self.device.keys.pop(account, None)
        if self.accounts.pop(account, None):
            self.call_back("AccountDeleted")

    # Events.

    def listen(self, wait=10):
        """A long poll, and what follows from its answer."""
        return self.hear(self.device.events(self.last_event, wait))

    def hear(self, told):
        """Events, each once whichever way it comes; the types of the new ones."""
        fresh = [event for event in told["events"] if event["seq"] > self.last_event]
        for event in fresh:
            assert event["seq"] == self.last_event + 1, told
            self.last_event = event["seq"]
            getattr(self, "on_" + event["type"].lower())(event)
        return [event["type"] for event in fresh]

    def on_ping(self, event):
        self.ping(event["sessionid"])

    def on_session_stop(self, event):
        self.end(event["sessionid"], event["reason"])

    def on_account_deleted(self, event):
        self.forget(event["accountid"])

    def on_account_updated(self, event):
        self.accounts[event["accountid"]] |= {name: event[name] for name in ("username", "userid", "blocked")}
        self.call_back("AccountUpdate")

    def on_server_updated(self, event):
        server = self.device.call("GET", "/servers/" + urllib.parse.quote(event["serverid"], safe=""))
        assert server["serverid"].rstrip("=") == event["serverid"].rstrip("=")

    def on_message(self, event):
        self.pull()

    def pull(self):
        """Handles the outstanding pushes, each once; no activity of the user."""
        for message in self.device.messages():
            if message["messageid"] in self.handled:
                continue
            self.handled.add(message["messageid"])
            if message["type"] in ("LOGIN", "TRANSACTION"):
                self.run(message["type"], messageid=message["messageid"])
                continue
            self.device.call("POST", f"/messages/{message['messageid']}/read")
            if message["type"] == "ACCOUNT_DELETED":
                self.forget(message["accountid"])
            for session in [one["sessionid"] for one in self.sessions.values() if one["hsid"] == message["hsid"]]:
                self.end(session, "SERVER_LOGOUT")


class App:
    """The app of the quick start: three screens, and what each callback does to them."""

    def __init__(self, sdk):
        self.sdk, self.screen, self.greeting = sdk, None, None
        sdk.listener = self.react

    def resume(self):
        """`onResume`, or the root view of iOS."""
        if not self.sdk.accounts:
            self.screen = "onboarding"
        elif not self.sdk.app_login.is_logged_in:
            self.screen = "login"

    def react(self, callback):
        if callback == "SessionLogin" and self.sdk.app_login.is_logged_in:
            self.screen, self.greeting = "home", self.sdk.app_login.user_name
        elif callback in ("SessionStop", "AccountDeleted"):
            self.greeting = self.sdk.app_login.user_name
            self.resume()
