"""The measure `powerauth`: what the requests of PowerAuth cost beside their bare cryptography and beside a request without any.

Phones of the acceptance tests prepare the requests; Tests/Bench/replay.c sends them, so that the client is not what is measured.
"""

import json
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from postquantum import times as lattice_times
from tools import BUILD, HERE, Connection, median, understudy

sys.path.insert(0, str(HERE.parent / "Acceptance"))

from powerauth4_arithmetic import SUITES, Exchange, ec_point, new_ec, spki  # noqa: E402
from powerauth4_device import ACTIVATION, APPLICATION as APPLICATION_SCOPE4, Configuration4, Device4, Message  # noqa: E402
from powerauth_arithmetic import b64, new_key, point  # noqa: E402
from powerauth_backend import ADMINISTRATOR, APPLICATION, FIXTURES, INTEGRATION, Backend  # noqa: E402
from powerauth_channel import APPLICATION as APPLICATION_SCOPE  # noqa: E402
from powerauth_device import PIN, Device  # noqa: E402
from powerauth_messages import Configuration  # noqa: E402

CLOUD, ENROLLMENT = "/powerauth-cloud", "/enrollment-server"
BASIC = {"Authorization": "Basic " + b64(":".join(INTEGRATION).encode())}
[LOGIN] = [template for template in FIXTURES["operation_templates"] if template["id"] == "login"]
#: Each has a phone of its own, whose counter moves in order.
CONNECTIONS = 8
ROUNDS = 3
HEALTH = "/_understudy/v1/health"


def prepared(method, path, headers=(), body=b""):
    """A request as it goes over the wire."""
    fields = {"Host": "localhost", "Content-Type": "application/json", "Content-Length": len(body)} | dict(headers)
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
    return "\r\n".join(lines).encode() + body


def replay(server, requests, marker, connections=CONNECTIONS):
    """Requests a second and microseconds of the server's processor time for each."""
    with tempfile.NamedTemporaryFile(prefix="understudy-bench-") as file:
        for request in requests:
            file.write(struct.pack("<I", len(request)) + request)
        file.flush()
        before = server.cpu
        done = subprocess.run(
            [BUILD / "replay", str(server.port), str(connections), file.name, marker], capture_output=True, text=True)
        cost = server.cpu - before
    if done.returncode:
        raise SystemExit(f"bench: {done.stderr}")
    count, microseconds = map(float, done.stdout.split())
    return count / microseconds * 1e6, cost / count * 1e6


def bare(recipe):
    """Microseconds of one run of a recipe of Tests/Bench/barecrypto.c."""
    done = subprocess.run([BUILD / "barecrypto", recipe], capture_output=True, text=True, check=True)
    return float(done.stdout.split()[1])


class Site:
    """A server with phones, each of a user of its own, whom one operation waits for."""

    def __init__(self, server):
        self.server = server
        self.url = f"http://localhost:{server.port}"
        administrator = Backend(self.url + CLOUD, ADMINISTRATOR)
        told = administrator.application(APPLICATION)
        self.configuration = Configuration(told["mobileSdkConfig"])
        self.configuration4 = Configuration4(told["mobileSdkConfigV4"])
        self.backend = Backend(self.url + CLOUD, INTEGRATION)
        self.connection = Connection(server.port, BASIC)

    def device(self, version):
        return Device(self.url + ENROLLMENT, self.configuration, version)

    def phones(self, version):
        phones = []
        for number in range(CONNECTIONS):
            phone = self.device(version)
            phone.user = f"bench-{version}-{number}"
            phone.activate(self.backend.register(phone.user, APPLICATION)["activationQrCodeData"])
            self.backend.commit(phone.activation_id)
            phone.token = phone.create_token("possession")
            self.backend.start(LOGIN["id"], userId=phone.user)
            phones.append(phone)
        return phones

    def phones4(self, suite):
        phones = []
        for number in range(CONNECTIONS):
            phone = Device4(self.url + ENROLLMENT, self.configuration4, suite)
            phone.activate(self.backend.register(f"bench-{suite}-{number}", APPLICATION)["activationQrCodeData"])
            phone.confirm()
            self.backend.commit(phone.activation_id)
            phones.append(phone)
        return phones

    def post(self, path, body):
        return json.loads(self.connection.expect(200, "POST", CLOUD + path, body))

    # What is measured. Each is a list of requests.

    def verifications(self, phones, count):
        """`authentication/verify` of a code of two factors over a login's body."""
        def one(phone):
            body = phone.write({"requestObject": {"challenge": b64(os.urandom(16))}})
            header = phone.authorization("POST", "/login", body)["X-PowerAuth-Authorization"]
            asked = {"method": "POST", "uriId": "/login", "authHeader": header, "requestBody": b64(body)}
            return prepared("POST", CLOUD + "/v2/authentication/verify", BASIC, json.dumps(asked).encode())

        return [one(phones[at % CONNECTIONS]) for at in range(count)]

    def lists(self, phones, count):
        """`operation/list` by a MAC token."""
        def one(phone):
            return prepared("POST", ENROLLMENT + "/api/auth/token/app/operation/list", phone.token_header(phone.token), b"{}")

        return [one(phones[at % CONNECTIONS]) for at in range(count)]

    def approvals(self, phones, count):
        """`operation/authorize` with two factors, each of an operation that was just started."""
        def one(phone):
            started = self.post("/v2/operations", {"template": LOGIN["id"], "userId": phone.user})
            body = phone.write({"requestObject": {"id": started["operationId"], "data": LOGIN["data"]}})
            return prepared("POST", ENROLLMENT + "/api/auth/token/app/operation/authorize",
                            phone.authorization("POST", "/operation/authorize", body, pin=PIN), body)

        return [one(phones[at % CONNECTIONS]) for at in range(count)]

    def activations(self, device, count):
        """`activation/create` by a code: both layers of encryption. In 3.3 all are sealed to one temporary key."""
        def one(number):
            registered = self.post("/v2/registrations", {"userId": f"new-{number}", "appId": APPLICATION})
            code = registered["activationQrCodeData"].split("#")[0]
            outside = device.envelope(APPLICATION_SCOPE, "/pa/generic/application")
            inside = device.envelope(APPLICATION_SCOPE, "/pa/activation")
            request = {"devicePublicKey": b64(point(new_key().public_key(), compressed=True)), "activationName": "Bench",
                       "platform": "ios", "deviceInfo": "Phone in software"}
            layers = {"type": "CODE", "identityAttributes": {"code": code},
                      "activationData": inside.seal(device.write(request), device.now())}
            return prepared("POST", ENROLLMENT + "/pa/v3/activation/create", device.encryption_header(APPLICATION_SCOPE),
                            device.write(outside.seal(device.write(layers), device.now())))

        return [one(number) for number in range(count)]


    # Protocol 4.0.

    def calls4(self, phones, count):
        """`user/info`, encrypted for the activation by one temporary key of each phone."""
        def one(phone):
            sealed = Message(phone, ACTIVATION, "/pa/generic/activation").seal(b"{}", phone.now())
            return prepared("POST", ENROLLMENT + "/pa/v4/user/info", phone.encryption_header(ACTIVATION), phone.write(sealed))

        return [one(phones[at % CONNECTIONS]) for at in range(count)]

    def activations4(self, phone, count):
        """`activation/create` by a code, with one temporary key for all, in the suite of `phone`."""
        second = SUITES[phone.suite][1]
        keys = {"ecdsa": b64(ec_point(new_ec().public_key()))}
        if second:
            keys["mldsa"] = b64(spki(second.generate().public_key()))

        def one(number):
            registered = self.post("/v2/registrations", {"userId": f"new-{number}", "appId": APPLICATION})
            outside = Message(phone, APPLICATION_SCOPE4, "/pa/generic/application")
            inside = Message(phone, APPLICATION_SCOPE4, "/pa/activation", outside.key)
            request = {"sharedSecretRequest": Exchange(phone.suite).request(), "devicePublicKeys": keys,
                       "activationName": "Bench", "platform": "ios", "deviceInfo": "Phone in software"}
            layers = {"type": "CODE", "identityAttributes": {"code": registered["activationQrCodeData"].split("#")[0]},
                      "activationData": inside.seal(phone.write(request), phone.now())}
            return prepared("POST", ENROLLMENT + "/pa/v4/activation/create", phone.encryption_header(APPLICATION_SCOPE4),
                            phone.write(outside.seal(phone.write(layers), phone.now())))

        return [one(number) for number in range(count)]


def rounds(server, prepare, marker, recipes):
    """Medians of rates and costs, and of the recipes' costs: the bare cryptography and ours take turns."""
    measured, references = [], {recipe: [] for recipe in recipes}
    for _ in range(ROUNDS):
        requests = prepare()
        for recipe in recipes:
            references[recipe].append(bare(recipe))
        measured.append(replay(server, requests, marker))
    rates, costs = zip(*measured)
    return median(rates), median(costs), {recipe: median(costs) for recipe, costs in references.items()}


def measure_powerauth(table):
    """Codes, lists, approvals and activations. Production's server agrees on the master secret anew for every code; ours keeps it."""
    with understudy() as server:
        site = Site(server)
        get = prepared("GET", HEALTH)
        health_rate, health, _ = rounds(server, lambda: [get] * 20_000, "{", [])
        table.add("health over the same connections, requests a second", health_rate, "/s")
        table.add("health over the same connections, CPU per request", health, "µs")

        def add(name, prepare, marker, recipe, most=None, kept=None, unbarred=None):
            recipes = [recipe, kept] if kept else [recipe]
            rate, cost, references = rounds(server, prepare, marker, recipes)
            table.add(f"{name}, requests a second", rate, "/s")
            table.add(f"{name}, CPU beside bare cryptography", cost, "µs", references[recipe], ratio_bar=most,
                      unbarred=unbarred)
            if kept:
                table.add(f"{name}, CPU beside the same without ECDH", cost, "µs", references[kept])
            table.add(f"{name}, CPU beside health", cost, "µs", health)

        for version in ["3.1", "3.3"]:
            phones = site.phones(version)
            add(f"authentication/verify {version}", lambda: site.verifications(phones, 4000), '"signatureValid":true',
                "verify-agreeing", 2, kept="verify")
            if version == "3.3":
                # What it costs is to be seen beside health: a request with no cryptography at all.
                add("operation/list", lambda: site.lists(phones, 4000), '"responseObject":[{', "token",
                    unbarred="none: one HMAC, far below any HTTP request")
                add("operation/authorize", lambda: site.approvals(phones, 1500), '"OK"', "verify-agreeing", 2, kept="verify")
        for version in ["3.1", "3.3"]:
            device = site.device(version)
            add(f"activation/create {version}", lambda: site.activations(device, 600), '"encryptedData"',
                f"activation-{version}", 3)
        measure_protocol4(table, site)


def measure_protocol4(table, site):
    """Codes, encrypted calls and activations of protocol 4.0. OpenSSL 3.0 has no ML-KEM and no ML-DSA: to its share of an activation
    comes what our own take by themselves in the same run."""
    lattice = lattice_times()
    for suite in ["EC_P384", "EC_P384_ML_L3"]:
        phones = site.phones4(suite)

        def add(name, prepare, marker, recipe, more=0, **bars):
            rate, cost, references = rounds(site.server, prepare, marker, [recipe])
            table.add(f"{name} 4.0 {suite}, requests a second", rate, "/s")
            table.add(f"{name} 4.0 {suite}, CPU beside bare cryptography", cost, "µs", references[recipe] + more, **bars)

        add("authentication/verify", lambda: site.verifications(phones, 4000), '"signatureValid":true', "verify-4.0", bar=400)
        add("user/info", lambda: site.calls4(phones, 4000), '"encryptedData"', "call-4.0", ratio_bar=2)
        more = lattice["ML-KEM-768 encapsulation"] + lattice["ML-DSA-65 key pair"] if suite.endswith("L3") else 0
        add("activation/create", lambda: site.activations4(phones[0], 400), '"encryptedData"', "activation-4.0", more, bar=3000)
