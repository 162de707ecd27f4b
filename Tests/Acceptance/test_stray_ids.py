"""What one world gave out and another is sent: the journal names the world, on every platform."""

import pytest
import requests

from understudy import CONTROL


@pytest.fixture(scope="module")
def two(server):
    made = [requests.post(server.url + CONTROL + "/worlds", json={}, timeout=30).json() for _ in range(2)]
    return [(world["name"], world["baseURL"]) for world in made]


def told(url):
    entries = requests.get(url + CONTROL + "/journal?limit=20", timeout=30).json()["entries"]
    return next(entry["explanation"] for entry in entries if entry["kind"] == "request")


def test_a_flow_of_hanko(two):
    (name, blue), (_, red) = two
    flow = requests.post(blue + "/hanko/login", json={}, timeout=30).json()
    href = flow["actions"]["register_client_capabilities"]["href"]
    query = href[href.index("/login"):]
    refused = requests.post(red + "/hanko" + query, timeout=30,
                            json={"input_data": {"webauthn_available": False}, "csrf_token": flow["csrf_token"]})
    assert refused.status_code >= 400
    assert f"of the world “{name}”" in told(red) and told(red).count(f"“{name}”") == 1


def test_a_passcode_of_hanko_is_named_once(two):
    (name, blue), (_, red) = two
    user = requests.post(blue + "/hanko/user", json={"email": "ada@example.com"}, timeout=30).json()["id"]
    passcode = requests.post(blue + "/hanko/passcode/login/initialize", json={"user_id": user}, timeout=30).json()["id"]
    refused = requests.post(red + "/hanko/passcode/login/finalize", json={"id": passcode, "code": "123456"}, timeout=30)
    assert refused.status_code == 401
    assert told(red).count(f"“{name}”") == 1


def test_an_access_code_of_miracl(two):
    (name, blue), (_, red) = two
    export = requests.get(blue + CONTROL + "/fixtures", timeout=30).json()
    project = export["miracl"]["projects"][0]["id"]
    session = requests.post(blue + "/miracl/rps/v2/session", timeout=30, json={"projectId": project, "userId": "ada@example.com", "description": "x"})
    assert session.status_code == 200, session.text
    access = session.json()["accessId"] if "accessId" in session.json() else session.json()["qrURL"].rsplit("#", 1)[1]
    refused = requests.post(red + "/miracl/rps/v2/codeStatus", timeout=30, json={"status": "wid", "wid": access, "projectId": project})
    assert refused.status_code == 404, refused.text
    assert f"of the world “{name}”" in told(red)


CLERK = ("back-office", "back-office-secret")


def test_an_operation_of_powerauth(two):
    (name, blue), (_, red) = two
    made = requests.post(blue + "/powerauth-cloud/v2/operations", timeout=30, auth=CLERK, json={"userId": "ada", "template": "login"})
    assert made.status_code == 200, made.text
    refused = requests.get(red + "/powerauth-cloud/v2/operations/" + made.json()["operationId"], timeout=30, auth=CLERK)
    assert refused.status_code >= 400
    assert f"of the world “{name}”" in told(red)


def test_an_activation_code_of_powerauth(two):
    """It comes encrypted."""
    (name, blue), (_, red) = two
    made = requests.post(blue + "/powerauth-cloud/v2/registrations", timeout=30, auth=CLERK, json={"userId": "eva", "appId": "my-app"})
    assert made.status_code == 200, made.text
    phones = red + CONTROL + "/phones"
    requests.post(phones, json={"name": "eva", "owner": "eva"}, timeout=30).raise_for_status()
    scanned = requests.post(phones + "/eva/scan", json={"text": made.json()["activationQrCodeData"], "pin": "7319"}, timeout=30)
    assert scanned.status_code >= 400
    entries = requests.get(red + CONTROL + "/journal?platform=powerauth&status=400&limit=5", timeout=30).json()["entries"]
    assert f"The activation code is one of the world “{name}”" in entries[0]["explanation"]


def test_an_installation_of_nextauth(two):
    (name, blue), (_, red) = two
    made = requests.post(blue + "/nextauth/device/v1/instances", timeout=30, json={
        "platform": "test", "clientVersion": "1.0"})
    assert made.status_code == 200, made.text
    refused = requests.get(red + "/nextauth/device/v1/instance", timeout=30, headers={"Authorization": "Device " + made.json()["token"]})
    assert refused.status_code == 401
    assert f"of the world “{name}”" in told(red)


def test_what_both_gave_out_names_neither(server):
    api = server.url + CONTROL
    names = ["twin-a", "twin-b", "twin-c"]
    worlds = [requests.post(api + "/worlds", json={"name": name, "seed": 5}, timeout=30).json()["baseURL"] for name in names[:2]]
    third = requests.post(api + "/worlds", json={"name": names[2], "seed": 6}, timeout=30).json()["baseURL"]
    ids = set()
    for world in worlds:
        user = requests.post(world + "/hanko/user", json={"email": "ada@example.com"}, timeout=30).json()["id"]
        ids.add(requests.post(world + "/hanko/passcode/login/initialize", json={"user_id": user}, timeout=30).json()["id"])
    assert len(ids) == 1
    requests.post(third + "/hanko/passcode/login/finalize", json={"id": ids.pop(), "code": "123456"}, timeout=30)
    assert "twin-" not in told(third)
