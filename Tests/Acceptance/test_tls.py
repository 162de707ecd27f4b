"""TLS with a certificate of one's own."""

import datetime
import ipaddress
import socket
import ssl

import pytest
import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from understudy import CONTROL, run


@pytest.fixture
def certificate(tmp_path):
    """Files of a self-made certificate for localhost and of its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.timezone.utc)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256()))
    (tmp_path / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (tmp_path / "key.pem").write_bytes(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return tmp_path / "cert.pem", tmp_path / "key.pem"


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
