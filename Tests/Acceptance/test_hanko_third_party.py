"""Sign-in to Hanko with an account of the token server, which plays Google: in a real browser, by classic endpoints and by a flow."""

import base64
import hashlib
import secrets
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import requests

#: Where the client wants the browser back. Nobody listens there: the test answers.
BACK = "http://localhost:3000/back"


@pytest.fixture
def page(chromium):
    context = chromium.new_context()
    page = context.new_page()
    page.route(BACK + "**", lambda route: route.fulfill(body="back", content_type="text/plain"))
    page.route("http://localhost:8888/**", lambda route: route.fulfill(body="error", content_type="text/plain"))
    yield page
    context.close()


def arrive(page, place=BACK):
    """The query that the browser came back with."""
    page.wait_for_url(place + "**")
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def sign_in(page, url, person="Ada Lovelace"):
    """At the provider, which asks for no consent."""
    page.goto(url)
    page.get_by_role("button", name=person).click()


def ask_for_consent(world):
    """From now on the provider asks before it tells an address."""
    fixtures = world.get("/fixtures")
    [scope] = [scope for scope in fixtures["onegini"]["oauth"]["scopes"] if scope["name"] == "email"]
    scope["needs_consent"] = True
    loaded = world.control("PUT", "/fixtures", json=fixtures)
    assert loaded.ok, loaded.text


def classic(world):
    return world.hanko + "/thirdparty/auth?" + urlencode({"provider": "google", "redirect_to": BACK})


def test_an_account_with_a_known_address_is_linked_and_its_token_is_good_once(world, page):
    sign_in(page, classic(world))
    token = arrive(page)["hanko_token"]

    first = requests.post(world.hanko + "/token", json={"value": token}, timeout=30)
    assert (first.status_code, first.json()) == (200, {"user_id": "ada00000-0000-4000-8000-000000000001"})
    bearer = {"Authorization": "Bearer " + first.headers["X-Auth-Token"]}
    me = requests.get(world.hanko + "/me", headers=bearer, timeout=30).json()
    assert [identity["provider"] for identity in me["identities"]] == ["Google"]
    assert me["emails"][0]["identity"] == me["identities"][0]
    again = requests.post(world.hanko + "/token", json={"value": token}, timeout=30)
    assert (again.status_code, again.json()) == (404, {"code": 404, "message": "token not found"})


@pytest.mark.parametrize("name", ["Google", "GOOGLE", "google"])
@pytest.mark.parametrize("place", ["hanko.localhost", "blue--hanko.localhost"])
def test_hanko_at_a_host_of_its_own_and_its_provider_find_each_other(server, page, place, name):
    world = place.removesuffix("hanko.localhost").removesuffix("--")
    if world and world not in requests.get(f"{server.url}/_understudy/v1/worlds", timeout=30).text:
        requests.post(f"{server.url}/_understudy/v1/worlds", json={"name": world}, timeout=30)
    query = urlencode({"provider": name, "redirect_to": BACK})
    sign_in(page, f"{server.url.replace('localhost', place)}/thirdparty/auth?{query}")
    assert arrive(page)["hanko_token"]


@pytest.mark.parametrize("redirect_to", ["http://localhost:3000@evil.test/", "http://localhost:x@evil.test"])
def test_a_redirect_with_user_information_is_refused(world, redirect_to):
    query = urlencode({"provider": "google", "redirect_to": redirect_to})
    refused = requests.get(f"{world.hanko}/thirdparty/auth?{query}", allow_redirects=False, timeout=30)
    error = parse_qs(urlsplit(refused.headers["Location"]).query)
    assert error["error"] == ["invalid_request"]
    assert error["error_description"] == [f"redirect to '{redirect_to}' not allowed"]


def test_whoever_denies_comes_back_with_the_error(world, page):
    ask_for_consent(world)
    sign_in(page, classic(world))
    page.get_by_role("button", name="Deny").click()
    error = arrive(page, "http://localhost:8888/error")
    assert error["error"] == "access_denied"
    assert any("access_denied" in event["explanation"] for event in world.journal(kind="event", limit=50))


def test_a_state_that_another_browser_brings_back_is_refused(world, page, chromium):
    started = requests.get(classic(world), allow_redirects=False, timeout=30)
    assert started.status_code == 307
    sign_in(page, started.headers["Location"])
    error = arrive(page, "http://localhost:8888/error")
    assert error["error"] == "invalid_request"


def test_a_flow_signs_in_with_proof_of_the_code_verifier(world, page):
    verifier = secrets.token_urlsafe(48)

    def run(answer, action, **inputs):
        href = answer["actions"][action]["href"]
        return requests.post(
            world.hanko + href, json={"input_data": inputs, "csrf_token": answer["csrf_token"]}, timeout=30)

    state = requests.post(world.hanko + "/login", timeout=30).json()
    state = run(state, "register_client_capabilities", webauthn_available=False).json()
    providers = state["actions"]["thirdparty_oauth"]["inputs"]["provider"]["allowed_values"]
    assert providers == [{"value": "google", "name": "Google"}]
    refused = run(state, "thirdparty_oauth", provider="google", redirect_to="http://evil.test/")
    assert refused.status_code == 400
    state = run(
        refused.json(), "thirdparty_oauth", provider="google", redirect_to=BACK, code_verifier=verifier).json()
    assert state["name"] == "thirdparty"
    query = parse_qs(urlsplit(state["payload"]["redirect_url"]).query)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    assert (query["code_challenge"], query["code_challenge_method"]) == ([challenge], ["S256"])

    sign_in(page, state["payload"]["redirect_url"])
    token = arrive(page)["hanko_token"]
    wrong = run(state, "exchange_token", token=token, code_verifier=secrets.token_urlsafe(48))
    assert wrong.status_code == 400
    done = run(wrong.json(), "exchange_token", token=token, code_verifier=verifier)
    assert done.json()["name"] == "success", done.text
    assert done.json()["payload"]["last_login"] == {
        "login_method": "third_party", "third_party_provider": "google"}
    assert done.json()["payload"]["claims"]["amr"] == ["ext:google"]
    assert done.headers["X-Auth-Token"]
