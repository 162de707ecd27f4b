"""What README and the pages of the documentation tell people to paste works when pasted."""

import base64
import html
import json
import os
import re
import shutil
import subprocess

import pytest
import requests
from cryptography import x509

from snippets import PAGES, blocks_of, paste, snippet, used
from understudy import ROOT, Server, free_port, plain_environment, run

TOUR = snippet("start.md", "A tour in five minutes")
SHORT_TOUR = snippet("README.md", "A tour in ten lines")
FIRST_TEST = snippet("testing.md", "A first test")
HELPER = snippet("testing.md", "Helpers")
EXEC = snippet("testing.md", "A server for one command")
POWERAUTH = snippet("powerauth.md", "Connect an app and a back end")
PUSH_SERVER = snippet("powerauth.md", "Connect an app and a back end", 1)
POWERAUTH_PHONE = snippet("powerauth.md", "Log in and approve on a simulated phone")
POWERAUTH_LOGINS = snippet("powerauth.md", "Log in and approve on a simulated phone", 1)
POWERAUTH_SDK_2 = snippet("powerauth.md", "SDK 2.x")
POWERAUTH_CHANGE = snippet("powerauth.md", "SDK 2.x", 1)
PHONES = snippet("phones.md", "Phones")
GRANT = snippet("onegini.md", "The token server")
CLAIMS = snippet("onegini.md", "Claims", 1)
ONEGINI_PHONE = snippet("onegini.md", "Onegini's guide, with a phone")
NEXTAUTH = snippet("nextauth.md", "An AppLogin from a shell")
NEXTAUTH_PHONE = snippet("nextauth.md", "The guide on a phone")
NEXTAUTH_BACK_END = snippet("nextauth.md", "nextAuth for back ends")
HANKO_ENVIRONMENT = snippet("hanko-environment.md", "Hanko: environment variables")
HANKO_FLOW = snippet("hanko.md", "A login by the Flow API")
HANKO_ADMIN = snippet("hanko.md", "Hanko for back ends")
PASSKEYS = "".join(snippet("passkeys.md", "Passkeys without a browser", number) for number in range(3))
MIRACL = snippet("miracl.md", "Register as an app does")
MIRACL_PHONE = snippet("miracl.md", "The guide on a phone")
FAULTS = snippet("faults.md", "Faults")
FLOWS = snippet("flows.md", "Flows")
FLOW_OF_A_TEST = snippet("flows.md", "Flows", 1)
TOKENS = snippet("tokens.md", "Tokens to order")
OTP = snippet("console.md", "Waiting")
RECORDS = snippet("console.md", "People and devices")
FIXTURES = snippet("fixtures.md", "Fixtures")
OWN_FIXTURES = snippet("fixtures.md", "Fixtures", 1)
SCHEMA = snippet("fixtures.md", "In an editor")
IMPORT = snippet("fixtures.md", "From other programs")
YQ = snippet("fixtures.md", "From other programs", 1)
ONEGINI_DEVICE = snippet("onegini-device.md", "11. Try it")
WORLDS = snippet("worlds.md", "Worlds")
SNAPSHOTS = snippet("worlds.md", "Snapshots")
TIME = snippet("worlds.md", "Time")
MAIL_SERVER = snippet("mail.md", "Mail from your own back end")
MAIL = snippet("mail.md", "Mail from your own back end", 1)
TEXT_MESSAGE = snippet("mail.md", "Text messages")
TWILIO_SERVER = snippet("mail.md", "Twilio")
TWILIO = snippet("mail.md", "Twilio", 1)
TLS_SERVER = snippet("tls.md", "HTTPS and devices")
TLS = snippet("tls.md", "HTTPS and devices", 1)
NATIVE_SERVER = snippet("passkeys-native.md", "2. The server")
NATIVE_FILES = snippet("passkeys-native.md", "2. The server", 1)
NATIVE_REGISTRATION = snippet("passkeys-native.md", "5. A registration")
STUBS = snippet("stubs.md", "Stubs of closed SDKs")
TWO_SERVERS = snippet("proxies.md", "Several programs behind one proxy", 2)

#: Blocks that no test pastes, each with the reason.
NOT_PASTED = {
    ("README.md", "Install and start", 0): "clones and builds; CI does that",
    ("README.md", "Install and start", 1): "needs Docker; CI does that",
    ("start.md", "Start in a minute", 0): "clones and builds",
    ("start.md", "Start in a minute", 1): "needs Docker",
    ("upstream.md", "A real service in the place of a platform", 0): "needs a tenant; test_upstream.py has the option",
    ("compare.md", "Compare with the real service", 0): "needs a recording; test_compare.py makes some",
    ("compare.md", "In the console", 0): "needs a recording; test_console_compare.py makes the calls",
    ("compare.md", "Until it is mended", 0): "needs a recording; test_compare_differences.py has the file and starts with it",
}

def test_every_block_for_a_shell_is_pasted_by_a_test_or_says_why_not():
    shell = {block.place for page in PAGES for block in blocks_of(page) if block.language == "sh"}
    assert shell == used | NOT_PASTED.keys()


def test_blocks_for_a_shell_can_be_pasted_into_any():
    """What bash or a newer curl alone understands, what zsh takes amiss when it is typed, and what fails in silence."""
    for block in (block for page in PAGES for block in blocks_of(page) if block.language == "sh"):
        for line in block.text.splitlines():
            place = f"{block.page}, {block.heading}: {line}"
            if line.startswith("#"):
                # zsh takes a comment that is typed for a command, unless it is told otherwise.
                assert not re.search(r"""['"`;&|<>()$*?!{}\[\]~]""", line), place
                continue
            assert not re.search(r"<<<|<\(|=\(|\[\[|curl .*--json|\s#\s", line), place
            assert "curl " not in line or "curl -sS" in line, place


def server_of(command, start, **more):
    """Starts what the page says to start in a terminal of its own, on free ports."""
    [line] = [line for line in command.splitlines() if not line.startswith("#")]
    words = line.split()
    assert words[0] == "understudy"
    options = words[2:] if words[1] == "serve" else words[1:]
    return start(*[more.get(option, option) for option in options])


@pytest.fixture(scope="module", params=["", "development", "another-token"])
def toured(request):
    """A server as a developer starts it, and as a container does: on every network, with a control token."""
    options = ["--host", "0.0.0.0", "--control-token", request.param] if request.param else []
    server = Server(*options)
    yield server.url, {"UNDERSTUDY_CONTROL_TOKEN": request.param} if request.param == "another-token" else {}
    server.stop()


def needs(shell):
    return pytest.param(shell, marks=pytest.mark.skipif(not shutil.which(shell), reason=f"{shell} is not on the path"))


@pytest.fixture(params=[needs("dash"), needs("zsh")])
def shell(request):
    """The plainest shell and the one that takes most amiss; bash understands what both do."""
    return request.param


@pytest.mark.parametrize("shell", [needs("bash"), needs("dash"), needs("zsh")])
def test_the_tour_works_when_pasted(toured, shell):
    url, token = toured
    shown = paste(TOUR, url, shell, **token).stdout
    # What the page promises to see along the way.
    assert '"message":"Not Found"' in shown
    assert "is your passcode for" in shown
    assert '"is_valid":true' in shown
    assert "passcode request timed out" in shown
    assert re.search(r'"explanation":"[^"]{20,}', shown)


@pytest.mark.parametrize("shell", [needs("bash"), needs("dash"), needs("zsh")])
def test_the_tour_of_the_readme_works_when_pasted(toured, shell):
    url, token = toured
    done = paste(SHORT_TOUR, url, shell, **token)
    *refused, why = done.stdout.splitlines()
    answer, _, status = "".join(refused).rpartition(" with status ")
    assert json.loads(answer)["code"] == 408 and status == "408"
    assert "The passcode expired" in why and "valid for 300 s" in why


@pytest.mark.parametrize("shell", [needs("bash"), needs("dash"), needs("zsh")])
def test_the_tour_of_the_readme_says_that_no_server_runs(shell):
    told = subprocess.run([shell, "-c", SHORT_TOUR.replace("localhost:8420", "127.0.0.1:9")], capture_output=True, text=True, timeout=60)
    assert "Failed to connect" in told.stderr or "Couldn't connect" in told.stderr
    assert told.returncode != 0 and "Start it first" in told.stderr and told.stdout == ""


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text().split()) <= 700


def test_the_tour_can_be_typed_into_zsh(toured):
    if not shutil.which("zsh"):
        pytest.skip("zsh is not on the path")
    url, token = toured
    done = subprocess.run(
        ["zsh", "-f", "-i"], input=TOUR.replace("http://localhost:8420", url),
        capture_output=True, text=True, timeout=60, cwd="/", env=plain_environment(**token), start_new_session=True)
    assert "passcode request timed out" in done.stdout and '"is_valid":true' in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("shell", [needs("bash"), needs("dash"), needs("zsh")])
def test_the_tour_as_a_program_checks_each_step(toured, shell):
    url, token = toured
    done = subprocess.run(
        [shell, ROOT / "script/tour", url], capture_output=True, text=True, timeout=60, cwd="/", env=plain_environment(**token))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The passcode expired" in done.stdout and "That was the tour." in done.stdout


def test_the_tour_says_what_is_wrong():
    nobody = subprocess.run(
        ["sh", ROOT / "script/tour", f"http://localhost:{free_port()}"], capture_output=True, text=True, timeout=60, env=plain_environment())
    assert nobody.returncode == 1 and "is understudy running?" in nobody.stderr


def test_the_first_test_is_green(world, shell):
    assert paste(FIRST_TEST, world.url, shell).stdout == "Ada is signed in\n"


def test_the_commands_for_helpers_work_when_pasted(server, shell, tmp_path):
    paste(HELPER, server.url, shell, cwd=tmp_path)
    assert "def " in (tmp_path / "understudy.py").read_text()


def test_a_server_for_one_command(shell):
    assert paste(EXEC, "http://nowhere.invalid", shell).stdout.splitlines()[-1] == "it answers"


def test_a_command_with_environment_variables_of_hanko_works_when_pasted(shell):
    shown = json.loads(paste(HANKO_ENVIRONMENT, "http://nowhere.invalid", shell).stdout)
    assert shown["account"]["allow_signup"] is True


def test_the_commands_for_powerauth_work_when_pasted(world, shell):
    done = paste(POWERAUTH, world.url, shell)
    application, registration, operation = (json.loads(line) for line in done.stdout.splitlines())
    assert len(base64.b64decode(application["mobileSdkConfig"])) == 103
    assert registration["registrationStatus"] == "CREATED"
    assert registration["activationQrCodeData"].startswith(registration["activationCode"] + "#")
    assert (operation["status"], operation["userId"]) == ("PENDING", "eva")


def test_the_commands_for_the_push_server_work_when_pasted(world, shell):
    sent, count = (json.loads(line) for line in paste(PUSH_SERVER, world.url, shell).stdout.splitlines())
    assert sent["status"] == count["status"] == "OK"
    assert count["responseObject"]["countUnread"] == 0, "a message is a push, and no letter of the inbox"


def test_wultra_s_guide_with_a_phone_works_when_pasted(world, shell):
    done = paste(POWERAUTH_PHONE, world.url, shell)
    enrolled, session, operation, approved = done.stdout.splitlines()
    assert "ACTIVE" in enrolled and json.loads(session)["userId"] == "ada"
    assert json.loads(operation)["status"] == "PENDING" and "was approved" in approved
    assert "POWERAUTH_AUTH_FAIL" in done.stderr
    first, second = (json.loads(line) for line in paste(POWERAUTH_LOGINS, world.url, shell).stdout.splitlines())
    assert first["userId"] == second["userId"] == "ada" and first["session"] != second["session"]


def test_the_change_of_an_application_works_when_pasted(world, shell):
    paste(POWERAUTH_CHANGE, world.url, shell)
    [record] = [record for record in world.get("/records", platform="powerauth")["records"] if record["id"] == "my-app"]
    assert "EC_P384_ML_L3" in json.dumps(record)


def test_a_phone_of_powerauth_s_sdk_2_works_when_pasted(world, shell):
    application, created, enrolled, session = filter(None, paste(POWERAUTH_SDK_2, world.url, shell).stdout.splitlines())
    assert {"mobileSdkConfig", "mobileSdkConfigV4"} <= json.loads(application).keys()
    assert created == "eva" and "ACTIVE" in enrolled and json.loads(session)["userId"] == "eva"


def test_the_commands_for_phones_work_when_pasted(world, shell):
    done = paste(PHONES, world.url, shell)
    enrolled, _, approved, session, created, scanned = done.stdout.splitlines()
    assert "ACTIVE" in enrolled and "was approved by pin" in approved and created == "eva"
    assert json.loads(session)["userId"] == "ada" and "PENDING_COMMIT" in scanned


def test_the_commands_for_the_token_server_work_when_pasted(world, shell):
    answer = json.loads(paste(GRANT, world.url, shell).stdout)
    assert answer["token_type"].lower() == "bearer" and answer["access_token"]
    user = json.loads(paste(CLAIMS, world.url, shell).stdout)
    assert user["claims"]["roles"] == ["admin"]


def test_onegini_s_guide_with_a_phone_works_when_pasted(world, shell):
    done = paste(ONEGINI_PHONE, world.url, shell)
    enrolled, scanned, login, started, payment, user = done.stdout.splitlines()
    assert "by QR code and push" in enrolled and "is waiting for an answer" in scanned and "was approved" in login
    assert json.loads(started)["auth_method"] == "push" and "was approved" in payment
    assert "ONGAuthenticationErrorInvalidPin 9009" in done.stderr and json.loads(user)["sub"] == "ada"


def test_the_commands_for_nextauth_work_when_pasted(world, shell):
    done = paste(NEXTAUTH, world.url, shell)
    known, refused, heard = (json.loads(line) for line in done.stdout.splitlines() if line)
    assert known == {"userid": "ada@example.com", "attributes": {"name": "Ada Lovelace"}}
    assert refused["error"] == "invalid_token"
    assert "SESSION_STOP" in [event["type"] for event in heard["events"]]


def test_nextauth_s_guide_with_a_phone_works_when_pasted(world, shell):
    shown = paste(NEXTAUTH_PHONE, world.url, shell).stdout
    assert '"access_token":"' in shown and shown.splitlines()[-2].endswith("was approved by pin.")


def test_the_commands_for_back_ends_of_nextauth_work_when_pasted(world, shell, tmp_path):
    done = paste(NEXTAUTH_BACK_END, world.url, shell, cwd=tmp_path)
    session, login, enrolment, *html = done.stdout.splitlines()
    assert json.loads(session)["loggedin"] is False
    assert base64.b64decode(json.loads(session)["loginqrdata"]).decode() == login
    assert enrolment.startswith("na1;E;")
    assert (tmp_path / "login.png").read_bytes().startswith(b"\x89PNG")
    assert html[0].startswith('<div class="nextauth-block"') and html[-1] == "</script>"


def test_the_commands_for_a_flow_of_hanko_work_when_pasted(world, shell):
    answer = json.loads(paste(HANKO_FLOW, world.url, shell).stdout)
    assert answer["name"] == "success", answer
    assert answer["payload"]["last_login"] == {"login_method": "passcode"}


def test_the_commands_for_passkeys_work_when_pasted(world, shell, tmp_path):
    done = paste(PASSKEYS.replace("/tmp/", f"{tmp_path}/"), world.url, shell)
    made, answered, with_extensions, with_prf, lying, honest = done.stdout.splitlines()
    made, answered, lying, honest = (json.loads(line) for line in (made, answered, lying, honest))
    assert made["id"] == answered["id"] and answered["response"]["userHandle"] == "YWRh"
    secrets = re.findall(r'"results":{"first":"([^"]{43})"}', with_extensions + with_prf)
    assert len(secrets) == 2 and len(set(secrets)) == 1
    assert '"largeBlob":{"supported":true}' in with_extensions
    assert lying["behaviour"]["attestationFault"] == "nonce" and honest["behaviour"]["attestationFault"] is None
    root = x509.load_pem_x509_certificate((tmp_path / "attestation-root.pem").read_bytes())
    assert root.subject == root.issuer


def test_the_commands_for_miracl_work_when_pasted(world, shell):
    done = paste(MIRACL, world.url, shell)
    early, shares = (json.loads(line) for line in done.stdout.splitlines())
    assert early["error"] == "IDENTITY_NOT_VERIFIED"
    assert re.fullmatch("04[0-9a-f]{128}", shares["clientSecretShare"])
    assert shares["curve"] == "BN254CX"


def test_miracl_s_guide_with_a_phone_works_when_pasted(world, shell):
    done = paste(MIRACL_PHONE, world.url, shell)
    assert "INCORRECT_PIN" in done.stderr and "was approved" in done.stdout


def test_the_commands_for_the_admin_api_of_hanko_work_when_pasted(world, shell):
    for _ in range(2):
        done = paste(HANKO_ADMIN, world.url, shell)
        user, session, webhook = (json.loads(line) for line in done.stdout.splitlines() if line)
        assert user["emails"][0]["address"].startswith("mary-")
        assert session["session_token"].count(".") == 2
        assert webhook["enabled"] is True


def test_the_commands_for_faults_and_flows_work_when_pasted(world, shell, tmp_path):
    listed = paste(FAULTS, world.url, shell).stdout
    assert "token-down" in listed and "deleted all faults" in listed
    # The page leaves the login to the reader's app; here Ada's phone approves an operation.
    approve = POWERAUTH_PHONE[POWERAUTH_PHONE.index("# An operation"):]
    login = POWERAUTH_PHONE[:POWERAUTH_PHONE.index("# The app is activated")] + approve
    paste(POWERAUTH_PHONE, world.url, shell)
    shown = paste(FLOWS, world.url, shell).stdout
    assert "/api/auth/token/app/operation/authorize" in shown and "sequenceDiagram" in shown
    assert "# … the app logs Ada in …" in FLOW_OF_A_TEST
    test = FLOW_OF_A_TEST.replace("# … the app logs Ada in …", login)
    paste(test.replace("| diff login.txt -", "> login.txt"), world.url, shell, cwd=tmp_path)
    assert "POST /powerauth-cloud/v2/operations" in (tmp_path / "login.txt").read_text()
    assert "---" not in paste(test, world.url, shell, cwd=tmp_path).stdout


def test_the_commands_for_tokens_work_when_pasted(world, shell):
    me, token, wrong, ordered, kinds = filter(None, paste(TOKENS, world.url, shell).stdout.splitlines())
    assert json.loads(me)["id"] and token.count(".") == wrong.count(".") == 2
    assert json.loads(ordered)["token"] and "wrong_audience" in kinds


def test_the_commands_for_transactions_and_records_work_when_pasted(world, shell):
    shown = paste(OTP, world.url, shell).stdout
    assert "waiting" in shown and "confirmed" in shown.splitlines()[-1]
    assert json.loads(paste(RECORDS, world.url, shell).stdout)["state"] == "CREATED"


def test_the_commands_for_fixtures_work_when_pasted(world, shell, start, tmp_path):
    paste(FIXTURES, world.url, shell, cwd=tmp_path)
    assert json.loads((tmp_path / "state.json").read_text())["people"]
    files = {name: str(tmp_path / name) for name in ("team.json", "clients.json")}
    assert server_of(OWN_FIXTURES, start, **files).default_world.get("/health")["status"] == "ok"


def test_the_commands_for_files_of_others_work_when_pasted(server, shell, tmp_path):
    foreign = ROOT / "Tests/Acceptance/foreign"
    for name, file in (("keycloak-realm.json", "realm.json"), ("clients-config.json", "clients-config.json"), ("users-config.json", "users-config.json"),
                       ("hanko-config.yaml", "config.yaml")):
        shutil.copy(foreign / name, tmp_path / file)
    paste(SCHEMA, server.url, shell, cwd=tmp_path)
    assert json.loads((tmp_path / "schema.json").read_text())["title"] == "Understudy fixtures"
    assert paste(IMPORT, server.url, shell, cwd=tmp_path).stdout.count("wrote team.json") == 2
    if shutil.which("yq"):
        paste(YQ, server.url, shell, cwd=tmp_path)
        assert json.loads((tmp_path / "config.json").read_text())["service"] == {"name": "Reading Room"}


def test_a_device_of_the_token_server_works_when_pasted(world, shell):
    validated, tokens = map(json.loads, filter(None, paste(ONEGINI_DEVICE, world.url, shell).stdout.splitlines()))
    assert validated["status"] == "valid" and tokens["token_type"] == "Bearer"


def test_the_commands_for_worlds_and_time_work_when_pasted(start, shell):
    server = start()
    assert "blue" in paste(WORLDS, server.url, shell).stdout
    assert "/w/green" in paste(SNAPSHOTS, server.url, shell).stdout
    paste(TIME, server.url, shell)
    assert 299 < server.default_world.get("/clock")["offsetSeconds"] <= 300


def test_the_commands_for_mail_work_when_pasted(start, shell, tmp_path):
    server = server_of(MAIL_SERVER, start, **{"2525": "0"})
    commands = MAIL.replace("localhost:2525", server.banner["smtp"])
    assert paste(commands, server.url, shell, cwd=tmp_path).stdout == "482913\n"


def test_the_commands_for_text_messages_work_when_pasted(start, shell):
    server = server_of(TWILIO_SERVER, start)
    assert paste(TEXT_MESSAGE, server.url, shell).stdout.endswith("482913\n")
    assert json.loads(paste(TWILIO, server.url, shell).stdout)["status"] == "queued"
    assert server.default_world.messages(to="+14155550100")[0]["source"] == "twilio"


def test_the_commands_for_https_work_when_pasted(start, shell, tmp_path):
    state = {"XDG_STATE_HOME": str(tmp_path / "state")}
    server = start(*TLS_SERVER.splitlines()[1].split()[1:], **state)
    port = server.address[1]
    commands = TLS.replace("https://localhost:8420", f"https://localhost:{port}")
    shown = paste(commands, server.url, shell, cwd=tmp_path, **state).stdout
    assert shown.splitlines()[-1].startswith('{"') and '"status":"ok"' in shown
    assert (tmp_path / "understudy-ca.p12").stat().st_size > 500


def test_passkeys_of_native_apps_are_registered_as_the_page_says(start, shell, tmp_path):
    state = {"XDG_STATE_HOME": str(tmp_path)}
    [fixtures] = [block.text for block in blocks_of("passkeys-native.md") if block.language == "json"]
    (tmp_path / "passkeys.json").write_text(fixtures)
    # There is not always a network to listen on.
    words = {"--lan": "--host=0.0.0.0", "passkeys.json": str(tmp_path / "passkeys.json")}
    server = server_of(NATIVE_SERVER, lambda *options: start(*options, **state), **words)
    port = server.url.rsplit(":", 1)[1]
    told = {"UNDERSTUDY_CONTROL_TOKEN": "development"} | state
    shown = paste(NATIVE_FILES.replace(":8420", ":" + port), server.url, shell, cwd=tmp_path, **told).stdout
    apple, android = map(json.loads, filter(None, shown.splitlines()))
    assert apple["webcredentials"]["apps"] == ["ABCDE12345.com.example.app"]
    assert "delegate_permission/common.handle_all_urls" in android[0]["relation"]
    shown = paste(NATIVE_REGISTRATION.replace(":8420", ":" + port), server.url, shell, cwd=tmp_path, **told).stdout
    assert [set(json.loads(line)) for line in filter(None, shown.splitlines())] == [{"credential_id", "user_id"}] * 2


def test_the_two_servers_behind_a_proxy_start(start, tmp_path):
    for line in TWO_SERVERS.splitlines():
        words = line.split()
        options = [str(tmp_path / word) if word.startswith("worlds-") else word for word in words[2:]]
        options[options.index("--port") + 1] = "0"
        assert start(*options).default_world.get("/info")["instance"] in "ab"


def test_the_table_of_settings_is_the_programs_own():
    table = run("help", "--markdown").stdout
    assert table in PAGES["settings.md"].read_text(), "put the output of understudy help --markdown there"


def test_the_reference_of_fixtures_is_made_from_the_schema(tmp_path):
    subprocess.run([ROOT / "script/fixtures-reference", tmp_path], check=True)
    made = {file.name: file.read_text() for file in tmp_path.iterdir()}
    assert len(made) > 1 and max(map(len, made.values())) < 60_000, "a section is too long for one page"
    there = {name: page.read_text() for name, page in PAGES.items() if name in made or "fixtures reference](" in page.read_text()[:200]}
    assert made == there, "run script/fixtures-reference"


#: Modules of the sources in which the codes of a page stand.
MODULES = {
    "hanko.md": ["Hanko"], "onegini.md": ["Onegini", "OpenID"], "powerauth.md": ["PowerAuth"], "miracl.md": ["MIRACL"],
    "nextauth.md": ["NextAuth"],
}


@pytest.mark.parametrize("page", MODULES)
def test_every_error_on_a_page_is_one_of_the_platform(page):
    text = PAGES[page].read_text()
    errors = text[text.index("## Errors"):]
    codes = [code for row in re.findall(r"^\| \d{3} \| ([^|]*) \|", errors, re.MULTILINE) for code in re.findall("`([^`]*)`", row)]
    sources = "".join(
        file.read_text() for module in MODULES[page] for file in (ROOT / "Sources" / module).rglob("*.swift"))
    assert len(codes) > 10
    for code in codes:
        assert f'"{code}"' in sources or f'"{code.removesuffix("…")}' in sources, code


#: What the console's home page prints for an app: page, platform, caller, heading.
PANELS = [
    ("powerauth.md", "powerauth", "ios", "PowerAuth Mobile SDK 1.x, Swift (module PowerAuth2)"),
    ("powerauth.md", "powerauth", "android", "PowerAuth Mobile SDK 1.x, Kotlin"),
    ("hanko.md", "hanko", "web", "Hanko Elements, JavaScript"),
    ("hanko.md", "hanko", "back-end", "Environment"),
    ("miracl.md", "miracl", "ios", "MIRACL Trust SDK, Swift (module MIRACLTrust)"),
    ("miracl.md", "miracl", "android", "MIRACL Trust SDK, Kotlin"),
    ("onegini.md", "onegini", "back-end", "Spring Security, properties"),
    ("onegini.md", "onegini", "back-end", "Auth.js, JavaScript"),
    ("onegini.md", "onegini", "back-end", "Passport, JavaScript (passport-openidconnect)"),
    ("onegini.md", "onegini", "back-end", "Django with allauth, settings.py"),
    ("onegini.md", "onegini", "back-end", "Django with mozilla-django-oidc, settings.py"),
    ("onegini.md", "onegini", "web", "oidc-client-ts, JavaScript"),
    ("nextauth.md", "nextauth", "ios", "Stub, Swift (module NextAuth)"),
    ("nextauth.md", "nextauth", "android", "Stub, Kotlin"),
    ("onegini.md", "onegini", "ios", "OneginiConfigModel, Objective-C"),
    ("onegini.md", "onegini", "android", "OneginiConfigModel, Kotlin"),
    ("addresses.md", "hanko", "ios", "Info.plist (App Transport Security)"),
    ("addresses.md", "hanko", "android", "res/xml/network_security_config.xml, named by android:networkSecurityConfig"),
]


@pytest.mark.parametrize("page, platform, caller, heading", PANELS)
def test_what_pages_say_to_paste_into_an_app_is_what_the_console_prints(server, page, platform, caller, heading):
    shown = requests.get(server.url, params={"platform": platform, "caller": caller}, headers={"Accept": "text/html"}, timeout=30).text
    [printed] = [html.unescape(text) for title, text in re.findall(r"<(?:h3|summary)[^>]*>([^<]*)</(?:h3|summary)>\s*<pre[^>]*>(.*?)</pre>", shown, re.DOTALL)
                 if html.unescape(title) == heading]
    printed = printed.replace(f":{server.address[1]}", ":8420").strip("\n")
    assert f"\n{printed}\n```" in PAGES[page].read_text()


def test_stubs_are_printed_into_a_project(server, tmp_path):
    paste(STUBS, server.url, cwd=tmp_path)
    android = tmp_path / "app/src/stub/kotlin/com/onegini/mobile/sdk/android"
    assert "class UserClient" in (android / "client/client.kt").read_text()
    assert (android / "handlers/request/callback/callback.kt").read_bytes() == (ROOT / "Web/stubs/onegini-android/callback.kt").read_bytes()
    (tmp_path / "Stubs/Package.swift").write_text(snippet("stubs.md", "iOS, with SwiftPM or Xcode"))
    if not (swift := shutil.which("swift")):
        pytest.skip("swift is not on the path")
    told = subprocess.run([swift, "package", "dump-package"], cwd=tmp_path / "Stubs", capture_output=True, text=True, timeout=120)
    assert told.returncode == 0, told.stderr
    assert {target["name"] for target in json.loads(told.stdout)["targets"]} == {"NextAuth", "OneginiSDKiOS"}
