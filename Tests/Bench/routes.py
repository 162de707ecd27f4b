"""What one request costs at most: every call of the control API and every page of the console with the largest input that it takes, in a world that
is full; platforms with long texts."""

import base64
import json
import socket
import time
import urllib.parse
import uuid

from tools import ROOT, Connection, understudy

CONTROL = "/_understudy/v1"
#: Milliseconds of processor time that one request may take.
LIMIT = 250
ENTRIES = 10_000
MESSAGES = 1_000
USERS = 2_000
#: Bytes of the target of a request, a little less than is taken.
TARGET = 60_000
OFFICE = "Basic YmFjay1vZmZpY2U6YmFjay1vZmZpY2Utc2VjcmV0"

#: Texts that cost the most somewhere, to be repeated: letters alone, letters of two bytes in both cases, marks that combine, a family of scalars in one character.
TEXTS = {
    "ascii": "a", "letters": "éÉ", "marks": "\u0301\u0323", "emoji": "👩‍👩‍👧", "quotes": "\"\\", "brackets": "[{",
    "percent": "%41", "lines": "a=b\n& "}


def long(kind, size):
    """A text of so many bytes in UTF-8 at most, and some letters in front."""
    piece = TEXTS[kind]
    return "a" + piece * ((size - 1) // len(piece.encode()))


class Clock:
    """Processor time of a process, user and system, to the microsecond."""

    def __init__(self, pid):
        # As clock_getcpuclockid(3) makes it: the scheduler's clock of a whole process.
        self.id = (~pid << 3) | 2

    def now(self):
        return time.clock_gettime(self.id) * 1e3


def fill_fixtures(control):
    """Thousands of users, of every platform that has them."""
    fixtures = json.loads(control.expect(200, "GET", CONTROL + "/fixtures"))
    hanko, onegini, nextauth = fixtures["hanko"]["users"], fixtures["onegini"]["oauth"]["users"], fixtures["nextauth"]["users"]
    for number in range(USERS):
        name = f"user{number}"
        mail = {**hanko[0]["emails"][0], "address": f"{name}@example.com", "id": str(uuid.UUID(int=number + 100_001, version=4))}
        ada = {"created_at": hanko[0]["created_at"], "updated_at": hanko[0]["updated_at"], "emails": [mail],
               "id": str(uuid.UUID(int=number + 1, version=4)), "name": name}
        hanko.append(ada)
        onegini.append({"sub": name, "username": name, "claims": {"email": f"{name}@example.com", "name": name}})
        nextauth.append({**nextauth[0], "id": f"{name}@example.com", "attributes": {"name": name}})
    control.expect(204, "PUT", CONTROL + "/fixtures", fixtures)
    return fixtures


def fill_journal(control, count):
    """Requests with bodies of letters beyond ASCII, as long as the journal keeps."""
    body = {"email": "x@example.com", "note": long("letters", 1_000)}
    for number in range(count):
        control.call("POST", f"/hanko/user?n={number}", body)


def fill_outbox(port, control, count):
    for number in range(count):
        control.call("POST", "/hanko/passcode/login/initialize", {"user_id": f"{number}"})
    user = json.loads(control.expect(200, "POST", "/hanko/user", {"email": "ada@example.com"}))["id"]
    for _ in range(count):
        control.call("POST", "/hanko/passcode/login/initialize", {"user_id": user})


class Routes:
    """Sends requests one by one, and keeps what each cost."""

    def __init__(self, server):
        self.server = server
        self.clock = Clock(server.process.pid)
        #: By route: milliseconds of the dearest request, its status and what was in it.
        self.worst = {}

    def send(self, route, method, target, body=b"", kind="", content_type="application/json", headers=()):
        request = f"{method} {target} HTTP/1.1\r\nHost: localhost:{self.server.port}\r\nConnection: close\r\nContent-Type: {content_type}\r\n"
        request += "".join(f"{name}: {value}\r\n" for name, value in headers)
        request += f"Content-Length: {len(body)}\r\n\r\n"
        before = self.quiet()
        answer = b""
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=120) as client:
            try:
                client.sendall(request.encode() + body)
            except (BrokenPipeError, ConnectionResetError):
                pass  # Refused before all of it was there.
            if "stream" in route:
                client.settimeout(0.1)  # It has no end.
            try:
                while piece := client.recv(1 << 20):
                    answer = answer[:64] + piece if len(answer) > 1 << 16 else answer + piece
            except (TimeoutError, ConnectionResetError):
                pass
        spent = self.clock.now() - before
        status = answer[9:12].decode() or "none"
        if spent > self.worst.get(route, (-1,))[0]:
            self.worst[route] = (spent, status, kind)
        return answer

    def quiet(self):
        """The clock, once nothing is at work that an earlier request began, such as phones."""
        seen = self.clock.now()
        while True:
            time.sleep(0.001)
            now = self.clock.now()
            if now - seen < 0.3:
                return now
            seen = now

    def ended(self):
        return self.server.process.poll() is not None


def resolved(document, part):
    while "$ref" in part:
        found = document
        for name in part["$ref"].split("/")[1:]:
            found = found[name]
        part = found
    return part


def schema_members(document, schema):
    """Names of members of an object's schema."""
    schema = resolved(document, schema)
    members = dict(schema.get("properties", {}))
    for way in ("allOf", "oneOf", "anyOf"):
        for part in schema.get(way, []):
            members |= schema_members(document, part)
    return members


def bodies(document, content, size):
    """A body for each kind of long text in each member, and for forms that are hard to read."""
    schema = content.get("schema", {})
    examples = [e["value"] for e in content.get("examples", {}).values() if "value" in e]
    example = content.get("example") or (examples[0] if examples else {})
    example = example if isinstance(example, dict) else {}
    members = schema_members(document, schema) or {"name": {}}
    for kind in TEXTS:
        text = long(kind, size)
        for member in members:
            yield f"{member}: {kind}", json.dumps({**example, member: text}, ensure_ascii=False).encode()[:size + 65_536]
        yield f"name of a member: {kind}", json.dumps({text: 1}, ensure_ascii=False).encode()
    yield "members", json.dumps({f"m{n}": 1 for n in range(size // 12)}).encode()
    yield "numbers", b"[" + b"1," * (size // 2 - 2) + b"1]"
    yield "brackets", b"[" * size
    yield "objects", b"{\"a\":" * (size // 5)
    yield "blanks", b" " * size + b"{}"


PATHS = {
    "platform": "hanko", "name": "ada", "number": "1", "file": "ca.pem", "action": "approve", "transaction": "hanko:1", "record": "1"}


def measure_control(routes, document, messages):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if method == "parameters" or (method, path) in [("delete", "/journal"), ("delete", "/outbox")]:
                continue
            route = f"{method.upper()} {path}"
            parameters = [resolved(document, p) for p in operation.get("parameters", []) + methods.get("parameters", [])]
            plain = path
            for name in [p["name"] for p in parameters if p["in"] == "path"]:
                value = PATHS.get(name, str(messages) if path.startswith("/outbox") else "1")
                if path.startswith("/phones") or path.startswith("/authenticators"):
                    value = "ada"
                if path.startswith(("/worlds", "/snapshots")):
                    value = "bench"
                plain = plain.replace("{" + name + "}", value)
            target = CONTROL + plain
            queries = [p["name"] for p in parameters if p["in"] == "query"]
            routes.send(route, method.upper(), target, kind="nothing")
            if method == "get" and "{" not in path:
                routes.send(route, method.upper(), target + ("?limit=1000" if "limit" in queries else ""), kind="all")
            for query in queries:
                for kind in TEXTS:
                    for size in (250, TARGET // 3):
                        text = urllib.parse.quote(long(kind, size), safe="")[:TARGET]
                        routes.send(route, method.upper(), f"{target}?{query}={text}", kind=f"{query}: {kind}")
            for kind in TEXTS:
                text = urllib.parse.quote(long(kind, TARGET // 3), safe="")[:TARGET]
                routes.send(route, method.upper(), f"{target}?{text}=1", kind=f"parameter: {kind}")
                if "{" in path:
                    first = path.index("{")
                    last = path.rindex("}")
                    routes.send(route, method.upper(), CONTROL + path[:first] + text + path[last + 1:], kind=f"path: {kind}")
            content = operation.get("requestBody", {}).get("content", {})
            for media, form in content.items():
                size = 1_000_000
                for kind, body in bodies(document, form, size):
                    routes.send(route, method.upper(), target, body, kind, media)


PAGES = ["/", "/outbox", "/transactions", "/devices", "/phones", "/phones/ada", "/faults", "/flows", "/journal", "/audit", "/mint", "/worlds",
         "/time", "/snapshots", "/compare", "/ca", "/search", "/_understudy", "/docs", "/docs/control-api", "/docs/fixtures-reference", "/docs/fixtures-hanko", "/docs/onegini.md", "/nope"]


def measure_pages(routes):
    for page in PAGES:
        routes.send("GET " + page, "GET", page, kind="nothing", headers=[("Accept", "text/html")])
        for query in ("q", "user", "platform", "path", "scan", "page", "state", "token"):
            for kind in TEXTS:
                for size in (250, TARGET // 3):
                    text = urllib.parse.quote(long(kind, size), safe="")[:TARGET]
                    routes.send("GET " + page, "GET", f"{page}?{query}={text}", kind=f"{query}: {kind}", headers=[("Accept", "text/html")])
    for page, limit in [("/devices", 60_000), ("/phones", 60_000), ("/phones/ada", 60_000), ("/faults", 60_000), ("/mint", 60_000), ("/worlds", 1_000_000),
                        ("/time", 4_000), ("/snapshots", 4_000)]:
        for kind in TEXTS:
            text = urllib.parse.quote(long(kind, limit // 3), safe="")[:limit - 200]
            for member in ("platform", "kind", "action", "name", "input.text", "input.name", "text", "fixtures"):
                body = urllib.parse.urlencode({"action": "scan", "platform": "hanko", "kind": "user"} | {member: ""}) .encode() + text.encode()
                routes.send("POST " + page, "POST", page, body, f"{member}: {kind}", "application/x-www-form-urlencoded",
                            [("Accept", "text/html"), ("Origin", f"http://localhost:{routes.server.port}"), ("Sec-Fetch-Site", "same-origin")])


#: Of the platforms, with the members that bodies have.
PLATFORMS = [
    ("POST", "/hanko/user", "json", "email"), ("POST", "/hanko/users", "json", "email"), ("POST", "/hanko/login", "json", "action input_data"),
    ("POST", "/hanko/passcode/login/initialize", "json", "user_id email_id"), ("POST", "/hanko/webauthn/login/initialize", "json", "user_id"),
    ("POST", "/hanko/webauthn/login/finalize", "json", "id rawId response"), ("POST", "/hanko/token", "json", "value"),
    ("POST", "/oauth/v1/token", "form", "grant_type client_id code username password scope refresh_token assertion subject_token"),
    ("POST", "/oauth/v1/introspect", "form", "token client_id"), ("POST", "/oauth/v1/revoke", "form", "token"),
    ("GET", "/oauth/v1/authorize", "query", "client_id redirect_uri scope state nonce request claims login_hint"),
    ("POST", "/oauth/api/v4/authenticate/user", "form", "type message callback_uri user_id"),
    ("POST", "/powerauth-cloud/v2/operations", "json", "template userId parameters"),
    ("POST", "/powerauth-cloud/v2/registrations", "json", "userId appId flags"),
    ("POST", "/enrollment-server/pa/v3/activation/create", "json", "ephemeralPublicKey encryptedData mac nonce"),
    ("POST", "/enrollment-server/pa/v3/activation/status", "json", "requestObject"),
    ("POST", "/miracl/rps/v2/user", "json", "userId mpinId activationToken deviceName"),
    ("POST", "/miracl/verification/email", "json", "userId projectId accessId"),
    ("GET", "/miracl/api/v1/search", "query", "query"), ("GET", "/miracl/authorize", "query", "client_id redirect_uri scope prerollid"),
    ("POST", "/nextauth/api/servers", "json", "name attributes"), ("GET", "/nextauth/api/users", "query", "search filter sort"),
    ("POST", "/app/portal/login", "form", "username password"), ("POST", "/app/login", "form", "code state"),
    ("GET", "/nope", "query", "x"), ("POST", "/oauth/nope", "json", "x")]


def measure_platforms(routes):
    headers = [("Authorization", OFFICE), ("X-PowerAuth-Authorization", 'PowerAuth pa_version="3.1", pa_nonce="a"')]
    for method, path, form, members in PLATFORMS:
        for member in members.split():
            for kind in TEXTS:
                route = f"{method} {path}"
                if form == "query":
                    text = urllib.parse.quote(long(kind, TARGET // 3), safe="")[:TARGET]
                    routes.send(route, method, f"{path}?{member}={text}", kind=f"{member}: {kind}", headers=headers)
                elif form == "form":
                    text = urllib.parse.quote(long(kind, 330_000), safe="")
                    routes.send(route, method, path, f"{member}={text}".encode(), f"{member}: {kind}", "application/x-www-form-urlencoded", headers)
                else:
                    body = json.dumps({member: long(kind, 1_000_000)}, ensure_ascii=False).encode()
                    routes.send(route, method, path, body, f"{member}: {kind}", headers=headers)
        for kind in TEXTS:
            text = long(kind, 50_000)
            field = [("Cookie", text.replace("\n", "")), ("Authorization", "Bearer " + base64.b64encode(text.encode()).decode()[:50_000])][len(kind) % 2]
            routes.send(f"{method} {path}", method, path, kind=f"field: {kind}", headers=[field])


def measure_routes(table):
    document = json.loads((ROOT / "Web/openapi.json").read_text())
    with understudy() as ours:
        with Connection(ours.port) as control:
            fill_fixtures(control)
            fill_outbox(ours.port, control, MESSAGES)
            control.call("PUT", CONTROL + "/worlds/bench", {})
            control.call("POST", CONTROL + "/snapshots", {"name": "bench"})
            fill_journal(control, ENTRIES)
        routes = Routes(ours)
        for part in (lambda: measure_control(routes, document, MESSAGES), lambda: measure_pages(routes), lambda: measure_platforms(routes)):
            part()
            if routes.ended():
                raise SystemExit("bench: the server ended")
        listed = sorted(routes.worst.items(), key=lambda entry: -entry[1][0])
        print("    milliseconds of processor time, status, route and what was in the dearest request:")
        for route, (spent, status, kind) in listed:
            print(f"    {spent:8.1f}{' !' if spent > LIMIT else '  '} {status:4} {route:48} {kind}")
        table.add(f"dearest of {len(listed)} routes with its largest input", listed[0][1][0], "ms", bar=LIMIT)
