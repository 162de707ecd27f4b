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


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_versions_before_1_2_and_plain_text_are_refused(start, certificate):
    server = start("--tls", "{},{}".format(*certificate))

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
