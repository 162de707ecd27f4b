"""What a request may ask for is bounded, and who waits for something long hears what it is."""

import json
import re
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from phones import Phone, Refused, new_phone
from understudy import CONTROL

LONGEST = "é" * 128  # 256 bytes.


@pytest.mark.parametrize("path", [
    CONTROL + "/journal?q=", CONTROL + "/journal.har?q=", CONTROL + "/outbox?subject=", "/journal?q=", "/outbox?q=", "/devices?q=",
    "/miracl/api/v1/search?query="])
def test_words_to_look_for_are_at_most_256_bytes_long(world, path):
    assert requests.get(world.url + path + LONGEST, timeout=30).status_code == 200
    for words in (LONGEST + "x", "x" * 257, "a\u0301" * 6_000):
        refused = requests.get(world.url + path + words, timeout=30)
        assert refused.status_code == 400
        # MIRACL's own answer is terse; what it means stands in the journal.
        said = world.explanations()[0] if path.startswith("/miracl") else refused.text
        assert re.search(rf"at most 256 bytes, (but is|found) one of {len(words.encode())} bytes", said), said


@pytest.mark.parametrize("text, words", [
    ("ПРИВЕТ, мир", "привет, МИР"), ("Καλημέρα κόσμε", "ΚΑΛΗΜΈΡΑ"), ("groß", "GROẞ"), ("ÅNGSTRÖM", "ångström"), ("日本語", "本")])
def test_the_journal_is_searched_in_any_alphabet(world, text, words):
    requests.post(world.hanko + "/user", json={"email": "x@example.com", "note": text}, timeout=30)
    requests.post(world.hanko + "/user", data=json.dumps({"note": text}, ensure_ascii=False).encode(),
                  headers={"Content-Type": "application/json"}, timeout=30)
    found = world.get("/journal", q=words)["entries"]
    assert [entry["exchange"]["target"] for entry in found] == [f"/w/{world.name}/hanko/user"]


def test_the_text_of_a_code_is_at_most_8_kibibytes_long(world):
    phone = Phone(world, "ada")
    with pytest.raises(Refused) as unknown:
        phone.scan("a" * 8192)
    assert unknown.value.status == 422
    for text in ("a" * 8193, "a\u0301" * 300_000):
        with pytest.raises(Refused) as refused:
            phone.scan(text)
        assert refused.value.status == 400
        assert refused.value.detail == f"The text of a code has at most 8192 bytes, but this one has {len(text.encode())}."


def enrolled(phone):
    try:
        return phone.enrol(platform="onegini")["kind"]
    except Refused as refused:
        # On a busy machine a key takes longer than the call waits; the phone goes on by itself.
        assert "waits for a new RSA key" in refused.detail, refused.detail
        return "enrolment"


def test_phones_that_need_keys_keep_nobody_waiting(world):
    phones = [new_phone(world, f"tablet-{number}", owner="ada") for number in range(12)]
    with ThreadPoolExecutor(13) as pool:
        enrolments = [pool.submit(enrolled, phone) for phone in phones]
        other = pool.submit(Phone(world, "grace").enrol, platform="nextauth", user="ada@example.com")
        assert other.result()["kind"]
        assert {enrolment.result() for enrolment in enrolments} == {"enrolment"}


def test_a_long_archive_comes_in_pieces_and_is_whole(world, server):
    for number in range(200):
        requests.post(f"{world.hanko}/user?n={number}", json={"email": "x" * 1000}, timeout=30)
    answer = requests.get(f"{world.url}{CONTROL}/journal.har", timeout=30)
    assert answer.headers["Transfer-Encoding"] == "chunked"
    targets = [entry["request"]["url"].rsplit("?n=")[1] for entry in answer.json()["log"]["entries"]]
    assert targets == [str(number) for number in range(200)]
    # Whoever leaves in the middle leaves the rest unmade, and the next is answered.
    for _ in range(20):
        with socket.create_connection(server.address, timeout=10) as connection:
            connection.sendall(f"GET /w/{world.name}{CONTROL}/journal.har HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            connection.recv(100)
    assert requests.get(f"{world.url}{CONTROL}/health", timeout=30).ok
