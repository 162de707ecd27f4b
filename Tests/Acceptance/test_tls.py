"""TLS with a certificate of one's own."""

import socket
import ssl

import pytest
import requests

from understudy import CONTROL, run


def test_a_real_client_verifies_the_certificate_and_is_served(start, certificate):
    server = start("--tls", "{},{}".format(*certificate))
    assert server.url.startswith("https://")

    health = requests.get(server.url + CONTROL + "/health", verify=certificate[0], timeout=30)
    assert health.json()["status"] == "ok"
    made = requests.post(server.url + CONTROL + "/worlds", json={}, verify=certificate[0], timeout=30)
    assert made.json()["baseURL"].startswith("https://")
    with pytest.raises(requests.exceptions.SSLError):
        requests.get(server.url + CONTROL + "/health", timeout=30)


def test_one_port_answers_both_protocols_and_hands_out_links_of_either(start, certificate):
    server = start("--tls", "{},{}".format(*certificate))
    document = "/oauth/.well-known/openid-configuration"
    plain = server.url.replace("https://", "http://")

    assert requests.get(server.url + document, verify=certificate[0], timeout=30).json()["issuer"] == server.url + "/oauth"
    assert requests.get(plain + document, timeout=30).json()["issuer"] == plain + "/oauth"


def test_with_tls_only_plain_text_is_refused_and_told(start, certificate):
    server = start("--tls", "{},{}".format(*certificate), "--tls-only")

    refused = requests.get(server.url.replace("https://", "http://"), timeout=30)
    assert (refused.status_code, "use https://" in refused.text) == (400, True)
    journal = requests.get(server.url + CONTROL + "/journal", verify=certificate[0], timeout=30).json()["entries"]
    assert "start without --tls-only" in journal[0]["explanation"]
    alone = run("serve", "--port", "0", "--tls-only")
    assert (alone.returncode, "--tls-only needs --tls" in alone.stderr) == (2, True)


def test_without_tls_the_client_gets_an_alert_and_the_journal_a_sentence(start):
    server = start()

    with socket.create_connection(server.address, timeout=10) as connection:
        with pytest.raises(ssl.SSLError, match="(?i)handshake[_ ]failure"):
            ssl.create_default_context().wrap_socket(connection, server_hostname="localhost")
    entry = server.default_world.journal()[0]
    assert (entry["event"], "start with --tls auto" in entry["explanation"]) == ("https on the http port", True)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_versions_before_1_2_and_plain_text_are_refused(start, certificate):
    server = start("--tls", "{},{}".format(*certificate), "--tls-only")

    with socket.create_connection(server.address, timeout=10) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert not plain.recv(100).startswith(b"HTTP/1.1 2")
    old = ssl.create_default_context(cafile=certificate[0])
    old.set_ciphers("ALL:@SECLEVEL=0")
    old.minimum_version, old.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
    with socket.create_connection(server.address, timeout=10) as connection:
        with pytest.raises(OSError):
            old.wrap_socket(connection, server_hostname="localhost")
    current = ssl.create_default_context(cafile=certificate[0])
    with socket.create_connection(server.address, timeout=10) as connection:
        with current.wrap_socket(connection, server_hostname="localhost") as secure:
            assert secure.version() in ("TLSv1.2", "TLSv1.3")


def test_a_missing_certificate_is_told_before_anything_listens(tmp_path):
    refused = run("serve", "--port", "0", "--tls", f"{tmp_path}/none.pem,{tmp_path}/none.key")
    assert refused.returncode == 1
    assert "none.pem" in refused.stderr
