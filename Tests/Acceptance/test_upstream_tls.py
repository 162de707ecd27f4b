"""Whom the program believes behind a mount: TLS with the system's authorities, those of --upstream-ca, and the right name."""

import pytest
import requests

from upstream_authority import DAY, Authority
from upstream_server import Service


@pytest.fixture
def authority(tmp_path):
    return Authority(tmp_path, "right")


@pytest.fixture
def serve():
    services = []

    def serve(files):
        services.append(Service(files))
        services[-1].answers["/x"] = (200, [], "real")
        return services[-1]

    yield serve
    for service in services:
        service.stop()


def ask(start, service, *options):
    server = start("--upstream", f"hanko={service.url}", *options)
    return requests.get(server.url + "/hanko/x", timeout=30)


def test_the_authority_of_the_option_is_believed_and_the_name_is_told(authority, serve, start):
    service = serve(authority.server("localhost"))
    answer = ask(start, service, "--upstream-ca", authority.file)
    assert (answer.status_code, answer.text) == (200, "real"), answer.text
    assert service.names == ["localhost"] and service.last.headers["Host"] == f"localhost:{service.port}"


def test_the_authority_of_a_world_is_believed_in_it_alone(authority, serve, make_world):
    service = serve(authority.server("localhost"))
    trusting, doubting = make_world(), make_world()
    trusting.control("PUT", "/upstreams/hanko", json={"url": service.url, "ca": authority.file.read_text()})
    doubting.control("PUT", "/upstreams/hanko", json={"url": service.url})
    for _ in range(3):
        assert requests.get(trusting.hanko + "/x", timeout=30).text == "real"
    # A connection that waits is used again, and by nobody who does not believe the service.
    assert service.names == ["localhost"]
    assert requests.get(doubting.hanko + "/x", timeout=30).status_code == 502


@pytest.mark.parametrize("case, words", [
    ("no authority", "not trusted"), ("wrong authority", "not trusted"), ("wrong name", "mismatch"), ("expired", "expired"),
])
def test_who_does_not_prove_to_be_the_service_is_not_asked(case, words, authority, serve, start, tmp_path):
    host = "other.example" if case == "wrong name" else "localhost"
    service = serve(authority.server(host, end=-DAY if case == "expired" else DAY))
    trusted = {"no authority": [], "wrong authority": ["--upstream-ca", Authority(tmp_path, "wrong").file]}
    answer = ask(start, service, *trusted.get(case, ["--upstream-ca", authority.file]))
    assert answer.status_code == 502, answer.text
    assert words in answer.json()["detail"].lower(), answer.json()
    assert service.seen == []
