"""What MIRACL's clients are told before anything happens, and how forgiving the server has to be about the way they speak.

Source: MIRACL's mobile SDK wrappers and the open core; client-js 4 to 8.
"""

import http.client
import json
from urllib.parse import urlsplit

import pytest
import requests

from miracl_backend import PROJECT
from miracl_classic import ClassicDevice
from miracl_mfa import MFADevice

ADDRESSES = {
    "registerURL": "/rps/v2/user", "signatureURL": "/rps/v2/signature", "mpinAuthServerURL": "/rps/v2", "pass1URL": "/rps/v2/pass1",
    "pass2URL": "/rps/v2/pass2", "authenticateURL": "/rps/v2/authenticate", "mobileAuthenticateURL": "/rps/v2/authenticate",
    "codeStatusURL": "/rps/v2/codeStatus", "dvsRegURL": "/rps/v2/dvsregister", "accessURL": "/rps/v2/access",
    "certivoxURL": "/rps/v2/dta/", "timePermitsURL": "/rps/v2/timePermit", "timePermitsStorageURL": "/rps/v2/permits"}
#: What the libraries for browsers send, the newest included.
HEADERS = {"content-type", "authorization", "x-miracl-cid", "x-miracl-client", "x-miracl-device-name", "x-miracl-device-tag"}


@pytest.mark.parametrize("prefix", ["rps/v2", "rps"])
def test_settings(miracl, prefix):
    told = requests.get(f"{miracl}/{prefix}/clientSettings", timeout=30)
    assert told.status_code == 200 and told.headers["Content-Type"].startswith("application/json")
    settings = told.json()

    assert {name: settings.get(name) for name in ADDRESSES} == {name: miracl + path for name, path in ADDRESSES.items()}
    for name in ("setupDoneURL", "getAccessNumberURL", "accessNumberURL"):
        assert settings[name].startswith(miracl + "/rps/v2/"), name
    assert settings["usePermits"] is False
    assert settings["requestOTP"] is False and settings["useWebSocket"] is False and settings["setDeviceName"] is False
    assert (settings["accessNumberDigits"], settings["accessNumberUseCheckSum"], settings["cSum"]) == (7, True, 1)
    assert type(settings["appID"]) is str and settings["appID"]
    assert {type(value) for value in settings.values()} <= {str, int, bool}
    assert len(bytes.fromhex(settings["seedValue"])) >= 32
    assert requests.get(f"{miracl}/{prefix}/clientSettings", timeout=30).json()["seedValue"] != settings["seedValue"]


def test_settings_by_the_project_of_an_old_browser(miracl):
    assert requests.get(miracl + "/rps/v2/clientSettings", params={"cid": PROJECT}, timeout=30).status_code == 200
    assert requests.get(miracl + "/rps/v2/clientSettings", params={"project_id": PROJECT}, timeout=30).status_code == 200


def test_a_company_nobody_knows_is_refused(miracl, declined):
    with declined(403):
        MFADevice(miracl, "somebody-else").set_backend()


def test_a_company_left_out_is_the_only_one(make_classic):
    make_classic(ready=False).set_backend()


def test_an_app_learns_its_settings_from_a_qr_code(miracl):
    told = requests.get(miracl + "/service", timeout=30)
    assert told.status_code == 200
    service = told.json()
    assert service["type"] == "online" and service["name"]
    assert service["url"].rstrip("/") == miracl
    assert "logo_url" in service
    phone = ClassicDevice(service["url"].rstrip("/"), prefix=service["rps_prefix"].strip("/"))
    assert phone.set_backend()["registerURL"] == miracl + "/rps/v2/user"


def test_the_project_of_this_address(miracl):
    told = requests.get(miracl + "/.well-known/project-configuration", timeout=30)
    assert told.status_code == 200 and told.json()["id"] == PROJECT


@pytest.mark.parametrize("path", [
    "/rps/v2/user", "/rps/v2/pass1", "/rps/v2/session", "/verification/email", "/registration", "/authorize", "/pushauth",
    "/dvs/verify", "/rps/v2/clientSettings"])
def test_pages_of_other_origins_are_clients(miracl, path):
    asked = {"Origin": "https://shop.example", "Access-Control-Request-Method": "POST",
             "Access-Control-Request-Headers": ",".join(sorted(HEADERS))}
    told = requests.options(miracl + path, headers=asked, timeout=30)

    assert told.ok, told.text
    assert told.headers["Access-Control-Allow-Origin"] in ("*", "https://shop.example")
    allowed = {name.strip().lower() for name in told.headers["Access-Control-Allow-Headers"].split(",")}
    assert HEADERS <= allowed
    methods = {name.strip() for name in told.headers["Access-Control-Allow-Methods"].split(",")}
    assert {"GET", "POST", "PUT", "DELETE"} <= methods


def test_an_answer_can_be_read_by_pages_of_other_origins(miracl):
    for path in ("/rps/v2/clientSettings", "/rps/v2/signature/00?regOTT=0"):
        told = requests.get(miracl + path, headers={"Origin": "https://shop.example"}, timeout=30)
        assert told.headers["Access-Control-Allow-Origin"] in ("*", "https://shop.example"), told.status_code


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=UTF-8", None, "text/plain",
                                  "application/x-www-form-urlencoded"])
def test_json_is_told_by_what_it_is(native, kind):
    native.content_type = kind
    assert native.status_of("1234", scope=["otp"]) == 200


def by_hand(url, body, chunked, **headers):
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
    connection.request("POST", parts.path, iter(body) if chunked else body, headers, encode_chunked=chunked)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, text


def test_bodies_in_chunks_and_header_names_in_lower_case(miracl):
    order = json.dumps({"projectId": PROJECT}).encode()
    parts = [order[at:at + 5] for at in range(0, len(order), 5)]
    status, text = by_hand(miracl + "/rps/v2/session", parts, True, **{
        "content-type": "application/json", "x-miracl-client": "test", "transfer-encoding": "chunked"})
    assert status == 200, text
    assert set(json.loads(text)) >= {"webOTT", "accessId", "accessURL", "qrURL"}


def test_a_client_that_waits_to_be_told_to_go_on(miracl):
    order = json.dumps({"projectId": PROJECT}).encode()
    status, text = by_hand(miracl + "/rps/v2/session", order, False, expect="100-continue")
    assert status == 200, text


def test_long_ids_fit_into_an_address(make_native):
    phone = make_native(user="a" * 150 + "@example.com", ready=False)
    phone.set_backend()
    phone.start_registration()
    answer = phone.send("GET", f"{phone.settings['signatureURL']}/{phone.mpin_id}?regOTT={'0' * 32}&publicKey={'0' * 256}"
                        + "&pmiToken=" + "0" * 6000)
    assert answer.status_code in (400, 401), answer.text


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "1", '"text"', '{"userId": 7}', '{"userId": null}', "\xff"])
def test_what_is_no_order_is_refused_and_explained(miracl, declined, text):
    for method, path in (("PUT", "/rps/v2/user"), ("POST", "/rps/v2/pass1"), ("POST", "/rps/v2/pass2"),
                         ("POST", "/rps/v2/authenticate"), ("POST", "/rps/v2/codeStatus"), ("POST", "/rps/v2/access"),
                         ("POST", "/verification/email"), ("POST", "/verification/confirmation"), ("POST", "/registration"),
                         ("POST", "/verification/quickcode"), ("POST", "/rps/v2/dvsregister")):
        answer = requests.request(method, miracl + path, data=text.encode("latin-1"),
                                  headers={"Content-Type": "application/json"}, timeout=30)
        assert 400 <= answer.status_code < 500, (path, answer.status_code, answer.text)
        with declined(answer.status_code) as refusal:
            refusal.of(answer)


def test_what_is_not_there_is_not_found(miracl):
    assert requests.get(miracl + "/rps/v2/nothing", timeout=30).status_code == 404
    assert requests.post(miracl + "/rps/v2/clientSettings", timeout=30).status_code == 405
