"""The way in: completions in real shells, the manual page by those who read such pages, the folder's own settings."""

import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import time

import pytest
import requests

from understudy import BINARY, CONTROL, plain_environment, run


def needs(program):
    return pytest.mark.skipif(not shutil.which(program), reason=f"{program} is not on the path")


def typed(shell, keys, expected, tmp_path):
    """What an interactive shell shows after `keys`, read until `expected` stands there."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(tmp_path)
        os.execvpe(shell[0], shell, plain_environment(
            PATH=f"{BINARY.parent}{os.pathsep}{os.environ['PATH']}", TERM="dumb", PS1="$ ", HOME=str(tmp_path)))
    try:
        os.write(terminal, keys.encode())
        shown, end = "", time.monotonic() + 20
        while expected not in shown and time.monotonic() < end:
            if select.select([terminal], [], [], 0.2)[0]:
                shown += os.read(terminal, 65536).decode(errors="replace")
        return shown
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)


SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "source <(understudy completion bash)\n"),
    "zsh": (["zsh", "-f", "-i"], "autoload -Uz compinit; compinit -u -D; source <(understudy completion zsh)\n"),
}


@pytest.mark.parametrize("line, completed", [
    ("understudy snapsh\t", "understudy snapshot"),
    ("understudy serve --smtp-r\t", "understudy serve --smtp-relay"),
    ("understudy --fixed\t", "understudy --fixed-back-channel"),
    ("understudy clock fre\t", "understudy clock freeze"),
    ("understudy serve --log js\t", "understudy serve --log json"),
    ("understudy fixtures check tea\t", "understudy fixtures check team.json"),
])
@pytest.mark.parametrize("shell", [pytest.param(shell, marks=needs(shell)) for shell in SHELLS])
def test_a_shell_completes(shell, line, completed, tmp_path):
    (tmp_path / "team.json").write_text("{}")
    arguments, setup = SHELLS[shell]
    assert completed in typed(arguments, setup + line, completed, tmp_path)


@needs("fish")
@pytest.mark.parametrize("line, words", [
    ("understudy snapsh", {"snapshot"}),
    ("understudy serve --smtp-r", {"--smtp-relay"}),
    ("understudy --fixed", {"--fixed-back-channel"}),
    ("understudy clock fre", {"freeze"}),
    ("understudy serve --log ", {"text", "json"}),
    ("understudy fixtures check tea", {"team.json"}),
])
def test_fish_completes(line, words, tmp_path):
    (tmp_path / "team.json").write_text("{}")
    script = f"source (understudy completion fish | psub); complete -C '{line}'"
    done = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True, text=True, cwd=tmp_path, env=plain_environment(
        PATH=f"{BINARY.parent}{os.pathsep}{os.environ['PATH']}", HOME=str(tmp_path)))
    assert {shown.split("\t")[0] for shown in done.stdout.splitlines()} == words, done


def test_completion_knows_three_shells():
    told = run("completion", "tcsh")
    assert told.returncode == 2 and "bash, zsh, fish" in told.stderr


@pytest.mark.parametrize("reader", [
    pytest.param(["mandoc", "-T", "lint", "-W", "warning"], marks=needs("mandoc")),
    pytest.param(["groff", "-ww", "-man", "-T", "utf8", "-z"], marks=needs("groff")),
])
def test_the_manual_page_is_one(reader, tmp_path):
    page = run("man").stdout
    (tmp_path / "understudy.1").write_text(page)
    read = subprocess.run([*reader, tmp_path / "understudy.1"], capture_output=True, text=True)
    assert (read.returncode, read.stdout, read.stderr) == (0, "", "")
    for command in re.findall(r"^  (\w+)   ", run("help").stdout, re.MULTILINE):
        assert f"\n.SS {command}\n" in page


def test_the_folders_own_settings_count_less_than_what_is_given(tmp_path):
    (tmp_path / "understudy.json").write_text("""{
        "$serve": {"smtp-port": 0, "explain": true, "log": "text"}, // for this folder
        "people": [{"id": "zoe", "name": "Zoe Example", "email": "zoe@example.com", "story": "is here"}],
    }""")
    script = "curl -sS $UNDERSTUDY_URL/_understudy/v1/info; echo; curl -sSi $UNDERSTUDY_URL/hanko/users/x; echo; echo $UNDERSTUDY_SMTP_URL"
    command = [BINARY, "exec", "--log", "json", "--", "sh", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=tmp_path, env=plain_environment())
    assert done.returncode == 0, done
    assert "smtp://localhost:" in done.stdout and "X-Understudy-Explanation: " in done.stdout
    assert all(json.loads(line)["status"] for line in done.stderr.splitlines()), "--log json stands above the file"
    without = subprocess.run(
        [BINARY, "exec", "--config", "none", "--", "sh", "-c", script], capture_output=True, text=True, timeout=60, cwd=tmp_path,
        env=plain_environment())
    assert "smtp://" not in without.stdout and not without.stderr


def test_a_file_that_is_named_adds_its_people(start, tmp_path):
    file = tmp_path / "team.json"
    file.write_text('{"people": [{"id": "zoe", "name": "Zoe Example", "email": "zoe@example.com", "story": "is here"}]}')
    server = start("--config", str(file))
    assert server.banner["config"] == str(file)
    names = [person["name"] for person in server.banner["people"]]
    assert "Zoe Example" in names and "Ada Lovelace" in names
    assert requests.get(server.url + CONTROL + "/health", timeout=10).ok


def test_a_mistake_in_the_file_stops_the_start_with_its_place(tmp_path):
    (tmp_path / "understudy.json").write_text('{"$serve": {"prot": 9000}}')
    refused = subprocess.run([BINARY, "serve", "--port", "0"], capture_output=True, text=True, timeout=30, cwd=tmp_path, env=plain_environment())
    assert refused.returncode == 2 and "understudy.json: $serve.prot is not an option of serve; did you mean port?" in refused.stderr
    (tmp_path / "understudy.json").write_text('{"$serve": {"port": 0},\n "people": [}')
    refused = subprocess.run([BINARY, "serve"], capture_output=True, text=True, timeout=30, cwd=tmp_path, env=plain_environment())
    assert refused.returncode == 1 and "understudy.json:2:13" in refused.stderr


@pytest.mark.parametrize("line, completed", [
    ("understudy phone show pocke\t", "understudy phone show pocket-phone"),
    ("understudy world delete gree\t", "understudy world delete green-field"),
    ("understudy snapshot restore before-\t", "understudy snapshot restore before-lunch"),
    ("understudy journal --user margar\t", "understudy journal --user margaret"),
    ("understudy fault add --platform powera\t", "understudy fault add --platform powerauth"),
    ("understudy code margaret@exam\t", "understudy code margaret@example.com"),
    ("understudy world create blue --from default/before-\t", "understudy world create blue --from default/before-lunch"),
])
@pytest.mark.parametrize("shell", [pytest.param(shell, marks=needs(shell)) for shell in SHELLS])
def test_a_shell_completes_what_the_running_server_knows(shell, line, completed, start, tmp_path):
    server = start()
    for command in (["phone", "create", "pocket-phone"], ["world", "create", "green-field"], ["snapshot", "save", "before-lunch"]):
        assert run(*command, url=server.url).returncode == 0
    arguments, setup = SHELLS[shell]
    shown = typed(arguments, f"export UNDERSTUDY_URL={server.url}\n{setup}{line}", completed, tmp_path)
    assert completed in shown


def test_names_of_no_server_are_none_at_once():
    told = run("completion", "names", "worlds", "understudy world delete --url http://127.0.0.1:9 ", seconds=5)
    assert (told.returncode, told.stdout, told.stderr) == (0, "", "")
    wrong = run("completion", "names", "moons")
    assert wrong.returncode == 2 and "worlds, phones, snapshots" in wrong.stderr


def test_the_line_that_is_typed_names_the_server_and_the_world(start):
    server = start()
    assert run("phone", "create", "pocket-phone", "--world", "blue", url=server.url).returncode != 0
    assert run("world", "create", "blue", url=server.url).returncode == 0
    assert run("phone", "create", "pocket-phone", "--world", "blue", url=server.url).returncode == 0
    line = f"understudy phone --url {server.url} --world=blue show "
    assert "pocket-phone" in run("completion", "names", "phones", line).stdout.split()
    assert "pocket-phone" not in run("completion", "names", "phones", f"understudy phone --url {server.url} show ").stdout.split()


def test_exec_takes_free_ports_beside_a_server_that_has_them(start, tmp_path):
    server = start("--listen", "all")
    taken = server.banner["platforms"]
    (tmp_path / "understudy.json").write_text(json.dumps({"$serve": {
        "port": server.address[1], "listen": [f"app={taken[0]['rootURL'].rpartition(':')[2]}"], "smtp-port": server.address[1]}}))
    script = "echo $UNDERSTUDY_URL $UNDERSTUDY_APP_ROOT_URL $UNDERSTUDY_SMTP_URL"
    for options in ([], ["--listen", "all"]):
        done = subprocess.run([BINARY, "exec", *options, "--", "sh", "-c", script], capture_output=True, text=True, timeout=60, cwd=tmp_path, env=plain_environment())
        assert done.returncode == 0, done
        ports = {url.rpartition(":")[2] for url in done.stdout.split()}
        assert len(ports) == 3 and str(server.address[1]) not in ports


def test_https_at_a_plain_port_is_told_in_words(start):
    server = start()
    told = run("ready", url=server.url.replace("http://", "https://"))
    assert told.returncode == 1
    assert f"speaks plain HTTP, not HTTPS; give --url {server.url}, or start it with --tls auto" in told.stderr


def test_commands_find_and_count_what_is_asked_for(start):
    server = start()
    for _ in range(3):
        requests.post(server.url + "/_understudy/v1/outbox", json={"to": "+31612345678", "text": "Your code is 123456"}, timeout=30)
        requests.get(server.url + "/hanko/users/x", timeout=30)
        requests.get(server.url + "/nowhere", timeout=30)
    assert len(json.loads(run("outbox", "--limit", 2, "--json", url=server.url).stdout)["messages"]) == 2
    entries = json.loads(run("journal", "--path", "/hanko", "--status", "4xx", "--json", url=server.url).stdout)["entries"]
    assert {entry["exchange"]["target"] for entry in entries} == {"/hanko/users/x"}
    later = json.loads(run("journal", "--after", entries[-1]["id"], "--status", "404", "--json", url=server.url).stdout)["entries"]
    assert later and all(entry["id"] > entries[-1]["id"] and entry["exchange"]["status"] == 404 for entry in later)
    assert json.loads(run("ready", "--json", url=server.url).stdout)["url"] == server.url
    assert set(json.loads(run("version", "--json").stdout)) == {"version", "commit", "swift"}


def test_the_clock_says_how_far_it_is_from_real_time(start):
    server = start()
    assert "+" not in run("clock", url=server.url).stdout
    assert "  +1h30m" in run("clock", "advance", "1h30m", url=server.url).stdout
    assert "  -2d" in run("clock", "advance", "-49h30m", url=server.url).stdout
    assert run("clock", "freeze", url=server.url).stdout.rstrip().endswith("Z  frozen")
