"""Simulated phones: how many operations one approves, and what a thousand that answer by themselves take."""

import json
import time

from tools import Connection, understudy

WORLDS = 1000
OPERATIONS = 200
OFFICE = {"Authorization": "Basic YmFjay1vZmZpY2U6YmFjay1vZmZpY2Utc2VjcmV0"}
CONTROL = "/_understudy/v1"


def start(office, world=""):
    answer = office.expect(200, "POST", f"{world}/powerauth-cloud/v2/operations", {"template": "login", "userId": "ada"})
    return json.loads(answer)["operationId"]


def is_open(office, world, operation):
    answer = office.expect(200, "GET", f"{world}/powerauth-cloud/v2/operations/{operation}")
    return json.loads(answer)["status"] == "PENDING"


def measure_phones(table):
    with understudy() as ours, Connection(ours.port) as control, Connection(ours.port, OFFICE) as office:
        control.expect(200, "POST", CONTROL + "/phones/ada/enrol", {})
        before, began = ours.cpu, time.perf_counter()
        for _ in range(OPERATIONS):
            start(office)
            control.expect(200, "POST", CONTROL + "/phones/ada/approve", {})
        seconds = time.perf_counter() - began
        table.add("operations that one phone approves with its PIN", OPERATIONS / seconds, "/s")
        table.add("  CPU of phone and server for each", (ours.cpu - before) / OPERATIONS * 1e3, "ms")

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
        table.add("resident memory after that", ours.memory, "MiB")
