"""Mail that the team's own back end sends by SMTP: real clients bring it, and the outbox has it."""

import asyncio
import re
import signal
import smtplib
import socket
import ssl
import subprocess
import threading
import time
from email.message import EmailMessage

import aiosmtplib
import pytest
import requests

from understudy import CONTROL, World, run

PDF = b"%PDF-1.4\n\x00\xff" * 500


@pytest.fixture(scope="module")
def mail_server():
    from understudy import Server
    server = Server("--smtp-port", "0")
    yield server
    server.stop()


def place(server):
    host, port = server.banner["smtp"].rsplit(":", 1)
    return host, int(port)


def make_world(server, name):
    answer = requests.post(server.url + CONTROL + "/worlds", json={"name": name}, timeout=30)
    assert answer.status_code in (201, 409), answer.text
    return World(name, f"{server.url}/w/{name}")


def passcode_mail(to, code="482913", subject="Your verification code"):
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Zoë Shop <shop@example.com>", to, subject
    mail.set_content(f"Hello,\n\nyour code is {code}.\n.\n..two dots\n")
    mail.add_alternative(
        f"<script>document.title='owned'</script><p>your code is <b>{code}</b>, or "
        f"<a href='https://shop.example/verify?token=t-{code}'>click</a></p>", subtype="html")
    mail.add_attachment(PDF, maintype="application", subtype="pdf", filename="Übersicht & mehr.pdf")
    return mail


class ByHand:
    """A client that sends what it is told to."""

    def __init__(self, server, hello=True):
        self.socket = socket.create_connection(place(server), timeout=20)
        self.file = self.socket.makefile("rb")
        assert self.reply().startswith("220 ")
        if hello:
            self.ask("EHLO by-hand.example")

    def send(self, data):
        self.socket.sendall(data if isinstance(data, bytes) else data.encode())

    def reply(self):
        """The last line of the next reply; empty when the server has closed."""
        while True:
            line = self.file.readline().decode()
            if not line or line[3:4] != "-":
                return line.rstrip("\r\n")

    def ask(self, line):
        self.send(line + "\r\n")
        return self.reply()

    def begin(self, to):
        self.send(f"MAIL FROM:<a@example.com>\r\nRCPT TO:<{to}>\r\nDATA\r\n")
        assert [self.reply()[:3] for _ in range(3)] == ["250", "250", "354"]


def test_a_mail_stands_in_the_flow_of_its_recipient(mail_server):
    world = make_world(mail_server, "mailflow")
    address = "ada+mailflow@example.com"
    assert requests.post(world.url + "/hanko/users", json={"email": address}, timeout=30).ok
    with smtplib.SMTP(*place(mail_server), timeout=20) as client:
        client.send_message(passcode_mail(address))
    shown = world.get("/flows/last", user=address)
    assert [row["text"] for row in shown["rows"] if row["from"] == "app"] == ["POST /hanko/users"]
    [mail] = [row for row in shown["rows"] if row["kind"] == "mail"]
    assert (mail["from"], mail["to"]) == ("back end", "mailbox")
    assert mail["full"] == f"mail from shop@example.com to {address}: Your verification code"


def test_smtplib_brings_a_passcode_that_codes_has_waited_for(mail_server):
    world, found = mail_server.default_world, []
    waiting = threading.Thread(target=lambda: found.append(world.code("ada@example.com")))
    waiting.start()
    with smtplib.SMTP(*place(mail_server), timeout=20) as client:
        assert client.send_message(passcode_mail("Ada <ada@example.com>")) == {}
    waiting.join(20)

    [code] = found
    assert (code["code"], code["link"]) == ("482913", "https://shop.example/verify?token=t-482913")
    assert (code["kind"], code["source"], code["to"]) == ("passcode", "smtp", "ada@example.com")
    shown = world.get(f"/outbox/{code['id']}")
    assert shown["from"] == {"address": "shop@example.com", "name": "Zoë Shop"}
    assert shown["to"] == {"address": "ada@example.com", "name": "Ada"}
    assert shown["text"] == "Hello,\n\nyour code is 482913.\n.\n..two dots\n"
    assert (shown["html"], shown["remarks"]) == (True, [])
    assert shown["attachments"] == [{"number": 1, "name": "Übersicht & mehr.pdf", "type": "application/pdf", "size": len(PDF)}]
    attachment = world.control("GET", f"/outbox/{code['id']}/attachments/1")
    assert (attachment.content, attachment.headers["Content-Type"]) == (PDF, "application/octet-stream")
    assert attachment.headers["Content-Disposition"].startswith("attachment;")
    assert run("code", "ada@example.com", url=mail_server.url).stdout.strip() == "482913"


def test_the_source_is_what_was_sent_behind_trace_fields(mail_server):
    body = b"Subject: =?utf-8?q?=C3=A4?=\r\nX-Odd:  two  \r\n\r\n\xff\xfe 8bit\r\n..\r\n.a\r\n\r\n"
    with smtplib.SMTP(*place(mail_server), timeout=20) as client:
        client.sendmail("a@example.com", ["raw@example.com"], body, mail_options=["BODY=8BITMIME"])
    world = mail_server.default_world
    [message] = world.messages(to="raw@example.com")
    raw = world.raw(message["id"])
    assert raw.endswith(body) and message["subject"] == "ä"
    assert re.fullmatch(
        rb"Return-Path: <a@example\.com>\r\nReceived: from \S+ \(\[127\.0\.0\.1\]\) by understudy\.localhost\r\n"
        rb"\twith ESMTP id \w+; \w{3}, \d+ \w{3} \d{4} [\d:]{8} \+0000\r\n", raw[:-len(body)])


def test_aiosmtplib_sends_many_at_once_to_several_recipients(mail_server):
    host, port = place(mail_server)

    async def send(number):
        mail = passcode_mail(f"many-{number}@example.com", f"{100000 + number}")
        mail["Bcc"] = f"hidden-{number}@example.com"
        return await aiosmtplib.send(mail, hostname=host, port=port, username="anybody", password="anything")

    async def all_of_them():
        return await asyncio.gather(*(send(number) for number in range(40)))

    assert all(errors == {} for errors, _ in asyncio.run(all_of_them()))
    for number in range(40):
        for name in ("many", "hidden"):
            assert mail_server.default_world.code(f"{name}-{number}@example.com")["code"] == str(100000 + number)


@pytest.mark.parametrize("mechanism", ["PLAIN", "LOGIN"])
def test_swaks_authenticates_as_anybody_and_the_journal_says_so(mail_server, mechanism):
    host, port = place(mail_server)
    done = subprocess.run(
        ["swaks", "--server", host, "--port", str(port), "--to", f"swaks-{mechanism}@example.com", "--from", "back@end.example",
         "--auth", mechanism, "--auth-user", "nobody-we-know", "--auth-password", "x", "--header", "Subject: Your PIN is 4711",
         "--body", "Hi", "--attach", "@/etc/hostname"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    world = mail_server.default_world
    assert world.code(f"swaks-{mechanism}@example.com")["code"] == "4711"
    assert any(f'authenticated by {mechanism} as “nobody-we-know”' in text for text in world.explanations(limit=20))


def test_the_world_is_told_by_plus_address_or_by_user_else_it_is_the_default(mail_server):
    blue, green = make_world(mail_server, "blue"), make_world(mail_server, "green")
    with smtplib.SMTP(*place(mail_server), timeout=20) as client:
        client.login("green", "anything")
        client.send_message(
            passcode_mail("x@example.com"), to_addrs=["ann+blue@example.com", "bob@example.com", "eve+no-such-world@example.com"])
    with smtplib.SMTP(*place(mail_server), timeout=20) as client:
        client.login("postmark-token", "anything")
        client.send_message(passcode_mail("x@example.com"), to_addrs=["joe+shop@example.com"])

    assert [message["to"]["address"] for message in blue.messages()] == ["ann+blue@example.com"]
    assert [message["to"]["address"] for message in green.messages()] == ["eve+no-such-world@example.com", "bob@example.com"]
    assert len(mail_server.default_world.messages(to="joe+shop@example.com")) == 1
    assert any('There is no world “no-such-world”' in text for text in green.explanations())
    names = [world["name"] for world in requests.get(mail_server.url + CONTROL + "/worlds", timeout=30).json()["worlds"]]
    assert "no-such-world" not in names and "shop" not in names


def test_one_back_end_names_the_world_by_header_or_by_its_own_address(mail_server):
    worlds = {name: make_world(mail_server, name) for name in ("red", "amber", "teal")}

    def send(header=None, sender="shop@example.com", to="kim@example.com", user=None):
        mail = passcode_mail(to)
        if header:
            mail["X-Understudy-World"] = header
        with smtplib.SMTP(*place(mail_server), timeout=20) as client:
            if user:
                client.login(user, "anything")
            assert client.send_message(mail, from_addr=sender) == {}

    send(header="red")
    send(sender="shop+amber@example.com")
    # The header before the sender, the sender before the user, the recipient before all of them.
    send(header="red", sender="shop+amber@example.com", to="first@example.com")
    send(sender="shop+amber@example.com", user="red", to="second@example.com")
    send(header="red", sender="shop+amber@example.com", to="third+teal@example.com")
    send(header="no-such-world", to="fourth@example.com")
    found = {name: [message["to"]["address"] for message in world.messages()] for name, world in worlds.items()}
    assert found == {"red": ["first@example.com", "kim@example.com"], "amber": ["second@example.com", "kim@example.com"],
                     "teal": ["third+teal@example.com"]}
    assert worlds["red"].code("kim@example.com")["code"] == "482913"
    assert len(mail_server.default_world.messages(to="fourth@example.com")) == 1
    assert mail_server.default_world.messages(to="kim@example.com") == []


def test_pipelining_by_hand(mail_server):
    client = ByHand(mail_server)
    client.send("MAIL FROM:<a@example.com>\r\nRCPT TO:<hand-1@example.com>\r\nRCPT TO:<nobody>\r\nDATA\r\n")
    assert [client.reply()[:9] for _ in range(4)] == ["250 2.1.0", "250 2.1.5", "501 5.1.3", "354 send "]
    client.send("Subject: 1\r\n\r\n1\r\n.\r\nMAIL FROM:<a@example.com>\r\nRCPT TO:<hand-2@example.com>\r\nDATA\r\n")
    assert [client.reply()[:3] for _ in range(4)] == ["250", "250", "250", "354"]
    client.send("Subject: 2\r\n\r\n2\r\n.\r\nQUIT\r\n")
    assert [client.reply()[:3] for _ in range(3)] == ["250", "221", ""]
    world = mail_server.default_world
    assert [world.messages(to=f"hand-{number}@example.com")[0]["subject"] for number in (1, 2)] == ["1", "2"]


def test_international_addresses_and_texts(mail_server):
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "用户@例子.example", "zoë@exämple.example", "Grüße 🙂"
    mail.set_content("Dein Code lautet 739201 – tschüß.", charset="utf-8", cte="8bit")
    with smtplib.SMTP(*place(mail_server), timeout=20) as client:
        assert client.send_message(mail) == {}
        assert client.has_extn("SMTPUTF8")
    assert mail_server.default_world.code("zoë@exämple.example")["code"] == "739201"
    latin = EmailMessage()
    latin["From"], latin["To"], latin["Subject"] = "a@example.com", "latin@example.com", "Größe"
    latin.set_content("Preis 5 €, Code 555123", charset="iso-8859-15")
    with smtplib.SMTP(*place(mail_server), timeout=20) as client:
        client.send_message(latin)
    [message] = mail_server.default_world.messages(to="latin@example.com")
    assert (message["subject"], message["text"], message["code"]) == ("Größe", "Preis 5 €, Code 555123\n", "555123")


def test_a_mail_over_the_limit_is_refused_before_and_behind_its_data(mail_server):
    large = b"Subject: large\r\n\r\n" + (b"x" * 990 + b"\r\n") * 11_000
    with smtplib.SMTP(*place(mail_server), timeout=60) as client:
        client.ehlo()
        assert int(client.esmtp_features["size"]) == 10 * 1024 * 1024
        with pytest.raises(smtplib.SMTPSenderRefused) as refused:
            client.sendmail("a@example.com", ["large@example.com"], large)
        assert refused.value.smtp_code == 552
        client.does_esmtp = False
        with pytest.raises(smtplib.SMTPDataError) as refused:
            client.sendmail("a@example.com", ["large@example.com"], large)
        assert refused.value.smtp_code == 552
        fits = large[:10 * 1024 * 1024 - 1000]
        fits = fits[:fits.rindex(b"\r\n") + 2]
        assert client.sendmail("a@example.com", ["fits@example.com"], fits) == {}
    world = mail_server.default_world
    assert world.messages(to="large@example.com") == []
    [message] = world.messages(to="fits@example.com")
    assert world.raw(message["id"]).endswith(fits)
    assert "only in the source" in world.get(f"/outbox/{message['id']}")["remarks"][0]
    assert any("larger than the 10485760 bytes" in text for text in world.explanations())


@pytest.mark.parametrize("end", [b"\n.\n", b"\n.\r\n", b"\r\n.\n", b"\r.\r", b"\r\n.\r", b"\r.\r\n", b"\n\n.\r\n", b"\r\r\n.\r\n"])
def test_nothing_is_smuggled_behind_an_end_that_is_none(mail_server, end):
    client = ByHand(mail_server)
    client.begin("victim@example.com")
    client.send(b"Subject: bait\r\n\r\nbait" + end + b"MAIL FROM:<admin@example.com>\r\nRCPT TO:<smuggled@example.com>\r\nDATA\r\n"
                b"Subject: smuggled\r\n\r\nsmuggled\r\n.\r\n")
    assert client.reply().startswith("554 5.5.2 bare <")
    assert client.reply() == ""
    world = mail_server.default_world
    assert world.messages(to="smuggled@example.com") == [] and world.messages(to="victim@example.com") == []
    assert any("lets mails be smuggled" in text for text in world.explanations(limit=5))


@pytest.mark.parametrize(("sent", "reply"), [
    (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"554 5.5.0"), (b"\x16\x03\x01\x02\x00\x01\x00", b"\x15\x03\x01\x00\x02\x02\x28"),
    (b"EHLO a\r\nMAIL FROM:<a@b.c>\r\n", b"554 5.5.0"), (b"\x00\x01\x02" * 2000, b"500 5.5.2"), (b"x" * 100_000, b"500 5.5.2"),
    (b"FOO\r\n" * 100, b"500 5.5.1"),
])
def test_garbage_ends_the_session_and_harms_nobody(mail_server, sent, reply):
    with socket.create_connection(place(mail_server), timeout=20) as client:
        file = client.makefile("rb")
        file.readline()
        client.sendall(sent)
        assert file.read().startswith(reply)
    assert ByHand(mail_server).ask("NOOP").startswith("250 ")


def test_slow_clients_beside_quick_ones(mail_server):
    slow = [ByHand(mail_server) for _ in range(200)]
    for number, client in enumerate(slow):
        client.begin(f"slow-{number}@example.com")
        client.send("Subject: slow\r\n\r\nsl")
    began = time.monotonic()
    for number in range(50):
        with smtplib.SMTP(*place(mail_server), timeout=20) as client:
            client.sendmail("a@example.com", [f"quick-{number}@example.com"], "Subject: quick\n\nquick")
    assert time.monotonic() - began < 10
    for client in slow:
        client.send("ow\r\n.\r\n")
        assert client.reply().startswith("250 ")
    assert mail_server.default_world.messages(to="slow-199@example.com")[0]["text"] == "slow\n"


def test_starttls_with_a_certificate_of_ones_own(start, certificate):
    server = start("--smtp-port", "0", "--tls", "{},{}".format(*certificate))
    trusting = ssl.create_default_context(cafile=certificate[0])
    host, port = place(server)
    with smtplib.SMTP(host, port, timeout=20) as client:
        client.starttls(context=trusting)
        assert client.sock.version() in ("TLSv1.2", "TLSv1.3")
        client.login("anybody", "anything")
        assert not client.has_extn("STARTTLS")
        client.send_message(passcode_mail("ada@example.com"))
    found = requests.get(server.url + CONTROL + "/codes?to=ada@example.com", verify=certificate[0], timeout=30)
    assert found.json()["code"] == "482913"
    raw = requests.get(f"{server.url}{CONTROL}/outbox/1/raw", verify=certificate[0], timeout=30)
    assert b"with ESMTPSA id" in raw.content
    done = subprocess.run(
        ["swaks", "--server", host, "--port", str(port), "--to", "tls@example.com", "--tls", "--body", "Hi"],
        capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "TLS started" in done.stdout, done.stdout

    # Commands put before TLS are not obeyed behind it.
    client = ByHand(server)
    client.send("STARTTLS\r\nMAIL FROM:<injected@example.com>\r\n")
    assert client.reply().startswith("554 5.5.0") and client.reply() == ""


def test_without_a_certificate_there_is_no_starttls(mail_server):
    with smtplib.SMTP(*place(mail_server), timeout=20) as client:
        with pytest.raises(smtplib.SMTPNotSupportedError):
            client.starttls()
    assert ByHand(mail_server).ask("STARTTLS").startswith("502 ")


def test_a_stop_finishes_the_mail_that_has_begun(start, tmp_path):
    server = start("--smtp-port", "0", "--data", tmp_path)
    idle, busy = ByHand(server), ByHand(server)
    busy.begin("late@example.com")
    server.signal(signal.SIGTERM)
    assert idle.reply().startswith("421 4.3.2")
    assert idle.reply() == ""
    busy.send("Subject: late\r\n\r\nYour code is 112233\r\n.\r\n")
    assert busy.reply().startswith("250 ")
    assert busy.reply().startswith("421 ")
    busy.socket.close()
    assert server.process.wait(timeout=10) == 0
    assert start("--data", tmp_path).default_world.code("late@example.com")["code"] == "112233"


def test_a_newcomer_is_told_where_mail_goes(mail_server, server):
    told = requests.get(mail_server.url + CONTROL + "/info", timeout=30).json()["smtp"]
    assert told == f"smtp://localhost:{place(mail_server)[1]}"
    assert told in requests.get(mail_server.url + "/", timeout=30).text
    with smtplib.SMTP("localhost", int(told.rsplit(":", 1)[1]), timeout=20) as client:
        client.send_message(passcode_mail("told@example.com"))
    assert mail_server.default_world.code("told@example.com")["code"] == "482913"

    assert "smtp" not in requests.get(server.url + CONTROL + "/info", timeout=30).json()
    assert "smtp://" not in requests.get(server.url + "/", timeout=30).text


def test_a_relay_that_leads_back_ends(start):
    from understudy import free_port
    port = free_port()
    server = start("--smtp-port", port, "--smtp-relay", f"127.0.0.1:{port}")
    with smtplib.SMTP("127.0.0.1", port, timeout=20) as client:
        client.send_message(passcode_mail("loop@example.com"))
    world = server.default_world
    deadline = time.monotonic() + 10
    while not any("was here before" in text for text in world.explanations()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert len(world.messages(to="loop@example.com")) == 1


def test_what_is_received_goes_to_the_folder_too(start, tmp_path):
    server = start("--smtp-port", "0", "--outbox-dir", tmp_path / "mails")
    body = b"Subject: x\r\n\r\n\xff\xfe\r\n"
    with smtplib.SMTP(*place(server), timeout=20) as client:
        client.sendmail("a@example.com", ["folder@example.com"], body)
    deadline = time.monotonic() + 10
    while not (files := list((tmp_path / "mails").glob("*.eml"))):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert files[0].read_bytes().endswith(body)


def test_a_command_finds_where_mail_goes():
    done = run("exec", "--smtp-port", "0", "--", "sh", "-c", "echo $UNDERSTUDY_SMTP_URL")
    assert re.fullmatch(r"smtp://localhost:\d+\n", done.stdout) and done.stderr == ""


def test_a_port_that_is_taken_is_told(mail_server):
    refused = run("serve", "--port", "0", "--smtp-port", place(mail_server)[1])
    assert refused.returncode == 1
    assert f"port {place(mail_server)[1]} is in use; stop the other program or start with --smtp-port 0" in refused.stderr


def test_the_letter_shows_attachments_and_its_html_runs_nothing(mail_server, chromium):
    with smtplib.SMTP(*place(mail_server), timeout=20) as client:
        client.send_message(passcode_mail("page@example.com"))
    [message] = mail_server.default_world.messages(to="page@example.com")
    context = chromium.new_context()
    page, told = context.new_page(), []
    page.on("console", lambda entry: told.append(entry.text))
    page.goto(f"{mail_server.url}/outbox/{message['id']}")
    assert page.locator(".code-line .code").inner_text() == "482913"
    with page.expect_download() as download:
        page.get_by_text("Übersicht & mehr.pdf").click()
    assert download.value.suggested_filename == "Übersicht & mehr.pdf"
    assert open(download.value.path(), "rb").read() == PDF
    assert told == []
    page.goto(f"{mail_server.url}/outbox/{message['id']}?view=html")
    assert "your code is 482913" in page.frame_locator("iframe.html").locator("p").inner_text()
    assert page.frames[1].title() != "owned" and page.title() != "owned"
    assert [text for text in told if text.startswith("Blocked script execution")] == told != []
    context.close()
