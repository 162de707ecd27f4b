"""The manifest for Kubernetes, as far as no cluster is needed: what it probes answers, what it sets is a setting, and names of services are known.

Sources: Kubernetes, “DNS for Services and Pods” (names of a service), “Accessing the Service” (variables of a service in its neighbours).
"""

import re

import pytest
import requests
import yaml

from understudy import CONTROL, ROOT, run

DOCUMENTS = list(yaml.safe_load_all((ROOT / "Packages/kubernetes/understudy.yaml").read_text()))
[DEPLOYMENT] = [document for document in DOCUMENTS if document["kind"] == "Deployment"]
[SERVICE] = [document for document in DOCUMENTS if document["kind"] == "Service"]
[CONTAINER] = DEPLOYMENT["spec"]["template"]["spec"]["containers"]
ENVIRONMENT = {entry["name"]: entry.get("value") for entry in CONTAINER["env"]}


def test_the_service_leads_to_the_deployment():
    labels = DEPLOYMENT["spec"]["template"]["metadata"]["labels"]
    assert SERVICE["spec"]["selector"].items() <= labels.items() and DEPLOYMENT["spec"]["selector"]["matchLabels"].items() <= labels.items()
    ports = {port["name"]: port["containerPort"] for port in CONTAINER["ports"]}
    assert [ports[port["targetPort"]] for port in SERVICE["spec"]["ports"]] == [8420]
    assert str(CONTAINER["securityContext"]["runAsUser"]) == re.search(r"^USER (\d+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)[1]


def test_what_is_probed_answers_without_a_token(start):
    server = start("--host", "127.0.0.1", "--control-token", "development")
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        path = CONTAINER[probe]["httpGet"]["path"]
        # Probes of the kubelet name the address of the pod.
        assert requests.get(server.url + path, headers={"Host": "10.244.0.7:8420"}, timeout=30).status_code == 200


def test_what_it_sets_is_a_setting():
    settings = run("help", "--markdown").stdout
    for name in ENVIRONMENT:
        assert f"`{name}`" in settings


@pytest.mark.parametrize("host", ["understudy", "understudy.testing", "understudy.testing.svc", "understudy.testing.svc.cluster.local"])
def test_names_of_the_service_are_known(start, host):
    server = start(UNDERSTUDY_ALLOW_HOST=ENVIRONMENT["UNDERSTUDY_ALLOW_HOST"])
    assert requests.get(server.url + "/hanko/.well-known/jwks.json", headers={"Host": f"{host}:8420"}, timeout=30).status_code == 200


def test_a_name_that_is_not_known_is_an_entry_that_says_what_to_write(start):
    server = start("--log", "text")
    host = "registry.example.com__team__understudy"
    refused = requests.get(server.url + "/hanko/hanko/user", headers={"Host": host}, timeout=30)
    assert refused.status_code == 421
    [entry] = requests.get(server.url + CONTROL + "/journal", params={"status": "421"}, timeout=30).json()["entries"]
    assert f"--allow-host {host}" in entry["explanation"] and "alias:" in entry["explanation"]
    assert f" 421 GET {host}/hanko/hanko/user " in server.errors.read_text() and "alias:" in server.errors.read_text()
    doubled = requests.get(server.url + "/hanko/hanko/user", headers={"X-Understudy-Explain": "1"}, timeout=30)
    assert "Did you mean /hanko/user" in doubled.headers["X-Understudy-Explanation"]
