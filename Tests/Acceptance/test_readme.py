"""What the README tells people to paste works when pasted."""

import base64
import json
import os
import re
import shutil
import subprocess

import pytest
from cryptography import x509

from understudy import BINARY, ROOT, Server, free_port, plain_environment, run


def block_after(heading):
    """The first fenced block below `heading`."""
    text = (ROOT / "README.md").read_text()
    section = text[text.index(heading):]
    return re.search(r"```sh\n(.*?)```", section, re.DOTALL).group(1)


@pytest.fixture(scope="module", params=["", "development", "another-token"])
def toured(request):
    """A server as a developer starts it, and as a container does: on every network, with a control token."""
    options = ["--host", "0.0.0.0", "--control-token", request.param] if request.param else []
    server = Server(*options)
    yield server.url, {"UNDERSTUDY_CONTROL_TOKEN": request.param} if request.param == "another-token" else {}
    server.stop()


def needs(shell):
    return pytest.param(shell, marks=pytest.mark.skipif(not shutil.which(shell), reason=f"{shell} is not on the path"))


@pytest.mark.parametrize("shell", [needs("bash"), needs("dash"), needs("zsh")])
def test_the_tour_works_when_pasted(toured, shell):
    url, token = toured
    tour = block_after("## A tour in five minutes")
    assert "http://localhost:8420" in tour
    comments = [line for line in tour.splitlines() if line.startswith("#")]
    assert not any("'" in comment for comment in comments), "zsh takes it for a quotation mark when it is typed"
    done = subprocess.run(
        [shell, "-euc", tour.replace("http://localhost:8420", url)], capture_output=True, text=True, timeout=60, cwd="/",
        env=plain_environment(**token))
    assert done.returncode == 0, done.stdout + done.stderr
    shown = done.stdout
    # What the README promises to see along the way.
    assert '"message":"Not Found"' in shown
    assert "is your passcode for" in shown
    assert '"is_valid":true' in shown
    assert "passcode request timed out" in shown
    assert re.search(r'"explanation":"[^"]{20,}', shown)


def test_the_tour_can_be_typed_into_zsh(toured):
    if not shutil.which("zsh"):
        pytest.skip("zsh is not on the path")
    url, token = toured
    done = subprocess.run(
        ["zsh", "-f", "-i"], input=block_after("## A tour in five minutes").replace("http://localhost:8420", url),
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


def test_the_commands_for_powerauth_work_when_pasted(server):
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block_after("### PowerAuth").replace("http://localhost:8420", server.url)],
        capture_output=True, text=True, timeout=60, cwd="/", env=plain_environment())
    assert done.returncode == 0, done.stdout + done.stderr
    application, registration, operation = (json.loads(line) for line in done.stdout.splitlines())
    assert len(base64.b64decode(application["mobileSdkConfig"])) == 103
    assert registration["registrationStatus"] == "CREATED"
    assert registration["activationQrCodeData"].startswith(registration["activationCode"] + "#")
    assert (operation["status"], operation["userId"]) == ("PENDING", "eva")


def test_the_commands_for_phones_work_when_pasted(server):
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block_after("## Phones\n").replace("http://localhost:8420", server.url)],
        capture_output=True, text=True, timeout=60, cwd="/",
        env=plain_environment(PATH=f"{BINARY.parent}{os.pathsep}{os.environ['PATH']}", UNDERSTUDY_URL=server.url))
    assert done.returncode == 0, done.stdout + done.stderr
    enrolled, _, approved, session, created, scanned = done.stdout.splitlines()
    assert "ACTIVE" in enrolled and "was approved by pin" in approved and created == "eva"
    assert json.loads(session)["userId"] == "ada" and "PENDING_COMMIT" in scanned


def test_onegini_s_guide_with_a_phone_works_when_pasted(server, make_world):
    world = make_world()
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block_after("### Onegini's guide, with a phone").replace("http://localhost:8420", world.url)],
        capture_output=True, text=True, timeout=60, cwd="/",
        env=plain_environment(PATH=f"{BINARY.parent}{os.pathsep}{os.environ['PATH']}", UNDERSTUDY_URL=world.url))
    assert done.returncode == 0, done.stdout + done.stderr
    enrolled, scanned, login, started, payment, user = done.stdout.splitlines()
    assert "by QR code and push" in enrolled and "waits for an answer" in scanned and "was approved" in login
    assert json.loads(started)["auth_method"] == "push" and "was approved" in payment
    assert "ONGAuthenticationErrorInvalidPin 9009" in done.stderr and json.loads(user)["sub"] == "ada"


def test_the_commands_for_nextauth_work_when_pasted(server):
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block_after("### nextAuth\n").replace("http://localhost:8420", server.url)],
        capture_output=True, text=True, timeout=60, cwd="/", env=plain_environment())
    assert done.returncode == 0, done.stdout + done.stderr
    known, refused, heard = (json.loads(line) for line in done.stdout.splitlines())
    assert known == {"userid": "ada@example.test", "attributes": {"name": "Ada Lovelace"}}
    assert refused["error"] == "invalid_token"
    assert "SESSION_STOP" in [event["type"] for event in heard["events"]]


def test_the_commands_for_back_ends_of_nextauth_work_when_pasted(server, tmp_path):
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block_after("### nextAuth for back ends").replace("http://localhost:8420", server.url)],
        capture_output=True, text=True, timeout=60, cwd=tmp_path, env=plain_environment())
    assert done.returncode == 0, done.stdout + done.stderr
    session, login, enrolment, *html = done.stdout.splitlines()
    assert json.loads(session)["loggedin"] is False
    assert base64.b64decode(json.loads(session)["loginqrdata"]).decode() == login
    assert enrolment.startswith("na1;E;")
    assert (tmp_path / "login.png").read_bytes().startswith(b"\x89PNG")
    assert html[0].startswith('<div class="nextauth-block"') and html[-1] == "</script>"


def test_the_commands_for_flows_work_when_pasted(server):
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block_after("### Hanko").replace("http://localhost:8420", server.url)],
        capture_output=True, text=True, timeout=60, cwd="/", env=plain_environment())
    assert done.returncode == 0, done.stdout + done.stderr
    answer = json.loads(done.stdout)
    assert answer["name"] == "success", answer
    assert answer["payload"]["last_login"] == {"login_method": "passcode"}


def test_the_commands_for_passkeys_work_when_pasted(server, tmp_path):
    text = (ROOT / "README.md").read_text()
    section = text[text.index("## Passkeys without a browser"):text.index("### In a browser, and on real devices")]
    commands = "\n".join(re.findall(r"```sh\n(.*?)```", section, re.DOTALL))
    commands = commands.replace("http://localhost:8420", server.url).replace("/tmp/", f"{tmp_path}/")
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands], capture_output=True, text=True, timeout=60, cwd="/", env=plain_environment())
    assert done.returncode == 0, done.stdout + done.stderr
    made, used, with_extensions, with_prf, lying, honest = done.stdout.splitlines()
    made, used, lying, honest = (json.loads(line) for line in (made, used, lying, honest))
    assert made["id"] == used["id"] and used["response"]["userHandle"] == "YWRh"
    secrets = re.findall(r'"results":{"first":"([^"]{43})"}', with_extensions + with_prf)
    assert len(secrets) == 2 and len(set(secrets)) == 1
    assert '"largeBlob":{"supported":true}' in with_extensions
    assert lying["behaviour"]["attestationFault"] == "nonce" and honest["behaviour"]["attestationFault"] is None
    root = x509.load_pem_x509_certificate((tmp_path / "attestation-root.pem").read_bytes())
    assert root.subject == root.issuer


def test_the_commands_for_miracl_work_when_pasted(server):
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block_after("### MIRACL").replace("http://localhost:8420", server.url)],
        capture_output=True, text=True, timeout=60, cwd="/", env=plain_environment())
    assert done.returncode == 0, done.stdout + done.stderr
    early, shares = (json.loads(line) for line in done.stdout.splitlines())
    assert early["error"] == "IDENTITY_NOT_VERIFIED"
    assert re.fullmatch("04[0-9a-f]{128}", shares["clientSecretShare"])
    assert shares["curve"] == "BN254CX"


def test_the_commands_for_the_admin_api_of_hanko_work_when_pasted(server):
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c",
         block_after("## Hanko for back ends").replace("http://localhost:8420", server.url)],
        capture_output=True, text=True, timeout=60, cwd="/", env=plain_environment())
    assert done.returncode == 0, done.stdout + done.stderr
    user, session, webhook = (json.loads(line) for line in done.stdout.splitlines() if line)
    assert user["emails"][0]["address"] == "mary@example.test"
    assert session["session_token"].count(".") == 2
    assert webhook["enabled"] is True


def test_the_table_of_settings_is_the_programs_own():
    table = run("help", "--markdown").stdout
    assert table in (ROOT / "README.md").read_text(), "put the output of understudy help --markdown there"
