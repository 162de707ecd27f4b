"""What the clients of a soak do. Each is a class whose `turn` is done again and again; what it asserts must hold at every turn."""

import http.client
import itertools
import json
import socket
from urllib.parse import urlsplit

import requests
from websockets.sync.client import connect

import miracl_backend
from miracl_mfa import MFADevice
from nextauth_device import Device as NextAuthDevice
from nextauth_fixtures import ADA
from nextauth_server import Backend as NextAuthBackend
from nextauth_server import new_nonce
from nextauth_stub import SDK
from oauth_browser import Browser
from powerauth_backend import ADMINISTRATOR, APPLICATION, INTEGRATION
from powerauth_backend import Backend as PowerAuthBackend
from powerauth_device import Device as PowerAuthDevice
from powerauth_messages import Configuration
from understudy import CONTROL, Client, World

numbers = itertools.count(1)
#: Turns that a client takes in one world, before it makes another and deletes this one.
TURNS_IN_A_WORLD = 10


class Worldly:
    """Works in worlds of its own, which come and go."""

    #: How many of them work at the same time.
    clients = 1

    def __init__(self, url):
        self.url, self.turns = url, 0
        self.enter()

    def enter(self):
        made = requests.post(self.url + CONTROL + "/worlds", json={}, timeout=30)
        assert made.status_code == 201, made.text
        self.world = World(made.json()["name"], made.json()["baseURL"])
        self.begin()

    def leave(self):
        gone = requests.delete(self.url + CONTROL + f"/worlds/{self.world.name}", timeout=30)
        assert gone.status_code == 204, gone.text

    def begin(self):
        """What is done once in a world."""

    def again(self):
        self.turns += 1
        if self.turns % TURNS_IN_A_WORLD == 0:
            self.leave()
            self.enter()
        self.turn()


class HankoLogin(Worldly):
    def turn(self):
        client = Client(self.world.hanko)
        token = client.log_in(self.world, f"soak{next(numbers)}@example.com")
        assert client.get("/me", token).status_code == 200


class TokenServer(Worldly):
    """Client credentials with introspection, and the login page of an authorization code."""

    def turn(self):
        account = ("backend", "backend-secret")
        issued = requests.post(
            self.world.oauth + "/v1/token", data={"grant_type": "client_credentials"}, auth=account, timeout=30)
        assert issued.status_code == 200, issued.text
        page = Browser().open(
            self.world.oauth + "/v1/authorize?response_type=code&client_id=web-app&scope=openid&state=x"
            "&redirect_uri=http://localhost:3000/callback")
        assert page.status == 200, page.text
        assert requests.get(self.world.oauth + "/v1/keys", timeout=30).status_code == 200


class PowerAuthLogin(Worldly):
    """A registration, a signature, an operation; then the lists that look into JSON."""

    def begin(self):
        administrator = PowerAuthBackend(self.world.url + "/powerauth-cloud", ADMINISTRATOR)
        self.configuration = Configuration(administrator.application(APPLICATION)["mobileSdkConfig"])
        self.backend = PowerAuthBackend(self.world.url + "/powerauth-cloud", INTEGRATION)

    def turn(self):
        user = f"soak{next(numbers)}"
        started = self.backend.register(user, APPLICATION)
        phone = PowerAuthDevice(self.world.url + "/enrollment-server", self.configuration, "3.3")
        phone.activate(started["activationQrCodeData"])
        self.backend.commit(phone.activation_id)
        phone.validate()
        assert phone.status().state == "ACTIVE"
        self.backend.start("login", userId=user)
        assert len(self.backend.operations(user)) > 0


class MIRACLLogin(Worldly):
    """A registration with its mail, and a login by PIN."""

    def turn(self):
        device = MFADevice(self.world.url + "/miracl", miracl_backend.PROJECT, user=f"soak{next(numbers)}@example.com")
        device.set_backend()
        device.start_registration()
        link, _, query = self.world.code(device.user)["link"].partition("?")
        pressed = requests.post(
            link, data=query, headers={"Content-Type": "application/x-www-form-urlencoded"}, timeout=30)
        assert pressed.status_code == 200, pressed.text
        device.confirm_registration()
        device.choose_pin()
        device.log_in()


class NextAuthLogin(Worldly):
    """An enrolment, an AppLogin, and a web page that watches it by web socket."""

    def turn(self):
        base = self.world.url + "/nextauth"
        backend, nonce = NextAuthBackend(base), new_nonce()
        with backend.watch(nonce) as page:
            page.hear("LOGOUT")
            sdk = SDK(NextAuthDevice(base), lambda: 0)
            sdk.start_session(backend.enrolment_code(nonce, "Ada", ADA))
            page.hear("CONFIRMSCAN")
        sdk.app_login.start()
        sdk.device.events()


class Reloads(Worldly):
    """Everything in one world: asked, put back, asked again, filled anew, asked again."""

    clients = 2
    ASKED = [
        "/hanko-admin/audit_logs?type=user_created", "/hanko-admin/users", "/hanko/.well-known/jwks.json",
        "/powerauth-cloud/v2/operations?userId=eva", "/oauth/.well-known/openid-configuration",
        "/miracl/.well-known/openid-configuration", "/nextauth/servers", "/app/portal", CONTROL + "/records", CONTROL + "/outbox",
    ]

    def begin(self):
        self.fixtures = self.world.control("GET", "/fixtures").content
        self.session = requests.Session()
        self.session.auth, self.session.headers["X-apikey"] = INTEGRATION, "nextauth-api-key"
        self.statuses = self.ask()

    def ask(self):
        return [self.session.get(self.world.url + path, timeout=30).status_code for path in self.ASKED]

    def turn(self):
        reset = requests.post(self.url + CONTROL + f"/worlds/{self.world.name}/reset", timeout=30)
        assert reset.status_code == 204, reset.text
        assert self.ask() == self.statuses
        loaded = self.world.control(
            "PUT", "/fixtures", data=self.fixtures, headers={"Content-Type": "application/json"})
        assert loaded.status_code == 204, loaded.text
        assert self.ask() == self.statuses


class Waits(Worldly):
    """Long polls that find nothing, one after another on a connection that stays open."""

    clients = 8
    IN_A_TURN = 100

    def begin(self):
        place = urlsplit(self.world.url)
        self.connection = http.client.HTTPConnection(place.hostname, place.port, timeout=30)
        self.path = place.path + CONTROL + "/codes?to=nobody@example.com&wait=0.001"

    def again(self):
        # In one world for good: what a wait leaves behind adds up.
        self.turn()

    def turn(self):
        for _ in range(self.IN_A_TURN):
            self.connection.request("GET", self.path)
            answer = self.connection.getresponse()
            answer.read()
            assert answer.status == 404, answer.status
        tally.add(self.IN_A_TURN)


class Listeners(Worldly):
    """Journal streams and web sockets that are opened, hear something, and are closed without a word."""

    IN_A_TURN = 5

    def turn(self):
        place = urlsplit(self.world.url)
        streams = [self._stream(place) for _ in range(self.IN_A_TURN)]
        socket_url = self.world.url.replace("http", "ws", 1) + "/nextauth/ws"
        sockets = [connect(socket_url, proxy=None) for _ in range(self.IN_A_TURN)]
        assert Client(self.world.hanko).post("/user", {"email": "nobody@example.com"}).status_code == 404
        for stream in streams:
            self._hear(stream, b"/hanko/user")
            stream.close()
        for opened in sockets:
            opened.close()
        tally.add(2 * self.IN_A_TURN)

    @staticmethod
    def _stream(place):
        stream = socket.create_connection((place.hostname, place.port), timeout=30)
        stream.sendall(f"GET {place.path}{CONTROL}/journal/stream HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
        Listeners._hear(stream, b"\r\n\r\n")
        return stream

    @staticmethod
    def _hear(stream, what):
        heard = b""
        while what not in heard:
            piece = stream.recv(65536)
            assert piece, "a journal stream ended by itself"
            heard += piece


class Sleepers(Worldly):
    """Many who wait for one mail: all of them are woken."""

    IN_A_TURN = 20

    def turn(self):
        address = f"soak{next(numbers)}@example.com"
        client, place = Client(self.world.hanko), urlsplit(self.world.url)
        user = client.sign_up(address)
        waiting = [http.client.HTTPConnection(place.hostname, place.port, timeout=30) for _ in range(self.IN_A_TURN)]
        for connection in waiting:
            connection.request("GET", f"{place.path}{CONTROL}/codes?to={address}&wait=30")
        client.start(user)
        for connection in waiting:
            answer = connection.getresponse()
            assert answer.status == 200 and json.loads(answer.read())["to"] == address
            connection.close()
        tally.add(self.IN_A_TURN)


class Tally:
    """Requests that were answered; what runs over a session of `requests` is counted by itself."""

    def __init__(self):
        self.count = 0
        self.refused = None
        send = requests.Session.send

        def counted(session, request, **options):
            answer = send(session, request, **options)
            self.count += 1
            if answer.status_code >= 500:
                self.refused = f"{request.method} {request.url}: {answer.status_code} {answer.text[:500]}"
                raise AssertionError(self.refused)
            return answer

        requests.Session.send = counted

    def add(self, count):
        self.count += count


tally = Tally()
KINDS = [HankoLogin, TokenServer, PowerAuthLogin, MIRACLLogin, NextAuthLogin, Reloads, Waits, Listeners, Sleepers]
