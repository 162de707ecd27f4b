"""Activation by OpenID Connect with the providers as they are shipped: the token server of the same world, at any address."""

import base64
import hashlib
import os
from urllib.parse import urlencode

import jwt
import pytest
import requests

from oauth_browser import Browser
from powerauth_answers import Refused
from powerauth_device import Device


def log_in(told, pkce):
    """What an app does with the provider's settings: a login in a browser, and the code that comes back."""
    nonce, verifier = base64.urlsafe_b64encode(os.urandom(24)).decode(), None
    query = {"client_id": told["clientId"], "redirect_uri": told["redirectUri"], "scope": told["scopes"],
             "response_type": "code", "nonce": nonce, "state": "state"}
    if pkce:
        verifier = base64.urlsafe_b64encode(os.urandom(48)).decode()
        digest = hashlib.sha256(verifier.encode()).digest()
        query |= {"code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="), "code_challenge_method": "S256"}
    landed = Browser().authorize(told["authorizeUri"] + "?" + urlencode(query))
    assert landed.address == told["redirectUri"] and "code" in landed.query, landed.url
    identity = {"method": "oidc", "providerId": told["providerId"], "code": landed.query["code"], "nonce": nonce}
    return identity | ({"codeVerifier": verifier} if verifier else {})


def settings(phone, provider):
    return phone.encrypted("/api/config/oidc", "/pa/generic/application", {"providerId": provider}, scope="application")["responseObject"]


@pytest.mark.parametrize("provider, pkce", [("understudy", False), ("understudy-pkce", True)])
def test_an_app_is_activated_by_a_login(world, enrollment, backend, configuration, provider, pkce):
    phone = Device(enrollment, configuration)
    told = settings(phone, provider)
    assert told["authorizeUri"] == world.url + "/oauth/v1/authorize" and told["pkceEnabled"] is pkce
    phone.create_activation("DIRECT", log_in(told, pkce))
    assert phone.status().state == "ACTIVE"
    assert backend.registration(phone.activation_id)["userId"] == "ada"


@pytest.mark.parametrize("provider, pkce", [("understudy", False), ("understudy-pkce", True)])
def test_a_server_in_front_finds_the_provider_by_what_it_is_told(world, application, provider, pkce):
    told = requests.post(
        world.url + "/powerauth-java-server/rest/v3/application/config/detail",
        json={"requestObject": {"applicationId": application}}, timeout=30).json()["responseObject"]["applicationConfigs"]
    [values] = [config["values"] for config in told if config["key"] == "oauth2_providers"]
    [settings] = [each for each in values if each["providerId"] == provider]
    assert settings["issuerUri"] == world.url + "/oauth" and settings["redirectUri"] == "com.example.app:/oidc"

    identity = log_in(settings, pkce)
    form = {"grant_type": "authorization_code", "code": identity["code"], "redirect_uri": settings["redirectUri"]}
    if pkce:
        form |= {"client_id": settings["clientId"], "code_verifier": identity["codeVerifier"]}
    login = (settings["clientId"], settings["clientSecret"]) if "clientSecret" in settings else None
    tokens = requests.post(settings["tokenUri"], data=form, auth=login, timeout=30).json()
    key = jwt.PyJWKClient(settings["jwkSetUri"]).get_signing_key_from_jwt(tokens["id_token"])
    claims = jwt.decode(
        tokens["id_token"], key, algorithms=["RS256"], audience=settings["clientId"], issuer=settings["issuerUri"])
    assert (claims["sub"], claims["nonce"]) == ("ada", identity["nonce"])


def test_a_code_is_good_once_and_in_its_own_world(world, make_world, configuration, refused):
    worlds = [make_world(), world]
    phones = [Device(each.url + "/enrollment-server", configuration) for each in worlds]
    identity = log_in(settings(phones[0], "understudy"), False)
    with refused(400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID"):
        phones[1].create_activation("DIRECT", identity)
    phones[0].create_activation("DIRECT", identity)
    with pytest.raises(Refused):
        phones[0].create_activation("DIRECT", identity)


def test_who_has_no_network_uses_the_fake_one(enrollment, backend, configuration):
    phone = Device(enrollment, configuration)
    phone.create_activation("DIRECT", {"method": "oidc", "providerId": "understudy-fake", "code": "any", "nonce": "n"})
    assert backend.registration(phone.activation_id)["userId"] == "ada"
