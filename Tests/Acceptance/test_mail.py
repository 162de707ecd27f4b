"""Passcodes travel as real mails: read by Python's mail parser, received by a real SMTP server."""

import email
import email.policy
import email.utils
import json

import pytest
from aiosmtpd.controller import Controller

from understudy import Client, free_port, until

#: A service whose name needs encoding wherever it stands in a mail, and is longer than a line of one may be.
SERVICE = "Bäckerei Žižkov — 日本語のパン屋さん " + "und Söhne " * 12 + "🥐"


class Mailbox:
    """An SMTP server that keeps what it gets."""

    def __init__(self, port):
        self.mails = []
        self.controller = Controller(self, hostname="127.0.0.1", port=port, enable_SMTPUTF8=True)

    async def handle_DATA(self, server, session, envelope):
        self.mails.append(envelope)
        return "250 kept"

    def __enter__(self):
        self.controller.start()
        return self

    def __exit__(self, *_):
        self.controller.stop()


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
def fixtures(tmp_path):
    """A fixture file whose service has the long name."""
    file = tmp_path / "bakery.json"
    file.write_text(json.dumps({"hanko": {"config": {"service": {"name": SERVICE}}}}, ensure_ascii=False))
    return file


def parsed(raw):
    """A mail as Python's strict parser reads it; a mail with any defect fails here."""
    assert b"\n" not in raw.replace(b"\r\n", b""), "a line that does not end in CR LF"
    assert max(map(len, raw.split(b"\r\n"))) <= 998, "RFC 5322 §2.1.1"
    mail = email.message_from_bytes(raw, policy=email.policy.strict)
    for part in mail.walk():
        assert part.defects == []
        for value in part.values():
            assert value.defects == (), value
    return mail


def assert_is_passcode(mail, address, code):
    assert mail["To"].addresses[0].addr_spec == address
    assert mail["From"].addresses[0].addr_spec == "noreply@hanko.io"
    assert mail["Subject"].startswith(f"{code} is your passcode for ")
    assert mail["Message-ID"].strip().startswith("<") and "@" in mail["Message-ID"]
    assert email.utils.parsedate_to_datetime(mail["Date"]).tzinfo
    assert mail["MIME-Version"] == "1.0"
    text = mail.get_body(["plain"]).get_content()
    html = mail.get_body(["html"]).get_content()
    assert code in text.splitlines()
    assert code in html


def test_a_mail_in_the_outbox_is_read_without_a_defect(world, hanko):
    hanko.start(hanko.sign_up("reader@example.com"))
    code = world.code("reader@example.com")["code"]
    [message] = world.messages(to="reader@example.com")

    assert_is_passcode(parsed(world.raw(message["id"])), "reader@example.com", code)
    assert message["code"] == code
    html = world.control("GET", f"/outbox/{message['id']}/html")
    assert html.headers["Content-Type"].startswith("text/html") and code in html.text


def test_any_name_survives_the_journey_to_a_real_server(start, port, fixtures):
    with Mailbox(port) as box:
        server = start("--smtp-relay", f"127.0.0.1:{port}", "--fixtures", "default", "--fixtures", fixtures)
        world = server.default_world
        client = Client(world.hanko)
        client.start(client.sign_up("relay@example.com"))
        code = world.code("relay@example.com")["code"]
        [envelope] = until(lambda: box.mails, "the mail at the relay")

    assert envelope.rcpt_tos == ["relay@example.com"]
    mail = parsed(envelope.content)
    assert_is_passcode(mail, "relay@example.com", code)
    assert mail["Subject"] == f"{code} is your passcode for {SERVICE}"
    assert SERVICE in mail.get_body(["plain"]).get_content()


def test_an_address_beyond_ascii_reaches_a_server_that_can_take_it(start, port):
    with Mailbox(port) as box:
        server = start("--smtp-relay", f"127.0.0.1:{port}")
        client = Client(server.default_world.hanko)
        client.start(client.sign_up("jörg@example.com"))
        [envelope] = until(lambda: box.mails, "the mail at the relay")

    # RFC 6531 §3.4, RFC 6532 §3.
    assert envelope.smtp_utf8
    assert envelope.rcpt_tos == ["jörg@example.com"]
    assert "To: jörg@example.com\r\n".encode() in envelope.content


def test_mails_wait_for_a_relay_that_is_down(start, port):
    server = start("--smtp-relay", f"127.0.0.1:{port}")
    world = server.default_world
    client = Client(world.hanko)
    addresses = [f"patient{number}@example.com" for number in range(3)]
    for address in addresses:
        client.start(client.sign_up(address))
    until(lambda: [entry for entry in world.journal() if "relay" in (entry.get("explanation") or "").lower()
                   or "smtp" in (entry.get("explanation") or "").lower()], "the failure in the journal")

    with Mailbox(port) as box:
        until(lambda: len(box.mails) >= 3, "three mails", seconds=60)
        assert sorted(mail.rcpt_tos[0] for mail in box.mails) == addresses


def test_a_folder_gets_every_mail_as_a_file(start, tmp_path):
    folder = tmp_path / "mails"
    server = start("--outbox-dir", folder)
    client = Client(server.default_world.hanko)
    client.start(client.sign_up("file@example.com"))
    code = server.default_world.code("file@example.com")["code"]

    [file] = until(lambda: list(folder.glob("*.eml")) if folder.exists() else [], "the file")
    until(lambda: file.stat().st_size, "its content")
    assert_is_passcode(parsed(file.read_bytes()), "file@example.com", code)


@pytest.mark.parametrize(
    "address",
    [
        "o'brien+tag@example.com", "a.very.long.name." + "x" * 40 + "@" + "sub." * 20 + "example.com",
        "x" * 64 + "@example.com", "!#$%&'*+-/=?^_`{|}~@example.com", '"a b"@example.com',
    ])
def test_an_address_that_is_accepted_is_the_one_in_the_mail(world, hanko, address):
    created = hanko.post("/users", {"email": address})
    assert created.status_code in (200, 400)
    if created.status_code == 400:
        return
    hanko.start(created.json()["user_id"])
    [message] = world.messages(to=address)
    mail = parsed(world.raw(message["id"]))
    assert mail["To"].addresses[0].addr_spec == address


@pytest.mark.parametrize("address", ["a@example.com\r\nBcc: b@example.com", "a@example.com\nX: y", "a@example.com, b@example.com",
                                     "<a@example.com>", "a@example.com\0", "a@example.com>", "@example.com", "a@", "a"])
def test_an_address_with_more_than_an_address_in_it_is_refused(hanko, address):
    assert hanko.post("/users", {"email": address}).status_code == 400
