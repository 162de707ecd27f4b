"""Flows of nextAuth: AppLogin, and a page that follows its phone."""

from flow_golden import expect_flow, now  # noqa: F401 - one of them a fixture
from nextauth_fixtures import *  # noqa: F403 - the fixtures
from nextauth_server import new_nonce
from test_nextauth_web import open_socket, subject  # noqa: F401 - fixtures


def test_nextauth_an_app_login(world, backend, sdk, now):  # noqa: F811 - fixtures
    since = now()
    sdk.app_login.start()
    assert backend.session(sdk.app_login.web_nonce)["loggedin"]
    expect_flow(world, since, "nextauth", platform="nextauth")


def test_nextauth_a_page_hears_of_its_login_by_web_socket(world, backend, sdk, open_socket, subject, now):  # noqa: F811 - fixtures
    socket, since = open_socket(), now()
    nonce = new_nonce()
    socket.send("REGISTER " + subject(nonce))
    assert socket.recv(timeout=10) == "LOGOUT " + subject(nonce)
    sdk.start_session(backend.login_code(nonce))
    assert [socket.recv(timeout=10).split()[0] for _ in range(2)] == ["CONFIRMSCAN", "LOGIN"]
    expect_flow(world, since, "nextauth-web", platform="nextauth")
