"""`fixtures import`: files of other programs, written anew in the shapes of their documentation, become fixtures with which people log in."""

import shutil
from pathlib import Path

import json5
import jwt
import pytest
import requests

from compilers import run_tool
from oauth_browser import Browser
from test_schema import faults
from understudy import run

FILES = Path(__file__).parent / "foreign"
# RFC 7636 Appendix B.
PKCE = "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"


def imported(*names, folder):
    """The fixtures, the file, and what had no place."""
    file = folder / "team.json"
    done = run("fixtures", "import", *[FILES / name if isinstance(name, str) else name for name in names], "--output", file)
    assert done.returncode == 0, done.stderr
    assert f"understudy serve --fixtures {file}" in done.stdout
    checked = run("fixtures", "check", file)
    assert checked.returncode == 0 and checked.stdout.endswith("fine\n"), checked.stdout + checked.stderr
    document = json5.loads(file.read_text())
    assert faults(document) == []
    notes = done.stderr.splitlines()
    # The file says it too.
    assert all(note.removeprefix("note: ") in file.read_text() for note in notes if note.startswith("note: "))
    return document, file, "\n".join(notes)


def by(name, entries):
    return {entry[name]: entry for entry in entries}


def post(server, client, secret=None, **form):
    return requests.post(server.url + "/oauth/v1/token", data=form | ({} if secret else {"client_id": client}),
                         auth=(client, secret) if secret else None, timeout=30)


def test_a_realm_of_keycloak(start, tmp_path):
    document, file, notes = imported("keycloak-realm.json", folder=tmp_path)
    oauth = document["onegini"]["oauth"]
    clients, users = by("client_id", oauth["clients"]), by("username", oauth["users"])
    assert set(clients) == {"shop", "reader-app", "stock", "shop-api"} and set(users) == {"emma", "otto"}
    shop = clients["shop"]
    assert shop["redirect_uris"] == ["http://localhost:3000/callback", "http://localhost:3000/other"]
    assert shop["post_logout_redirect_uris"] == ["http://localhost:3000/bye", *shop["redirect_uris"]]
    assert set(shop["scope"].split()) == {"openid", "profile", "email", "orders"} and shop["access_token_lifetime"] == 120
    assert shop["grant_types"] == ["authorization_code", "refresh_token", "password"]
    assert clients["reader-app"]["kind"] == "lenient" and clients["reader-app"]["token_endpoint_auth_method"] == "none"
    assert clients["stock"]["grant_types"] == ["client_credentials"] and clients["stock"]["client_secret"] == "stock-secret"
    assert by("name", oauth["scopes"])["orders"] == {"name": "orders", "description": "Your orders", "needs_consent": True}
    claims = users["emma"]["claims"]
    assert claims["email"] == "emma@example.com" and claims["email_verified"] is True and claims["name"] == "Emma Reader"
    assert claims["realm_access"] == {"roles": ["customer"]} and claims["customerNumber"] == "4711" and claims["shelves"] == ["crime", "poetry"]
    for told in ("smtpServer", "requiredActions", "protocolMappers", "SAML", "hashes", "http://localhost:8100/*", "hides its secret", "account", "disabled there", "code_challenge",
                 "pkce.code.challenge.method"):
        assert told in notes, (told, notes)
    server = start("--fixtures", file)
    tokens = post(server, "shop", "shop-secret", grant_type="password", username="emma", password="emma-password", scope="openid email").json()
    told = jwt.decode(tokens["id_token"], options={"verify_signature": False})
    assert told["email"] == "emma@example.com" and told["groups"] == ["/staff"] and tokens["expires_in"] == 120
    assert post(server, "stock", "stock-secret", grant_type="client_credentials").status_code == 200
    landed = Browser().log_in(server.url + "/oauth/v1/authorize?response_type=code&client_id=reader-app&state=s&scope=openid"
                              "&redirect_uri=http://localhost:8100/deep/callback" + PKCE, "otto")
    assert landed.startswith("http://localhost:8100/deep/callback?") and "code=" in landed


def test_a_configuration_of_mock_oauth2_server(start, tmp_path):
    document, file, notes = imported("mock-oauth2-server.json", folder=tmp_path)
    oauth = document["onegini"]["oauth"]
    assert document["clock"] == {"now": "2026-02-01T12:00:00Z"} and oauth["pages"] == {"auto_login": True}
    [client] = oauth["clients"]
    assert client["client_id"] == "catalogue" and client["audiences"] == ["books-api", "loans-api"] and client["access_token_lifetime"] == 120
    assert oauth["users"] == [{"sub": "nora", "claims": {"roles": ["librarian"], "branch": 7}}]
    for told in ("library", "httpServer", "acr", "keyProvider", "scope=loans.read", "grant_type=client_credentials", "at+jwt"):
        assert told in notes, (told, notes)
    server = start("--fixtures", file)
    landed = Browser().log_in(server.url + "/oauth/v1/authorize?response_type=code&client_id=catalogue&state=s&scope=openid+loans.read"
                              "&redirect_uri=http://localhost:9/callback", "nora")
    code = landed.split("code=")[1].split("&")[0]
    tokens = post(server, "catalogue", "anything", grant_type="authorization_code", code=code, redirect_uri="http://localhost:9/callback").json()
    told = jwt.decode(tokens["access_token"], options={"verify_signature": False})
    assert told["sub"] == "nora" and told["aud"] == ["books-api", "loans-api"] and told["roles"] == ["librarian"] and told["branch"] == 7
    assert told["iat"] // 60 * 60 == 1769947200 and told["exp"] - told["iat"] == 120


def test_clients_users_and_scopes_of_oidc_server_mock(start, tmp_path):
    document, file, notes = imported("clients-config.json", "users-config.json", "scopes-config.json", folder=tmp_path)
    oauth = document["onegini"]["oauth"]
    clients = by("client_id", oauth["clients"])
    assert clients["kiosk"]["grant_types"] == ["authorization_code", "refresh_token"] and clients["kiosk"]["access_token_lifetime"] == 900
    assert clients["page"]["kind"] == "lenient" and clients["page"]["token_endpoint_auth_method"] == "none"
    [paul] = oauth["users"]
    assert (paul["sub"], paul["username"], paul["password"]) == ("sub-paul", "Paul", "pwd")
    assert paul["claims"] == {"name": "Paul Porter", "email_verified": True, "floor": 3, "address": {"locality": "Halle"}, "team": ["hall", "keys"]}
    assert by("name", oauth["scopes"])["opening-hours"] == {"name": "opening-hours", "description": "Opening hours"}
    for told in ("hybrid", "RequirePkce", "AllowedCorsOrigins", "night-job: claims of a client", "“*”", "code_challenge"):
        assert told in notes, (told, notes)
    server = start("--fixtures", file)
    machine = post(server, "night-job", "night-secret", grant_type="client_credentials", scope="opening-hours")
    assert machine.status_code == 200 and machine.json()["scope"] == "opening-hours"
    landed = Browser().log_in(server.url + "/oauth/v1/authorize?response_type=code&client_id=kiosk&state=s&scope=openid+opening-hours"
                              "&redirect_uri=http://localhost:4000/signin-oidc", "Paul")
    code = landed.split("code=")[1].split("&")[0]
    tokens = post(server, "kiosk", "kiosk-secret", grant_type="authorization_code", code=code, redirect_uri="http://localhost:4000/signin-oidc").json()
    assert jwt.decode(tokens["id_token"], options={"verify_signature": False})["floor"] == 3


def test_a_configuration_of_hanko_by_the_line_for_yq(start, tmp_path):
    yaml = tmp_path / "config.yaml"
    shutil.copy(FILES / "hanko-config.yaml", yaml)
    for refused in (run("fixtures", "import", yaml), run("serve", "--port", "0", "--fixtures", yaml)):
        assert refused.returncode == 1 and f"yq -j . {yaml} > {tmp_path}/config.json" in refused.stderr, refused.stderr
    if not shutil.which("yq"):
        pytest.skip("yq is not on the path")
    run_tool(["sh", "-c", f"yq -j . {yaml} > {tmp_path}/config.json"])
    document, file, notes = imported(tmp_path / "config.json", folder=tmp_path)
    assert document["hanko"]["config"]["password"] == {"enabled": True, "min_length": 12}
    for told in ("hanko.config.database", "hanko.config.secrets", "hanko.config.smtp", "profile"):
        assert told in notes, (told, notes)
    told = requests.get(start("--fixtures", file).url + "/hanko/.well-known/config", timeout=30).json()
    assert told["password"]["min_password_length"] == 12, told


@pytest.mark.parametrize("name, title", [
    ("keycloak-realm.json", "a realm export of Keycloak"), ("mock-oauth2-server.json", "mock-oauth2-server"),
    ("users-config.json", "oidc-server-mock")])
def test_serve_and_check_say_what_a_file_is_and_name_the_command(name, title):
    file = FILES / name
    for done in (run("serve", "--port", "0", "--fixtures", file), run("fixtures", "check", file)):
        assert done.returncode == 1 and title in done.stderr and f"understudy fixtures import {file}" in done.stderr, done.stderr


def test_what_is_none_of_them_is_refused(tmp_path):
    file = tmp_path / "a.json"
    for text, told in (('{"name": "a"}', "nothing that is known here"), ("[]", "nothing that is known here"), ("key: value", "is YAML"), ("", "no JSON")):
        file.write_text(text)
        refused = run("fixtures", "import", file)
        assert refused.returncode == 1 and told in refused.stderr and refused.stdout == "", refused.stderr
    absent = run("fixtures", "import", tmp_path / "absent.json")
    assert absent.returncode == 1 and "absent.json" in absent.stderr


def test_without_output_the_fixtures_are_printed():
    done = run("fixtures", "import", FILES / "users-config.json")
    assert done.returncode == 0 and json5.loads(done.stdout)["onegini"]["oauth"]["users"][0]["username"] == "Paul"
