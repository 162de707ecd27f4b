"""Worlds that are spread over two programs by a proxy."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests
from playwright.sync_api import expect

from proxies import haproxy, nginx
from understudy import CONTROL, Server, World, free_port, run

WORLDS = 500


@pytest.fixture
def instances(tmp_path):
    """Two programs that keep their worlds."""
    started = [Server("--instance", name, "--data", tmp_path / name, port=free_port()) for name in "ab"]
    yield started
    for server in started:
        server.stop()


@pytest.fixture
def farm(request, instances, tmp_path):
    proxy = getattr(request, "param", haproxy)(tmp_path, free_port(), [server.port for server in instances])
    yield proxy
    proxy.stop()


class Customer:
    """A test somewhere in a farm of jobs: makes a world of its own and logs somebody in, and remembers what it was told."""

    def __init__(self, front, number):
        self.name = f"job-{number}"
        self.front = front
        self.world = World(self.name, f"{front}/w/{self.name}")
        self.hanko = self.world.hanko
        self.email = f"user-{number}@example.com"
        self.user = None

    def ask(self, method, url, *fine, **options):
        """Asks again while the program behind the proxy is away."""
        for _ in range(60):
            try:
                answer = requests.request(method, url, timeout=60, **options)
            except requests.ConnectionError:
                answer = None
            if answer is not None and answer.status_code in fine:
                return answer
            assert answer is None or answer.status_code in (502, 503, 504), f"{url}: {answer.status_code} {answer.text}"
            time.sleep(0.2)
        raise AssertionError(f"{url} was never answered")

    def run(self):
        # 409 for what the first try did, of which the answer was lost.
        self.ask("PUT", f"{self.front}{CONTROL}/worlds/{self.name}", 201, 409, json={})
        made = self.ask("POST", self.hanko + "/users", 200, 409, json={"email": self.email})
        if made.status_code == 409:
            self.email = "again-" + self.email
            made = self.ask("POST", self.hanko + "/users", 200, json={"email": self.email})
        self.user = made.json()["user_id"]
        passcode = self.ask("POST", self.hanko + "/passcode/login/initialize", 200, json={"user_id": self.user}).json()
        code = self.ask("GET", f"{self.world.url}{CONTROL}/codes", 200, params={"to": self.email, "wait": 10}).json()["code"]
        # 410: the first try was right, and its answer lost.
        self.ask("POST", self.hanko + "/passcode/login/finalize", 200, 410, json={"id": passcode["id"], "code": code})
        return self

    def look_up(self):
        return self.ask("POST", self.hanko + "/user", 200, json={"email": self.email}).json()["id"]


def test_five_hundred_worlds_outlive_the_end_of_a_program(farm, instances):
    with ThreadPoolExecutor(16) as pool:
        jobs = [pool.submit(Customer(farm.url, number).run) for number in range(WORLDS)]
        for job in jobs[:WORLDS // 3]:
            job.result()
        instances[0].kill()
        instances[0].start()
        customers = [job.result() for job in jobs]

        assert list(pool.map(Customer.look_up, customers)) == [customer.user for customer in customers]
    kept = [{world["name"] for world in requests.get(server.url + CONTROL + "/worlds", timeout=30).json()["worlds"]}
            for server in instances]
    assert kept[0] & kept[1] == {"default"}
    assert kept[0] | kept[1] == {"default", *(customer.name for customer in customers)}
    assert all(len(names) > WORLDS / 4 for names in kept), [len(names) for names in kept]


@pytest.mark.parametrize("farm", [haproxy, nginx], ids=["haproxy", "nginx"], indirect=True)
def test_a_world_is_made_where_it_is_used(farm, instances):
    used = {}
    for number in range(20):
        name = f"blue-{number}"
        made = run("world", "create", name, url=farm.url)
        assert made.returncode == 0, made.stderr
        info = requests.get(f"{farm.url}/w/{name}{CONTROL}/info", timeout=30).json()
        assert info["world"] == name
        used.setdefault(info["instance"], []).append(name)
        # Host names lead there too, and what is handed out names the proxy.
        shown = requests.get(f"{farm.url}/.well-known/jwks.json", headers={"Host": f"{name}--hanko.localhost"}, timeout=30)
        assert shown.status_code == 200, shown.text
        discovery = requests.get(f"{farm.url}/w/{name}/oauth/.well-known/openid-configuration", timeout=30).json()
        assert discovery["issuer"] == f"{farm.url}/w/{name}/oauth"
    assert sorted(used) == ["a", "b"]

    told = requests.get(farm.url + CONTROL + "/worlds", timeout=30).json()
    assert sorted(world["name"] for world in told["worlds"]) == sorted(["default", *used[told["instance"]]])
    assert requests.put(f"{farm.url}{CONTROL}/worlds/blue-0", json={}, timeout=30).status_code == 409
    assert run("world", "delete", "blue-0", url=farm.url).returncode == 0
    assert requests.get(f"{farm.url}/w/blue-0{CONTROL}/info", timeout=30).status_code == 404


def test_the_console_says_on_which_program_a_world_is(farm, instances, browse):
    name = "blue"
    requests.put(f"{farm.url}{CONTROL}/worlds/{name}", json={}, timeout=30)
    instance = requests.get(f"{farm.url}/w/{name}{CONTROL}/info", timeout=30).json()["instance"]
    page = browse(f"{farm.url}/w/{name}/outbox")
    expect(page.locator(".world summary")).to_have_text(f"World blue on {instance}")


def test_a_program_of_its_own_has_no_name(server):
    assert "instance" not in requests.get(server.url + CONTROL + "/worlds", timeout=30).json()
    refused = run("serve", "--instance", "a b")
    assert refused.returncode == 2 and "--instance expects 1 to 64 letters, digits, -, _ and dots" in refused.stderr
