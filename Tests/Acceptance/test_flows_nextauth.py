"""The flow of nextAuth's AppLogin, step by step."""

from flow_golden import expect_flow, now  # noqa: F401 - one of them a fixture
from nextauth_fixtures import *  # noqa: F403 - the fixtures


def test_nextauth_an_app_login(world, backend, sdk, now):  # noqa: F811 - fixtures
    since = now()
    sdk.app_login.start()
    assert backend.session(sdk.app_login.web_nonce)["loggedin"]
    expect_flow(world, since, "nextauth", platform="nextauth")
