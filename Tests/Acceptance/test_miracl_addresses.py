"""MIRACL's clients under other addresses: a public one, a host name of the platform, TLS, other worlds, and after a restart."""

from urllib.parse import urlsplit

import pytest

from miracl_backend import CLIENT, PROJECT, SampleApp, claims_of
from miracl_device import PIN, WRONG
from miracl_mfa import MFADevice
from miracl_trust import OlderTrustDevice, TrustDevice
from oauth_browser import Browser, metadata_of


def enroll(phone, world, real=str):
    """A phone without the fixtures of the shared program; `real` tells at which address a link is really to be opened."""
    phone.set_backend()
    phone.start_registration()
    browser = Browser()
    page = browser.open(real(world.code(phone.user)["link"]))
    page = browser.press(page.forms[0].buttons[0][0])
    assert page.status == 200, page.text
    phone.confirm_registration()
    phone.choose_pin()
    return phone


class Behind:
    """A device that knows the server by `public`, an address that a proxy in front of `real` listens at."""

    def behind(self, public, real, host=None):
        self.public, self.real = public, real
        self.session.headers["Host"] = urlsplit(host or real).netloc
        return self

    def address(self, url):
        assert url.startswith(self.public), f"{url} is not below {self.public}"
        return url.replace(self.public, self.real)


class ProxiedPhone(Behind, MFADevice):
    pass


class RootDevice(Behind, OlderTrustDevice):
    pass


def test_a_login_behind_a_public_address(start):
    """Nobody can reach the public address from here, the sample's back end neither."""
    server = start("--public-url", "https://id.example.test")
    phone = ProxiedPhone("https://id.example.test/miracl", PROJECT).behind("https://id.example.test", server.url)
    enroll(phone, server.default_world, phone.address)
    sample = SampleApp(server.url + "/app")

    code = phone.access_code(sample.authorize_url())
    assert phone.session_told["qrURL"].startswith("https://id.example.test/")
    phone.start_authentication(code)
    answer = sample.redeem(phone.code_for(code), phone.user)

    assert answer.status_code == 200, answer.text
    keys = server.url + "/miracl/oidc/certs"
    claims = claims_of(answer.json()["id_token"], keys, audience=CLIENT, issuer="https://id.example.test/miracl")
    assert claims["sub"] == phone.user


@pytest.mark.parametrize("named", [False, True])
def test_a_login_at_the_root_of_a_host_name(server, world, named):
    """The SDK for iOS takes the path of the address away that it is told."""
    where = world if named else server.default_world
    name = f"http://{world.name + '--' if named else ''}miracl.localhost:{server.address[1]}"
    device = RootDevice(name, PROJECT, user="root@example.com").behind(name, server.url, host=name)
    device.ask_for_mail()
    link = where.code(device.user)["link"]
    assert link.startswith(name + "/verification/confirmation?")
    device.register(device.confirm(link))

    claims = claims_of(device.jwt(), where.url + "/miracl/.well-known/jwks", audience=PROJECT, issuer=name)
    assert claims["sub"] == device.user


def test_a_login_over_tls(start, certificate, monkeypatch):
    """The native SDK takes nothing else once domains are trusted. The sample's back end needs no certificate of ours."""
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate[0]))
    server = start("--tls", "{},{}".format(*certificate))
    phone = MFADevice(server.url + "/miracl", PROJECT)
    phone.session.verify = str(certificate[0])
    phone.set_backend()
    assert {url[:8] for name, url in phone.settings.items() if name.endswith("URL")} == {"https://"}
    phone.start_registration()
    browser = Browser(verify=str(certificate[0]))
    browser.press(browser.open(server.default_world.code(phone.user)["link"]).forms[0].buttons[0][0])
    phone.confirm_registration()
    phone.choose_pin()

    sample = SampleApp(server.url + "/app")
    code = phone.access_code(sample.authorize_url())
    assert sample.redeem(phone.code_for(code), phone.user).status_code == 200


def test_a_phone_and_its_access_code_outlive_a_restart(start, tmp_path):
    server = start("--data", tmp_path)
    phone = enroll(MFADevice(server.url + "/miracl", PROJECT), server.default_world)
    code = phone.access_code(SampleApp(server.url + "/app").authorize_url())
    server.kill()
    server.start()

    phone.base = server.url + "/miracl"
    phone.set_backend()
    assert phone.status_of(WRONG) == 401
    assert phone.status_of(PIN, scope=["authcode"], wid=code) == 200


def test_a_phone_moves_with_exported_fixtures(world, make_world, make_native, make_trust, customer):
    """All that is open goes along: who waits for a mail, who has typed a PIN wrong, who is at a browser."""
    phone, device, waiting = make_native(), make_trust(), make_native(ready=False)
    waiting.set_backend()
    waiting.start_registration()
    session = customer.start_session()
    assert [phone.status_of(WRONG), phone.status_of(WRONG)] == [401, 401]
    exported = world.get("/fixtures")

    moved = make_world(fixtures=exported)
    assert moved.get("/fixtures") == exported
    for client in (phone, device, waiting):
        client.base = moved.url + "/miracl"
    phone.set_backend()
    assert phone.status_of(WRONG) == 410
    assert device.jwt() and device.session_details(session.code)["projectId"] == PROJECT
    waiting.set_backend()
    with pytest.raises(Exception, match="401"):
        waiting.confirm_registration()


def test_worlds_share_no_identities(make_world, make_native):
    phone = make_native()
    abroad = make_world().url + "/miracl"
    phone.base = abroad
    phone.set_backend()
    assert phone.pass1_url.startswith(abroad)
    assert phone.status_of(PIN) == 403


def test_a_seed_makes_everything_repeatable(make_world):
    """The same program in the same moment gives the same ids, tokens and challenges."""
    seen = []
    for _ in range(2):
        world = make_world(seed=7, clock="2026-03-04T05:06:07Z", frozen=True)
        phone = MFADevice(world.url + "/miracl", PROJECT)
        phone.set_backend()
        told = phone.start_registration()
        seen.append((told["mpinId"], told["regOTT"], world.code(phone.user)["code"], phone.settings["seedValue"]))
    assert seen[0] == seen[1]


def test_the_issuer_is_that_of_the_world(world, miracl, trust):
    assert metadata_of(miracl)["issuer"] == world.url + "/miracl"
    assert trust.jwt().count(".") == 2


def test_devices_of_several_worlds_stand_side_by_side(make_world):
    worlds = [make_world() for _ in range(3)]
    phones = [enroll(MFADevice(world.url + "/miracl", PROJECT), world) for world in worlds]
    assert len({phone.mpin_id for phone in phones}) == 3
    assert [phones[0].status_of(WRONG) for _ in range(3)] == [401, 401, 410]
    assert [phone.status_of(PIN) for phone in phones] == [410, 200, 200]


def test_a_device_that_was_told_one_world_is_not_led_to_another(make_world):
    world = make_world()
    device = TrustDevice(world.url + "/miracl", PROJECT)
    device.ask_for_mail()
    told = device.register(device.confirm(world.code(device.user)["link"]))
    assert all(url.startswith(world.url + "/miracl/") for url in told["secretUrls"])
