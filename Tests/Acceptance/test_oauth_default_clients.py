"""Libraries that send the secret of a client in the form, on the clients of the built-in fixtures as they are: django-allauth
and MSAL.

Sources: RFC 6749 §2.3.1; Token Server documentation, “Client authentication methods”: header field or form.
"""

import sys
import types

import msal
import pytest

from oauth_browser import ADA, Browser

CALLBACK = "http://localhost:3000/callback"


@pytest.fixture(scope="module")
def django():
    """A Django site at http://localhost:8000 whose users log in at an OpenID provider, and nothing else."""
    import django
    from django.conf import settings
    from django.core.management import call_command
    from django.urls import include, path

    # Once in a process, as often as this module is asked for.
    if settings.configured:
        return django
    settings.configure(
        SECRET_KEY="test", ALLOWED_HOSTS=["*"], ROOT_URLCONF="portal_urls", SITE_ID=1, USE_TZ=True, LOGIN_REDIRECT_URL="/",
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions",
                        "django.contrib.messages", "allauth", "allauth.account", "allauth.socialaccount",
                        "allauth.socialaccount.providers.openid_connect"],
        MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware",
                    "django.contrib.auth.middleware.AuthenticationMiddleware",
                    "django.contrib.messages.middleware.MessageMiddleware", "allauth.account.middleware.AccountMiddleware"],
        TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "OPTIONS": {
            "context_processors": ["django.template.context_processors.request",
                                   "django.contrib.auth.context_processors.auth"]}}],
        AUTHENTICATION_BACKENDS=["allauth.account.auth_backends.AuthenticationBackend"])
    django.setup()

    urls = types.ModuleType("portal_urls")
    urls.urlpatterns = [
        path("accounts/", include("allauth.urls")),
    ]
    sys.modules["portal_urls"] = urls
    call_command("migrate", verbosity=0)
    return django


@pytest.mark.parametrize("method", [None, "client_secret_post", "client_secret_basic"])
def test_a_django_site_logs_a_user_in_with_the_built_in_client(django, issuer, browser, method):
    from allauth.socialaccount.models import SocialAccount
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.test import Client

    User.objects.all().delete()
    how = {"token_auth_method": method} if method else {}
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [{
        "provider_id": "understudy", "name": "Understudy", "client_id": "portal", "secret": "portal-secret",
        "settings": {"server_url": issuer + "/.well-known/openid-configuration"} | how}]}}
    site = Client(headers={"host": "localhost:8000"})
    away = site.post("/accounts/oidc/understudy/login/")
    assert away.status_code == 302, away.content

    arrival = browser.authorize(away["Location"])
    assert arrival.address == "http://localhost:8000/accounts/oidc/understudy/login/callback/"
    back = site.get(arrival.url.removeprefix("http://localhost:8000"))
    assert (back.status_code, back["Location"]) == (302, "/"), back.content
    [account] = SocialAccount.objects.all()
    assert account.uid == ADA and account.extra_data["userinfo"]["name"] == "Ada Lovelace"
    # What the ID token says beside UserInfo.
    assert account.extra_data["id_token"]["given_name"] == "Ada"


@pytest.fixture
def tls(start, certificate, monkeypatch):
    """The issuer of a program that speaks HTTPS, which MSAL demands, and its certificate."""
    server = start("--tls", "{},{}".format(*certificate))
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate[0]))
    return server.url + "/oauth", str(certificate[0])


def test_msal_logs_a_user_in_with_the_built_in_client(tls):
    authority, trusted = tls
    app = msal.ConfidentialClientApplication(
        "web-app", client_credential="web-app-secret", oidc_authority=authority, verify=trusted)
    flow = app.initiate_auth_code_flow(["email"], redirect_uri=CALLBACK, response_mode="form_post")
    arrival = Browser(trusted).authorize(flow["auth_uri"])
    token = app.acquire_token_by_auth_code_flow(flow, arrival.parameters)
    assert "access_token" in token, token
    assert token["id_token_claims"]["sub"] == ADA and token["id_token_claims"]["name"] == "Ada Lovelace"

    [account] = app.get_accounts()
    again = app.acquire_token_silent(["email"], account, force_refresh=True)
    assert again["access_token"] != token["access_token"]


def test_msal_gets_a_token_for_the_built_in_back_end(tls):
    authority, trusted = tls
    app = msal.ConfidentialClientApplication(
        "backend", client_credential="backend-secret", oidc_authority=authority, verify=trusted)
    token = app.acquire_token_for_client(["accounts:read"])
    assert "access_token" in token, token
