"""What the OAuth clients under test need around them: somebody at a browser, and a server of the client's own."""

import base64
import json
import threading
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, parse_qsl, urljoin, urlsplit

import requests

#: Where clients are sent back to. Nobody listens there: the browser stops when it is sent away from the server.
CALLBACK = "https://app.example.test/callback"
#: People of the built-in fixtures, by the subject that their buttons send.
ADA, GRACE = "ada", "grace"


class Form:
    """A form of a page. `buttons` are pairs of what a button says and what pressing it sends."""

    def __init__(self, action, method):
        self.action, self.method = action, method
        self.fields, self.buttons = {}, []


class Page(HTMLParser):
    """A page as somebody without scripts meets it."""

    def __init__(self, answer):
        super().__init__()
        self.answer, self.url, self.status = answer, answer.url, answer.status_code
        self.forms, self.links, self.frames, self.words = [], {}, [], []
        self.refresh = None
        self._open, self._button, self._link, self._silent = None, None, None, 0
        self.feed(answer.text)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        match tag:
            case "form":
                action = urljoin(self.url, attributes.get("action") or self.url)
                self._open = Form(action, attributes.get("method", "get").lower())
                self.forms.append(self._open)
            case "input" if self._open and attributes.get("name"):
                self._open.fields[attributes["name"]] = attributes.get("value") or ""
            case "button" if self._open:
                pressed = {attributes["name"]: attributes.get("value", "")} if "name" in attributes else {}
                self._button = ["", pressed]
                self._open.buttons.append(self._button)
            case "a" if "href" in attributes:
                self._link = attributes["href"]
            case "iframe":
                self.frames.append(urljoin(self.url, attributes["src"]))
            case "meta" if attributes.get("http-equiv") == "refresh":
                self.refresh = attributes["content"].partition("url=")[2] or self.url
            case "style" | "script":
                self._silent += 1

    def handle_endtag(self, tag):
        match tag:
            case "form":
                self._open = None
            case "button":
                self._button = None
            case "a":
                self._link = None
            case "style" | "script":
                self._silent -= 1

    def handle_data(self, data):
        if self._silent:
            return
        self.words.append(data)
        if self._button:
            self._button[0] += data
        if self._link:
            self.links[data.strip()] = urljoin(self.url, self._link)

    def form_with(self, *names):
        """The form that has all these fields to fill in."""
        found = [form for form in self.forms if set(names) <= set(form.fields)]
        assert found, (names, self.text)
        return found[0]


class Arrival:
    """The browser was sent away from the server: to `url`, with `parameters`."""

    def __init__(self, url, body=None):
        self.url, self.body = url, body
        parts = urlsplit(url)
        self.address = parts._replace(query="", fragment="").geturl()
        self.query = dict(parse_qsl(parts.query))
        self.fragment = dict(parse_qsl(parts.fragment))
        self.parameters = body or self.fragment or self.query


class Browser:
    """Somebody who follows redirects, keeps cookies, and presses what the page offers.

    `page` is what is to be seen, `went` tells the places on the way to it and to those before, newest last.
    """

    def __init__(self, verify=True):
        self.session = requests.Session()
        self.session.verify = verify
        self.page, self.went, self.origin = None, [], None

    def open(self, url, method="get", **options):
        """Goes to an address: the page there, or where the browser was sent away to."""
        self.origin = "://".join(urlsplit(url)[:2]) + "/"
        for _ in range(10):
            if not url.startswith(self.origin):
                return Arrival(url)
            self.went.append(url)
            # Said again: what the environment says of certificates would win over the session.
            answer = self.session.request(
                method, url, allow_redirects=False, timeout=30, verify=self.session.verify, **options)
            if not answer.is_redirect:
                return self._look(answer)
            assert answer.status_code in (302, 303) or (answer.status_code, method) == (307, "get"), answer.status_code
            url, method, options = urljoin(url, answer.headers["Location"]), "get", {}
        raise AssertionError(f"redirected in circles: {self.went}")

    def _look(self, answer):
        assert answer.headers["Content-Type"].startswith("text/html"), (answer.status_code, answer.text)
        assert answer.status_code < 500, answer.text
        self.page = Page(answer)
        # The page of response_mode=form_post presses its own button.
        if self.page.forms and not self.page.forms[0].action.startswith(self.origin):
            return Arrival(self.page.forms[0].action, self.page.forms[0].fields)
        return self.page

    def submit(self, form, **fields):
        body = form.fields | fields
        assert set(fields) <= set(form.fields), (fields, form.fields)
        return self._send(form, body)

    def press(self, wanted):
        """Presses the button that says or sends so."""
        button = self._button(wanted)
        assert button, f"no button {wanted!r} on: {self.page.text}"
        form, sends = button
        return self._send(form, form.fields | sends)

    def offers(self, wanted):
        return self._button(wanted) is not None

    def _button(self, wanted):
        for form in self.page.forms:
            for says, sends in form.buttons:
                if says.startswith(wanted) or wanted in sends.values():
                    return form, sends
        return None

    def _send(self, form, body):
        if form.method == "post":
            return self.open(form.action, "post", data=body)
        return self.open(form.action, params=body)

    def authorize(self, url, user=ADA, decision="allow"):
        """Does what the pages ask for until the browser is sent to the client.

        - user: who logs in where that is asked, by a click.
        - decision: what is pressed where consent is asked.
        """
        seen = self.open(url)
        if isinstance(seen, Page) and self.offers(user):
            seen = self.press(user)
        if isinstance(seen, Page) and self.offers(decision):
            seen = self.press(decision)
        assert isinstance(seen, Arrival), f"{seen.status} {seen.url}: {seen.text}"
        return seen

    def log_in(self, url, user=ADA):
        """The same for those who want the address alone."""
        return self.authorize(url, user).url

    def connect_device(self, user_code, page, user=ADA, decision="allow"):
        """Types the code of a device, logs in where that is asked, and decides. The last page."""
        self.open(page)
        self.submit(self.page.form_with("user_code"), user_code=user_code)
        if self.offers(user):
            self.press(user)
        return self.press(decision)


class Receiver:
    """A server of the client's own, which notes what is sent to it. It answers with `pages`, by path, or nothing at all; what is
    in `failures`, lists of statuses by path, comes first."""

    def __init__(self):
        self.received, self.pages, self.failures = [], {}, {}
        self._news = threading.Condition()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                receiver._note(self, self.rfile.read(int(self.headers.get("Content-Length") or 0)))

            def do_GET(self):
                receiver._note(self, b"")

            def log_message(self, *_):
                """Says nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    def _note(self, handler, body):
        body = body.decode()
        with self._news:
            self.received.append({
                "path": handler.path, "headers": dict(handler.headers), "body": body,
                "form": {name: values[0] for name, values in parse_qs(body).items()}})
            self._news.notify_all()
        path = urlsplit(handler.path).path
        page = self.pages.get(path, "").encode()
        handler.send_response(self.failures[path].pop(0) if self.failures.get(path) else 200)
        handler.send_header("Content-Type", "text/html")
        handler.send_header("Content-Length", str(len(page)))
        handler.end_headers()
        handler.wfile.write(page)

    def wait(self, path, seconds=10, count=1):
        """What was sent to a path, as soon as there are so many."""
        with self._news:
            assert self._news.wait_for(lambda: len(self._at(path)) >= count, seconds), (path, self.received)
            return self._at(path)

    def _at(self, path):
        return [one for one in self.received if urlsplit(one["path"]).path == path]

    def stop(self):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def register(issuer, verify=True, **metadata):
    """Registers a client as RFC 7591 says, without any library; the answer."""
    order = {"redirect_uris": [CALLBACK], "scope": "openid profile email offline_access"} | metadata
    answer = requests.post(
        metadata_of(issuer, verify)["registration_endpoint"], json=order, verify=verify, timeout=30)
    assert answer.status_code == 201, answer.text
    return answer.json()


def metadata_of(issuer, verify=True):
    """The discovery document."""
    answer = requests.get(issuer + "/.well-known/openid-configuration", verify=verify, timeout=30)
    assert answer.status_code == 200, answer.text
    return answer.json()


def built_in(world, client_id):
    """A client of the built-in fixtures, in the words of RFC 7591."""
    clients = world.get("/fixtures")["onegini"]["oauth"]["clients"]
    found = [client for client in clients if client["client_id"] == client_id]
    assert found, [client["client_id"] for client in clients]
    return found[0]


def change_client(world, client_id, **members):
    """Changes a client of the fixtures, or makes one; what happened in the world so far is forgotten but for that."""
    fixtures = world.get("/fixtures")
    clients = fixtures["onegini"]["oauth"]["clients"]
    found = [client for client in clients if client["client_id"] == client_id]
    if found:
        found[0].update(members)
    else:
        clients.append({"client_id": client_id} | members)
    loaded = world.control("PUT", "/fixtures", json=fixtures)
    assert loaded.ok, loaded.text
    return built_in(world, client_id)


def claims_in(jwt):
    """What a token says, unverified: for tests that compare two of them."""
    part = jwt.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
