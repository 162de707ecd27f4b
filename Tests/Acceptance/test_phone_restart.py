"""What phones have before them, by the clock of their world: it is kept in rows, so that a restart, a snapshot and an export have it too."""

from phones import Phone
from powerauth_backend import INTEGRATION, Backend
from understudy import until


def pings(world):
    return [entry for entry in world.journal(limit=1000) if entry.get("exchange", {}).get("target", "").endswith("/ping")]


def start_operation(world):
    return Backend(world.url + "/powerauth-cloud", INTEGRATION).ask("POST", "/v2/operations", {"template": "login", "userId": "ada"})["operationId"]


def state(world, operation):
    return Backend(world.url + "/powerauth-cloud", INTEGRATION).ask("GET", f"/v2/operations/{operation}")["status"]


def test_a_restart_keeps_what_is_due(start, tmp_path):
    server = start("--data", tmp_path / "data")
    world = server.default_world
    ada = Phone(world, "ada")
    ada.enrol(platform="powerauth")
    ada.enrol(platform="nextauth")
    operation = start_operation(world)
    assert ada.approve(operation, after=5)["kind"] == "scheduled"
    world.control("PUT", "/clock", json={"frozen": True})

    server.kill()
    server.start()
    world = server.default_world
    assert state(world, operation) == "PENDING" and pings(world) == []
    # Nobody touches the phone: the clock alone goes on.
    world.control("POST", "/clock/advance", json={"seconds": 6})
    until(lambda: state(world, operation) == "APPROVED", "the answer that was planned before the restart")
    world.control("POST", "/clock/advance", json={"seconds": 160})
    until(lambda: pings(world), "the ping of the enrolment's session")


def test_a_restart_keeps_the_clock_of_plans_running(start, tmp_path):
    server = start("--data", tmp_path / "data")
    world = server.default_world
    ada = Phone(world, "ada")
    ada.enrol(platform="powerauth")
    operation = start_operation(world)
    assert ada.approve(operation, after=2)["kind"] == "scheduled"
    server.kill()
    server.start()
    until(lambda: state(server.default_world, operation) == "APPROVED", "the answer that was planned before the restart")


def test_a_snapshot_and_an_export_keep_what_is_due(world, make_world):
    ada = Phone(world, "ada")
    ada.enrol(platform="nextauth")
    world.control("PUT", "/clock", json={"frozen": True})
    assert world.control("POST", "/snapshots", json={"name": "enrolled"}).status_code == 201
    copies = [make_world(fixtures=world.get("/fixtures"), clock=world.get("/clock")["now"], frozen=True),
              make_world(**{"from": {"world": world.name, "snapshot": "enrolled"}})]
    for copy in copies:
        copy.advance(160)
        until(lambda: pings(copy), "the ping in the copy")  # noqa: B023
    # The phone was deleted, and with the snapshot it is back.
    assert world.control("DELETE", "/phones/ada").status_code == 204
    world.advance(160)
    assert pings(world) == []
    assert world.control("POST", "/snapshots/enrolled/restore", json={}).status_code == 204
    world.advance(160)
    until(lambda: pings(world), "the ping after the restoration")
