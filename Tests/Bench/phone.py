"""Simulated phones: how much one approves and what that costs on both sides, and what a thousand that answer by themselves take."""

import base64
import http.client
import json
import time
import urllib.parse

from powerauth import HEALTH, bare, prepared, replay
from tools import Connection, understudy

WORLDS = 1000
ANSWERS = 200
OFFICE = {"Authorization": "Basic YmFjay1vZmZpY2U6YmFjay1vZmZpY2Utc2VjcmV0"}
CONTROL = "/_understudy/v1"


def start(office, world=""):
    answer = office.expect(200, "POST", f"{world}/powerauth-cloud/v2/operations", {"template": "login", "userId": "ada"})
    return json.loads(answer)["operationId"]


def is_open(office, world, operation):
    answer = office.expect(200, "GET", f"{world}/powerauth-cloud/v2/operations/{operation}")
    return json.loads(answer)["status"] == "PENDING"


class Onegini:
    """A portal that logs users in by an OTP."""

    fields = urllib.parse.urlencode({"type": "qr-code", "message": "Bench", "callback_uri": "http://localhost:9/"})
    headers = {"Content-Type": "application/x-www-form-urlencoded",
               "Authorization": "Basic " + base64.b64encode(b"portal-api:portal-api-secret").decode()}

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("localhost", port, timeout=30)

    def start(self):
        self.connection.request("POST", "/oauth/api/v4/authenticate/user", self.fields, self.headers)
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise SystemExit(f"bench: no transaction: {body.decode()}")
        return json.loads(body)["otp"]


def measure_answers(table, name, platform, ours, control, start, recipe=None, **enrolment):
    """What one phone answers with its PIN in a second, and the processor time of phone and server.

    `start` has something wait for an answer, and returns the text to be scanned; None when it is pushed.
    """
    phone = CONTROL + "/phones/ada"
    control.expect(200, "POST", phone + "/enrol", {"platform": platform} | enrolment)

    def answer():
        text = start()
        if text:
            control.expect(200, "POST", phone + "/scan", {"text": text})
        return json.loads(control.expect(200, "POST", phone + "/approve", {}))

    answer()
    before, phones_before, began = ours.cpu, ours.queue_cpu, time.perf_counter()
    for _ in range(ANSWERS):
        if (told := answer())["kind"] != "approved":
            raise SystemExit(f"bench: the phone says {told}")
    seconds = time.perf_counter() - began
    phones = ours.queue_cpu - phones_before
    server = ours.cpu - before - phones
    table.add(f"{name}, one phone after the other", ANSWERS / seconds, "/s")
    table.add("  CPU of the phone for each", phones / ANSWERS * 1e3, "ms")
    health = replay(ours, [prepared("GET", HEALTH)] * 5000, "{")[1]
    table.add("  CPU of the server for each, beside a request of health", server / ANSWERS * 1e6, "µs", health)
    if recipe:
        table.add("  the same beside bare cryptography", server / ANSWERS * 1e6, "µs", bare(recipe))


def measure_phones(table):
    with understudy() as ours, Connection(ours.port) as control, Connection(ours.port, OFFICE) as office:
        measure_answers(
            table, "operations of PowerAuth", "powerauth", ours, control, lambda: start(office) and None, "verify-agreeing")
        portal = Onegini(ours.port)
        measure_answers(table, "OTP transactions of Onegini", "onegini", ours, control, portal.start)

        def session():
            return json.loads(office.expect(200, "POST", "/miracl/rps/v2/session", {"projectId": "understudy"}))["qrURL"]

        measure_answers(table, "logins of MIRACL", "miracl", ours, control, session, "mpin", protocol="mfa")

    with understudy() as ours, Connection(ours.port) as control, Connection(ours.port, OFFICE) as office:
        worlds = [f"/w/phones-{number}" for number in range(WORLDS)]
        for world in worlds:
            control.expect(201, "POST", CONTROL + "/worlds", {"name": world[3:]})
            control.expect(200, "POST", world + CONTROL + "/phones/ada/enrol", {})
            control.expect(200, "PATCH", world + CONTROL + "/phones/ada", {"policy": "approve"})
        table.add(f"resident memory, {WORLDS:,} enrolled phones in as many worlds", ours.memory, "MiB", bar=128)
        before, began = ours.cpu, time.perf_counter()
        left = [(world, start(office, world)) for world in worlds]
        while left:
            left = [(world, operation) for world, operation in left if is_open(office, world, operation)]
        seconds = time.perf_counter() - began
        table.add("operations that they approve by themselves", WORLDS / seconds, "/s")
        table.add("  CPU of phones and server for each", (ours.cpu - before) / WORLDS * 1e3, "ms")
        table.add("resident memory after that", ours.memory, "MiB", bar=128)
