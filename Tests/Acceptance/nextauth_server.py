"""A back end that integrates the nextAuth Server by its API 2.2, and a browser that watches a session by the WebSocket."""

import base64
import secrets
import urllib.parse

import json5
import requests
from websockets.sync.client import connect

from understudy import ROOT

FIXTURES = json5.loads((ROOT / "Fixtures/default.json").read_text())["nextauth"]
[SERVER] = FIXTURES["servers"]
KEY = FIXTURES["api_keys"][0]["key"]


def new_nonce():
    """A session identifier as the vendor advises: 16 random bytes, here in hex."""
    return secrets.token_hex(16)


def url_safe(identifier):
    return identifier.replace("+", "-").replace("/", "_").rstrip("=")


class Backend:
    """`base` is the address of nextAuth in a world."""

    def __init__(self, base, server=SERVER["id"], key=KEY):
        self.base, self.server_id, self.key = base, server, key

    def call(self, method, path, nonce=None, body=None, **query):
        """Any call below the server: the bare answer."""
        headers = {"X-apikey": self.key} | ({"X-nonce": nonce} if nonce else {})
        return requests.request(
            method, f"{self.base}/servers/{self.server_id}{path}", headers=headers, json=body, params=query, timeout=30)

    def ask(self, method, path, *arguments, **query):
        """A call that must succeed: its answer."""
        answer = self.call(method, path, *arguments, **query)
        assert answer.status_code == 200, answer.text
        return answer

    # Sessions.

    def session(self, nonce):
        return self.ask("GET", "/sessions/", nonce).json()

    def enrolment_code(self, nonce, name="Ada", user=None, **image):
        return self.ask("GET", "/sessions/qr/enrol", nonce, name=name, **({"userid": user} if user else {}), **image).content

    def login_code(self, nonce, context=None, **image):
        return self.ask("GET", "/sessions/qr/login", nonce, context, **image).content

    def register_user(self, nonce, user):
        self.ask("POST", "/sessions/registeruser", nonce, userid=user)

    def log_out(self, nonce):
        self.ask("POST", "/sessions/logout", nonce)

    def provoke(self, nonce, context=None):
        self.ask("POST", "/sessions/provokelogin", nonce, context)

    def transaction(self, nonce, **fields):
        return self.ask("POST", "/sessions/transactions", nonce, fields).json()["tid"]

    def outcome(self, transaction):
        """The `tstatus`."""
        return self.ask("GET", "/transactions/" + urllib.parse.quote(transaction, safe="")).json()["tstatus"]

    # Accounts and the server's parameters.

    def accounts(self):
        return self.ask("GET", "/accounts/").json()["accounts"]

    def delete_account(self, account):
        self.ask("DELETE", f"/accounts/{account}/")

    def block(self, account, blocked=True):
        self.ask("PUT", f"/accounts/{account}/", blocked=str(blocked).lower())

    def update(self, **parameters):
        return self.ask("PUT", "/", None, parameters).json()

    def new_server(self, **parameters):
        """Another virtual server, and a back end for it."""
        made = requests.post(self.base + "/servers/", json=parameters, headers={"X-apikey": self.key}, timeout=30)
        assert made.status_code == 200, made.text
        return Backend(self.base, made.json()["serverid"], self.key)

    def watch(self, nonce):
        return Watcher(self.base, self.session(nonce)["hsid"], self.server_id)


class Watcher:
    """A web page that shows a code, and hears what becomes of it. `base` is the address of nextAuth in a world."""

    def __init__(self, base, hsid, server):
        self.subject = f"{hsid} {url_safe(server)}"
        self.connection = connect(base.replace("http", "ws", 1) + "/ws", proxy=None)

    def __enter__(self):
        self.socket = self.connection.__enter__()
        self.say("REGISTER")
        return self

    def __exit__(self, *failure):
        self.connection.__exit__(*failure)

    def say(self, word):
        self.socket.send(f"{word} {self.subject}")

    def hear(self, *words):
        """The next words, in their order, all of this session."""
        for word in words:
            heard = self.socket.recv(timeout=10)
            assert heard == f"{word} {self.subject}", f"heard {heard}, waited for {word}"


def link(code, scheme="com.nextauth.client"):
    """App to app: what a page opens in the place of showing the code."""
    return f"{scheme}:" + base64.urlsafe_b64encode(code).rstrip(b"=").decode()
