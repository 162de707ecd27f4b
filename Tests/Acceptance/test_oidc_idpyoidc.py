"""The token server as idpyoidc sees it, a relying party that registers itself, logs users in, and hears of logouts.

Sources: OpenID Connect Core, Discovery, Dynamic Client Registration, RP-Initiated Logout and Back-Channel Logout, all 1.0;
RFC 7591, 7592, 7636.
"""

import pytest
import requests
from cryptojwt.exception import BadSignature
from cryptojwt.key_jar import init_key_jar
from idpyoidc.client.oauth2.stand_alone_client import backchannel_logout
from idpyoidc.client.rp_handler import RPHandler

from oauth_browser import CALLBACK, Arrival, register

OIDC = "idpyoidc.client.oidc."
SERVICES = {
    "discovery": {"class": OIDC + "provider_info_discovery.ProviderInfoDiscovery"},
    "registration": {"class": OIDC + "registration.Registration"},
    "registration_read": {"class": OIDC + "read_registration.RegistrationRead"},
    "authorization": {"class": OIDC + "authorization.Authorization"},
    "accesstoken": {"class": OIDC + "access_token.AccessToken"},
    "refresh_token": {"class": OIDC + "refresh_access_token.RefreshAccessToken"},
    "userinfo": {"class": OIDC + "userinfo.UserInfo"},
    "end_session": {"class": OIDC + "end_session.EndSession"},
    "introspection": {"class": "idpyoidc.client.oauth2.introspection.Introspection"},
    "revocation": {"class": "idpyoidc.client.oauth2.token_revocation.TokenRevocation"},
}
PKCE = {"pkce": {"function": "idpyoidc.client.oauth2.add_on.pkce.add_support",
                 "kwargs": {"code_challenge_length": 64, "code_challenge_method": "S256"}}}
KEYS = [{"type": "RSA", "use": ["sig"]}, {"type": "EC", "crv": "P-256", "use": ["sig"]}]
LOGGED_OUT = "https://app.example.test/logged-out"


@pytest.fixture
def make_party(issuer):
    """Makes a relying party that knows nothing but the issuer."""
    def make(**more):
        config = {
            "issuer": issuer, "client_type": "oidc", "client_name": "Acceptance", "redirect_uris": [CALLBACK],
            "response_types_supported": ["code"], "scopes_supported": ["openid", "profile", "email", "offline_access"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic"], "services": SERVICES, "add_ons": PKCE,
            "client_authn_methods": ["client_secret_basic", "client_secret_post", "private_key_jwt"]} | more
        return RPHandler(
            base_url="https://app.example.test", client_configs={issuer: config}, services=SERVICES,
            key_conf={"key_defs": KEYS})

    return make


@pytest.fixture
def make_known_party(issuer, make_party):
    """Makes one that was registered before, with what the library has no words for."""
    def make(**metadata):
        keys = init_key_jar(key_defs=KEYS, issuer_id="")
        known = register(issuer, jwks=keys.export_jwks(), **metadata)
        party = make_party(
            client_id=known["client_id"], client_secret=known.get("client_secret"),
            token_endpoint_auth_methods_supported=[known["token_endpoint_auth_method"]])
        party.keyjar = keys
        return party

    return make


def log_in(party, issuer, browser):
    """A client that discovered and registered, and what it found out about the user."""
    url = party.begin(issuer)
    arrival = browser.authorize(url)
    found = party.finalize(issuer, arrival.query)
    assert "error" not in found, found
    return party.issuer2rp[issuer], found


def test_a_relying_party_that_knows_the_issuer_alone_logs_a_user_in(issuer, make_party, browser):
    client, found = log_in(make_party(), issuer, browser)
    assert found["issuer"] == issuer and found["id_token"]["iss"] == issuer
    assert found["userinfo"]["name"] == "Ada Lovelace" and found["userinfo"]["sub"] == found["id_token"]["sub"]
    assert client.get_context().registration_response["client_secret"]


def test_it_proves_itself_in_the_form(issuer, make_party, browser):
    client, found = log_in(make_party(token_endpoint_auth_methods_supported=["client_secret_post"]), issuer, browser)
    assert client.get_context().registration_response["token_endpoint_auth_method"] == "client_secret_post"
    assert found["userinfo"]["name"] == "Ada Lovelace"


def test_it_proves_itself_with_a_key(issuer, make_known_party, browser):
    _, found = log_in(make_known_party(token_endpoint_auth_method="private_key_jwt"), issuer, browser)
    assert found["userinfo"]["name"] == "Ada Lovelace"


def test_it_renews_its_token(issuer, make_known_party, browser):
    party = make_known_party(grant_types=["authorization_code", "refresh_token"])
    _, found = log_in(party, issuer, browser)
    renewed = party.refresh_access_token(found["state"])
    assert renewed["access_token"] != found["token"]
    assert party.get_user_info(found["state"], access_token=renewed["access_token"])["name"] == "Ada Lovelace"


def test_it_asks_about_its_token_and_revokes_it(issuer, make_party, browser):
    client, found = log_in(make_party(), issuer, browser)
    asked = client.do_request("introspection", request_args={"token": found["token"]})
    assert asked["active"] is True and asked["sub"] == found["id_token"]["sub"]

    # The library's own call wants a body, which RFC 7009 §2.2 does not.
    order = client.get_service("token_revocation").get_request_parameters(request_args={"token": found["token"]})
    ended = requests.request(order["method"], order["url"], data=order["body"], headers=order["headers"], timeout=30)
    assert (ended.status_code, ended.text) == (200, "")
    assert client.do_request("introspection", request_args={"token": found["token"]})["active"] is False


def test_it_reads_its_registration(issuer, make_party, browser):
    client, _ = log_in(make_party(), issuer, browser)
    read = client.do_request("registration_read")
    assert read["client_id"] == client.get_client_id() and read["redirect_uris"] == [CALLBACK]
    assert read["client_name"] == "Acceptance"


def test_it_changes_and_takes_back_its_registration(issuer, make_party, browser):
    client, found = log_in(make_party(), issuer, browser)
    registered = client.get_context().registration_response.to_dict()
    place, bearer = registered["registration_client_uri"], registered["registration_access_token"]
    headers = {"Authorization": "Bearer " + bearer}

    order = {"client_id": registered["client_id"], "redirect_uris": [CALLBACK], "client_name": "Renamed"}
    changed = requests.put(place, json=order, headers=headers, timeout=30)
    assert changed.status_code == 200, changed.text
    assert changed.json()["client_name"] == "Renamed"
    assert requests.get(place, headers={"Authorization": "Bearer wrong"}, timeout=30).status_code == 401

    headers = {"Authorization": "Bearer " + changed.json().get("registration_access_token", bearer)}
    assert requests.delete(place, headers=headers, timeout=30).status_code == 204
    assert requests.get(place, headers=headers, timeout=30).status_code == 401
    told = requests.get(client.get_context().provider_info["userinfo_endpoint"],
                        headers={"Authorization": "Bearer " + found["token"]}, timeout=30)
    assert told.status_code == 401


def test_it_ends_the_session_of_the_browser(issuer, make_known_party, browser):
    party = make_known_party(post_logout_redirect_uris=[LOGGED_OUT])
    _, found = log_in(party, issuer, browser)
    assert isinstance(browser.open(party.begin(issuer, req_args={"prompt": "none"})), Arrival)

    order = party.logout(found["state"], post_logout_redirect_uri=LOGGED_OUT)
    arrival = browser.open(order["url"])
    assert arrival.address == LOGGED_OUT and arrival.query["state"] == order["request"]["state"]
    silent = browser.open(party.begin(issuer, req_args={"prompt": "none"}))
    assert silent.query["error"] == "login_required"


def test_it_hears_at_its_server_that_the_session_ended(issuer, make_party, browser, receiver):
    leaving, told = make_party(), make_party(
        backchannel_logout_uri=receiver.url + "/backchannel", backchannel_logout_session_required=True)
    client, found = log_in(told, issuer, browser)
    _, other = log_in(leaving, issuer, browser)

    browser.open(leaving.logout(other["state"])["url"])
    notice = receiver.wait("/backchannel")[0]
    assert notice["headers"]["Content-Type"] == "application/x-www-form-urlencoded"
    assert backchannel_logout(client, request=notice["body"]) == found["state"]
    with pytest.raises(BadSignature):
        backchannel_logout(client, request_args={"logout_token": notice["form"]["logout_token"][:-4] + "AAAA"})
