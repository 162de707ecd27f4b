"""`--tls auto`: a development CA, and unmodified clients that trust it and nothing else."""

import datetime
import ipaddress
import json
import os
import plistlib
import shutil
import socket
import ssl
import stat
import subprocess

import primp
import pytest
import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import Encoding, pkcs12
from cryptography.x509.oid import ExtendedKeyUsageOID

from understudy import BINARY, CONTROL, run, until

ANY_PURPOSE = "2.5.29.37.0"


@pytest.fixture
def state(tmp_path):
    """A user's state folder of its own."""
    return {"XDG_STATE_HOME": str(tmp_path / "state")}


@pytest.fixture
def secure(start, state):
    """A server with a CA, and the file with its certificate."""
    server = start("--tls", "auto", **state)
    server.ca = state["XDG_STATE_HOME"] + "/understudy/ca/ca.pem"
    return server


def shown_to(server, name, ca, address=("127.0.0.1", None)):
    """The certificate that a client is shown that asks for `name`; OpenSSL checks it, name constraints included."""
    context = ssl.create_default_context(cafile=ca)
    with socket.create_connection((address[0], server.address[1]), timeout=10) as connection:
        with context.wrap_socket(connection, server_hostname=name) as tls:
            return x509.load_der_x509_certificate(tls.getpeercert(binary_form=True))


def test_the_ca_is_made_once_and_kept_for_its_owner_alone(start, state, secure):
    folder = state["XDG_STATE_HOME"] + "/understudy/ca"
    key = folder + "/ca.key"
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    assert stat.S_IMODE(os.stat(key).st_mode) == 0o600
    first = open(key).read()
    assert "PRIVATE KEY" not in open(secure.ca).read()

    again = start("--tls", "auto", **state)
    assert open(key).read() == first
    assert shown_to(again, "localhost", secure.ca)
    assert sorted(os.listdir(folder)) == ["ca.key", "ca.pem"]


def test_two_programs_that_start_at_once_share_one_ca(state):
    asked = [
        subprocess.Popen(
            [BINARY, "ca", "export"], stdout=subprocess.PIPE, text=True, env=os.environ | state)
        for _ in range(6)
    ]
    assert len({process.communicate(timeout=30)[0] for process in asked}) == 1


def test_with_data_the_ca_lies_beside_the_worlds(start, tmp_path):
    server = start("--tls", "auto", "--data", tmp_path / "data", HOME="/nonexistent", XDG_STATE_HOME="")
    assert shown_to(server, "localhost", str(tmp_path / "data/ca/ca.pem"))
    assert [world["name"] for world in server_worlds(server, tmp_path / "data/ca/ca.pem")] == ["default"]
    homeless = run("serve", "--port", 0, "--tls", "auto", HOME="", XDG_STATE_HOME="")
    assert homeless.returncode == 1 and "give --data DIR or set XDG_STATE_HOME" in homeless.stderr


def server_worlds(server, ca):
    return requests.get(server.url + CONTROL + "/worlds", verify=str(ca), timeout=30).json()["worlds"]


@pytest.mark.parametrize("damage", ["", "no PEM\n", "cut", "other key"])
def test_a_damaged_ca_is_told_with_the_remedy(state, damage, tmp_path):
    key = tmp_path / "state/understudy/ca/ca.key"
    assert run("ca", "show", **state).returncode == 0
    whole = key.read_text()
    if damage == "other key":
        assert run("ca", "show", XDG_STATE_HOME=str(tmp_path / "other")).returncode == 0
        other = (tmp_path / "other/understudy/ca/ca.key").read_text()
        damage = other[: other.index("-----BEGIN CERT")] + whole[whole.index("-----BEGIN CERT"):]
    key.write_text(whole[:100] if damage == "cut" else damage)

    for arguments in (["serve", "--port", 0, "--tls", "auto"], ["ca", "show"]):
        refused = run(*arguments, **state)
        assert refused.returncode == 1
        assert str(key) in refused.stderr and "Restore the file; or remove it" in refused.stderr
    key.unlink()
    assert run("ca", "show", **state).returncode == 0


def test_a_key_that_others_could_read_is_closed(state, tmp_path):
    key = tmp_path / "state/understudy/ca/ca.key"
    run("ca", "show", **state)
    key.chmod(0o644)
    assert "was readable by other users" in run("ca", "show", **state).stderr
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_certificates_are_for_every_name_of_this_machine_and_short_lived(secure):
    names = ["localhost", "hanko.localhost", "blue--hanko.localhost", "deep.blue.localhost", "host.docker.internal",
             "127.0.0.1", "10.0.2.2", "understudy", "phone-tests.local"]
    for name in names:
        leaf = shown_to(secure, name, secure.ca)
        life = leaf.not_valid_after_utc - leaf.not_valid_before_utc
        assert life <= datetime.timedelta(days=397)
        assert leaf.public_key().curve.name == "secp256r1"
        use = leaf.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
        assert list(use) == [ExtendedKeyUsageOID.SERVER_AUTH]
    names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {"localhost", "phone-tests.local", "host.docker.internal"} <= set(names.get_values_for_type(x509.DNSName))
    assert {"127.0.0.1", "::1", "10.0.2.2"} <= {str(a) for a in names.get_values_for_type(x509.IPAddress)}
    assert shown_to(secure, "localhost", secure.ca, ("::1", None))


def as_network(text):
    return ipaddress.ip_network(text) if "/" in text else text


def test_the_ca_can_sign_for_nothing_else(secure, state):
    """RFC 5280 §4.2.1.10, as pyca/cryptography reads it; OpenSSL refuses what goes beyond."""
    ca = x509.load_pem_x509_certificate(open(secure.ca, "rb").read())
    constraints = ca.extensions.get_extension_for_class(x509.NameConstraints)
    assert constraints.critical
    permitted = [str(name.value) for name in constraints.value.permitted_subtrees]
    assert {"localhost", "local", "test", "internal", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8",
            "169.254.0.0/16", "100.64.0.0/10", "::1/128", "fe80::/10", "fc00::/7"} <= set(permitted)
    assert "com" not in permitted and "" not in permitted
    shown = json.loads(run("ca", "show", "--json", **state).stdout)["permitted"]
    assert [as_network(text) for text in shown] == [as_network(text) for text in permitted]
    basic = ca.extensions.get_extension_for_class(x509.BasicConstraints)
    assert basic.critical and basic.value.ca and basic.value.path_length == 0
    for stranger in ("login.example.com", "example.org", "com"):
        with pytest.raises(ssl.SSLCertVerificationError):
            shown_to(secure, stranger, secure.ca)
    for stranger in ("8.8.8.8", "2001:db8::1"):
        with pytest.raises(ssl.SSLCertVerificationError):
            shown_to(secure, stranger, secure.ca)


def test_an_allowed_host_is_signed_for_when_the_ca_is_made_with_it(start, state, tmp_path):
    with_it = start("--tls", "auto", "--allow-host", "login.example.com", **state)
    ca = str(tmp_path / "state/understudy/ca/ca.pem")
    assert shown_to(with_it, "login.example.com", ca) and shown_to(with_it, "hanko.login.example.com", ca)
    assert with_it.errors.read_text() == ""

    later = start("--tls", "auto", "--allow-host", "other.example.com", **state)
    told = later.errors.read_text()
    assert "may not sign for other.example.com" in told and "remove" in told and "understudy ca trust" in told
    assert shown_to(later, "localhost", ca)
    with pytest.raises(ssl.SSLCertVerificationError):
        shown_to(later, "other.example.com", ca)


def test_a_name_that_may_be_a_top_level_domain_is_never_signed_for(start, state, tmp_path):
    server = start("--tls", "auto", "--allow-host", "dev", **state)
    assert "may be a top-level domain" in server.errors.read_text()
    with pytest.raises(ssl.SSLCertVerificationError):
        shown_to(server, "google.dev", str(tmp_path / "state/understudy/ca/ca.pem"))


# Unmodified clients with the exported CA.


def test_curl_trusts_it(secure):
    for name in ("localhost", "hanko.localhost"):
        answer = subprocess.run(
            ["curl", "-sS", "--cacert", secure.ca, f"https://{name}:{secure.address[1]}{CONTROL}/health"],
            capture_output=True, text=True, timeout=30)
        assert '"ok"' in answer.stdout, answer.stderr
    assert subprocess.run(["curl", "-sS", secure.url], capture_output=True, timeout=30).returncode == 60
    plain = secure.url.replace("https://", "http://") + CONTROL + "/journal"
    told = until(lambda: [entry for entry in requests.get(plain, timeout=30).json()["entries"]
                          if entry.get("event") == "https not trusted"], "the journal")
    assert "unknown ca" in told[0]["explanation"] and "understudy ca trust" in told[0]["explanation"]


def test_python_trusts_it(secure):
    script = "import urllib.request, sys; print(urllib.request.urlopen(sys.argv[1]).status)"
    answer = subprocess.run(
        ["python3", "-c", script, secure.url + CONTROL + "/health"], capture_output=True, text=True, timeout=30,
        env=os.environ | {"SSL_CERT_FILE": secure.ca})
    assert answer.stdout == "200\n", answer.stderr
    assert requests.get(secure.url + CONTROL + "/health", verify=secure.ca, timeout=30).status_code == 200


@pytest.mark.parametrize("options", [[], ["--allow-host", "login.understudy.test"]], ids=["alone", "allowed"])
def test_rustls_trusts_it(start, state, options):
    """Which reads every name of a certificate before it trusts any: Deno, uv and whatever else speaks by reqwest."""
    server = start("--tls", "auto", *options, **state)
    client = primp.Client(ca_cert_file=state["XDG_STATE_HOME"] + "/understudy/ca/ca.pem", timeout=30)
    for name in ("localhost", "127.0.0.1", "hanko.localhost", "deep.blue.localhost"):
        assert client.get(f"https://{name}:{server.address[1]}{CONTROL}/health").json()["status"] == "ok", name
    with pytest.raises(primp.RequestError, match="UnknownIssuer"):
        primp.Client(timeout=30).get(server.url)


@pytest.mark.skipif(not shutil.which("node"), reason="Node is not installed")
def test_node_trusts_it(secure):
    script = "fetch(process.argv[1]).then(a => console.log(a.status), e => console.log(e.cause.code))"
    seen = []
    for environment in ({"NODE_EXTRA_CA_CERTS": secure.ca}, {}):
        answer = subprocess.run(
            ["node", "-e", script, secure.url + CONTROL + "/health"], capture_output=True, text=True, timeout=60,
            env=os.environ | environment)
        seen.append(answer.stdout.strip())
    assert seen == ["200", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"]


JAVA = """
import java.net.URI;
import java.net.http.*;
public class Ask {
    public static void main(String[] urls) throws Exception {
        for (String url : urls) {
            HttpResponse<String> answer = HttpClient.newHttpClient().send(
                HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
            System.out.println(answer.statusCode());
        }
    }
}
"""


@pytest.mark.skipif(not shutil.which("java"), reason="Java is not installed")
def test_java_trusts_the_exported_truststore(secure, state, tmp_path):
    store = tmp_path / "understudy.p12"
    assert run("ca", "export", "--format", "p12", "--output", store, **state).returncode == 0
    source = tmp_path / "Ask.java"
    source.write_text(JAVA)
    urls = [f"https://{name}:{secure.address[1]}{CONTROL}/health" for name in ("localhost", "127.0.0.1")]
    trusting = ["-Djavax.net.ssl.trustStore=" + str(store), "-Djavax.net.ssl.trustStoreType=PKCS12",
                "-Djavax.net.ssl.trustStorePassword=changeit"]
    answer = subprocess.run(["java", *trusting, source, *urls], capture_output=True, text=True, timeout=120)
    assert answer.stdout == "200\n200\n", answer.stderr
    listed = subprocess.run(
        ["keytool", "-list", "-keystore", store, "-storepass", "changeit"], capture_output=True, text=True, timeout=60)
    assert "trustedCertEntry" in listed.stdout


def test_our_own_calls_trust_it(start, state):
    """The sample's back end asks the token server, and a callback goes to an https address of ours."""
    for more in ([], ["--tls-only"]):
        server = start("--tls", "auto", *more, **state)
        ca = state["XDG_STATE_HOME"] + "/understudy/ca/ca.pem"
        assert requests.post(server.url + "/app/authzurl", verify=ca, timeout=30).status_code == 200
        begun = run("otp", "start", "--wait", "0s", "--callback", server.url + "/app/portal/callback", url=server.url)
        assert begun.returncode == 0, begun.stderr
        listed = requests.get(server.url + CONTROL + "/transactions", verify=ca, timeout=30).json()["transactions"]
        decided = run("otp", "confirm", listed[0]["id"], "--user", "ada", url=server.url)
        assert decided.returncode == 0, decided.stderr
        # The portal did not start that transaction: its answer says that the callback arrived.
        entries = until(lambda: [
            entry for entry in requests.get(server.url + CONTROL + "/journal", verify=ca, timeout=30).json()["entries"]
            if entry.get("event") == "callback failed"], "the callback")
        assert "answered with 404 Not Found" in entries[0]["explanation"]


# The command and the page.


def test_the_certificate_is_fetched_without_trust_and_token(start, state):
    server = start("--tls", "auto", "--host", "0.0.0.0", "--control-token", "secret-token", **state)
    plain = server.url.replace("https://", "http://")
    pem = requests.get(plain + "/_understudy/ca.pem", timeout=30)
    assert pem.headers["Content-Type"] == "application/x-x509-ca-cert"
    assert pem.text == open(state["XDG_STATE_HOME"] + "/understudy/ca/ca.pem").read()
    assert requests.get(plain + CONTROL + "/ca/ca.pem", timeout=30).text == pem.text
    der = requests.get(plain + "/_understudy/ca.crt", timeout=30).content
    ca = x509.load_pem_x509_certificate(pem.content)
    assert der == ca.public_bytes(Encoding.DER)
    profile = requests.get(plain + "/_understudy/ca.mobileconfig", timeout=30)
    assert profile.headers["Content-Type"] == "application/x-apple-aspen-config"
    content = plistlib.loads(profile.content)["PayloadContent"][0]
    assert (content["PayloadType"], content["PayloadContent"]) == ("com.apple.security.root", der)

    page = requests.get(plain + "/ca?token=secret-token", timeout=30)
    assert page.status_code == 200 and "<svg" in page.text
    assert ":".join(f"{byte:02X}" for byte in ca.fingerprint(hashes.SHA256())) in page.text


def test_without_tls_auto_there_is_no_certificate(server):
    refused = requests.get(server.url + "/_understudy/ca.pem", timeout=30)
    assert refused.status_code == 404 and "--tls auto" in refused.json()["detail"]
    page = requests.get(server.url + "/ca", timeout=30)
    assert page.status_code == 200 and "understudy serve --tls auto" in page.text


def test_ca_export_writes_every_form(state, tmp_path):
    pem = run("ca", "export", **state).stdout
    ca = x509.load_pem_x509_certificate(pem.encode())
    for form in ("der", "p12", "mobileconfig"):
        assert run("ca", "export", "--format", form, "--output", tmp_path / form, **state).returncode == 0
    assert (tmp_path / "der").read_bytes() == ca.public_bytes(Encoding.DER)
    store = pkcs12.load_pkcs12((tmp_path / "p12").read_bytes(), b"changeit")
    assert (store.key, [entry.certificate for entry in store.additional_certs]) == (None, [ca])
    assert plistlib.loads((tmp_path / "mobileconfig").read_bytes())["PayloadType"] == "Configuration"
    assert "name a file with --output" in run("ca", "export", "--format", "der", **state).stderr
    told = json.loads(run("ca", "show", "--json", **state).stdout)
    assert told["sha256"].replace(":", "").lower() == ca.fingerprint(hashes.SHA256()).hex()


def test_ca_trust_has_the_lines_of_every_client(state, tmp_path):
    told = run("ca", "trust", **state).stdout
    file = str(tmp_path / "state/understudy/ca/ca.pem")
    for line in (f"xcrun simctl keychain booted add-root-cert {file}", f"NODE_EXTRA_CA_CERTS={file}",
                 f"SSL_CERT_FILE={file}", f"REQUESTS_CA_BUNDLE={file}", f"curl --cacert {file}", "keytool -importcert",
                 "certutil -d sql:$HOME/.pki/nssdb -A -t C,, -n understudy", "security add-trusted-cert",
                 "<certificates src=\"user\"/>", "adb push", "ca.mobileconfig"):
        assert line in told, line
    alone = run("ca", "trust", "node", **state).stdout
    assert "NODE_EXTRA_CA_CERTS" in alone and "simctl" not in alone
    wrong = run("ca", "trust", "nokia", **state)
    assert wrong.returncode == 2 and "only ios-simulator" in wrong.stderr
