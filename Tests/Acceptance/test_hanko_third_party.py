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


def sign_in(page, url, person="Ada Lovelace", decision="Allow"):
    """At the provider, which says whom it plays, and asks for consent."""
    page.goto(url)
    page.get_by_role("heading", name="Sign in with Google").wait_for()
    page.get_by_role("button", name=person).click()
    page.get_by_role("button", name=decision).click()


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
    world = place.removesuffix("hanko.localhost").removesuffix("--") or "default"
    worlds = f"{server.url}/_understudy/v1/worlds"
    if world not in requests.get(worlds, timeout=30).text:
        requests.post(worlds, json={"name": world}, timeout=30)
    # Consent is asked for once.
    requests.post(f"{worlds}/{world}/reset", timeout=30)
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
    sign_in(page, classic(world), decision="Deny")
    error = arrive(page, "http://localhost:8888/error")
    assert error["error"] == "access_denied"
    assert any("access_denied" in event["explanation"] for event in world.journal(kind="event", limit=50))


def test_another_account_can_be_chosen_at_the_consent(world, page):
    sign_in(page, classic(world), decision="Use another account")
    page.get_by_role("button", name="Grace Hopper").click()
    page.get_by_text("You are logged in at Google as Grace Hopper").wait_for()
    page.get_by_role("button", name="Allow").click()
    # Her address is not verified, Ada's is.
    assert arrive(page, "http://localhost:8888/error")["error"] == "unverified_email"


def test_whoever_cancels_at_the_provider_comes_back_with_the_error(world, page):
    page.goto(classic(world))
    page.get_by_role("button", name="Cancel").click()
    assert arrive(page, "http://localhost:8888/error")["error"] == "access_denied"


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
