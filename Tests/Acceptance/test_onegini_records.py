"""Users, clients, devices, enrolments, sessions and tokens of the token server, as the console shows and changes them."""

import re

import pytest
import requests


@pytest.fixture
def records(world):
    def find(kind, **wanted):
        found = world.get("/records", platform="onegini", kind=kind, **wanted)["records"]
        assert all(record["kind"] == kind for record in found)
        return found

    return find


def act(world, record, action, **inputs):
    return world.control(
        "POST", f"/records/onegini/{requests.utils.quote(record['id'], safe='')}/{action}", json={"inputs": inputs})



def facts(record):
    return {fact["name"]: fact["value"] for fact in record["facts"]}


def test_the_cast_has_its_users_clients_devices_profiles_and_enrolments(world, records):
    assert {"ada", "grace"} <= {record["user"] for record in records("user")}
    assert {"portal", "portal-api"} <= {facts(record)["Client ID"] for record in records("client")}
    assert [record["user"] for record in records("device")] == ["ada"]
    assert facts(records("profile")[0])["Wrong attempts"] == "0 of 3"
    assert records("enrolment", user="ada")[0]["state"] == "enrolled"


def test_an_id_may_have_spaces_but_is_not_spaces_alone(world):
    def made(sub):
        return world.control("POST", "/records", json={"platform": "onegini", "kind": "user", "inputs": {"sub": sub, "username": sub}})

    assert made("jo smith").status_code == 201
    assert world.get("/records/onegini/user%3Ajo%20smith")["user"] == "jo smith"
    refused = made("   ")
    assert refused.status_code == 400 and refused.json()["detail"] == "The value “sub” is missing."


def test_a_profile_is_disconnected_with_its_enrolment(world, records):
    profile = records("profile", user="ada")[0]
    assert act(world, profile, "disconnect").status_code == 204
    assert records("profile") == [] and records("enrolment") == []
    assert len(records("device")) == 1, "the device stays"


def test_an_enrolment_is_revoked_and_the_profile_stays(world, records):
    assert act(world, records("enrolment")[0], "revoke").status_code == 204
    assert records("enrolment") == [] and len(records("profile")) == 1


def test_a_device_is_removed_with_everything_on_it(world, records):
    assert act(world, records("device")[0], "remove").status_code == 204
    assert records("device") == [] and records("profile") == [] and records("enrolment") == []


def test_a_pin_counter_is_reset(make_world):
    world = make_world()
    section = world.get("/fixtures")["onegini"]
    section["devices"][0]["profiles"][0]["failures"] = 2
    world = make_world(fixtures={"onegini": section})
    profile = world.get("/records", kind="profile")["records"][0]
    assert facts(profile)["Wrong attempts"] == "2 of 3"
    after = act(world, profile, "reset_counter").json()
    assert facts(after)["Wrong attempts"] == "0 of 3"
    assert act(world, profile, "reset_counter").status_code == 400, "there is nothing left to reset"


def test_a_client_is_made_changed_and_removed(world, records):
    inputs = {"client_id": "shop", "kind": "web", "client_secret": "one", "redirect_uris": "http://localhost:9/back", "scope": "openid"}
    made = world.control("POST", "/records", json={"platform": "onegini", "kind": "client", "inputs": inputs})
    assert made.status_code == 201, made.text
    twice = world.control("POST", "/records", json={"platform": "onegini", "kind": "client", "inputs": inputs})
    assert twice.status_code == 400 and "already" in twice.json()["detail"]
    form = {"grant_type": "authorization_code", "code": "none", "redirect_uri": "http://localhost:9/back"}

    def answer(secret):
        return requests.post(f"{world.url}/oauth/token", data=form, auth=("shop", secret), timeout=30).json()["error"]

    assert (answer("one"), answer("two")) == ("invalid_grant", "invalid_client")
    client = next(record for record in records("client") if facts(record)["Client ID"] == "shop")
    changed = act(world, client, "change", client_secret="two", redirect_uris="http://localhost:9/other\ncom.example:/back", scope="openid")
    assert facts(changed.json())["Redirect URIs"] == "http://localhost:9/other\ncom.example:/back"
    assert (answer("one"), answer("two")) == ("invalid_client", "invalid_grant")
    assert act(world, client, "change", redirect_uris="nowhere").status_code == 400
    assert act(world, client, "remove").status_code == 204
    assert answer("two") == "invalid_client"


def test_a_user_is_made_and_changed_and_logs_in(world, records):
    inputs = {"sub": "eve", "username": "eve", "name": "Eve", "email": "eve@example.com"}
    assert world.control("POST", "/records", json={"platform": "onegini", "kind": "user", "inputs": inputs}).status_code == 201
    eve = next(record for record in records("user") if record["user"] == "eve")
    changed = act(world, eve, "change", username="eve", name="Eve Online")
    assert changed.json()["title"] == "Eve Online"
    page = requests.get(f"{world.url}/devices", {"q": "EVE ONLINE"}, headers={"Accept": "text/html"}, timeout=30).text
    assert re.findall(r'data-id="(onegini/[^"]*)"', page) == ["onegini/user:eve"]


def test_what_was_granted_is_revoked_with_its_tokens(world, records):
    minted = world.control("POST", "/tokens", json={"platform": "onegini", "user": "ada", "client": "dev", "scope": "openid", "kind": "access_token"})
    assert minted.status_code == 201, minted.text
    bearer = {"Authorization": "Bearer " + minted.json()["token"]}
    assert requests.get(f"{world.url}/oauth/v1/userinfo", headers=bearer, timeout=30).status_code == 200
    grant = records("authorization", user="ada")[0]
    assert facts(grant)["Access tokens"].startswith("1, 1 of them")
    assert act(world, grant, "revoke").json()["state"] == "revoked"
    assert requests.get(f"{world.url}/oauth/v1/userinfo", headers=bearer, timeout=30).status_code == 401


def test_the_page_of_a_record_leads_to_what_else_is_told_of_its_user(world, records):
    ada = next(record for record in records("user") if record["user"] == "ada")
    page = requests.get(
        f"{world.url}/devices/onegini/{requests.utils.quote(ada['id'], safe='')}", headers={"Accept": "text/html"}, timeout=30).text
    for place in ("journal?user=ada", "outbox?q=ada", "devices?user=ada"):
        assert f'href="/w/{world.name}/{place}"' in page
    requests.post(f"{world.url}/oauth/token", data={"grant_type": "password", "username": "ada"}, timeout=30)
    assert requests.get(f"{world.url}/journal?user=ada", headers={"Accept": "text/html"}, timeout=30).status_code == 200


def test_what_stands_for_a_device_is_called_like_it(world, records):
    world.control("POST", "/phones/ada/enrol", json={"platform": "onegini"}).raise_for_status()
    device = records("device", user="ada")[0]["title"]
    assert f"ada at {device}" in {record["title"] for record in records("authorization", user="ada")}
    page = requests.get(f"{world.url}/time", headers={"Accept": "text/html"}, timeout=30).text
    client = re.search(r"[0-9A-F]{64}", page)
    assert "Refresh token" in page and not client, "it is told whose it is, not the id of an installation"
