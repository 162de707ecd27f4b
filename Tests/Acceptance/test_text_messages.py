"""Text messages that the team's own back end sends: by the control API, and as to Twilio."""

import pytest
import requests

from understudy import CONTROL, World

ACCOUNT = "AC0123456789abcdef0123456789abcdef"
FORM = {"To": "+14155550100", "From": "+15005550006", "Body": "Ihr Bestätigungscode lautet 482913"}


@pytest.fixture(scope="module")
def twilio_server():
    from understudy import Server
    server = Server("--twilio")
    yield server
    server.stop()


def send(base, form=FORM, auth=(ACCOUNT, "any"), account=ACCOUNT):
    return requests.post(f"{base}/twilio/2010-04-01/Accounts/{account}/Messages.json", data=form, auth=auth, timeout=30)


def test_a_text_message_by_the_control_api_is_one_call_away(world):
    answer = world.control("POST", "/outbox", json={"to": "+49 170 1234567", "text": "رمز التحقق ٤٨٢٩١٣", "from": "Shop"})
    assert answer.status_code == 201 and answer.json()["code"] == "482913"
    assert world.code("+49 170 1234567")["source"] == "api"
    shown = world.get("/outbox/latest", to="+49 170 1234567", explain=1)
    assert shown["channel"] == "sms" and shown["from"] == {"address": "Shop"}
    assert [found["code"] for found in shown["codes"]] == ["482913"] and shown["explanation"][0]["isCode"]
    refused = world.control("POST", "/outbox", json={"to": "+1", "text": "x", "html": "y"})
    assert refused.status_code == 400 and "“html”" in refused.json()["detail"]


def test_twilio_is_off_unless_it_is_asked_for(server):
    assert send(server.url).status_code == 404
    assert "twilio" not in requests.get(server.url + CONTROL + "/info", timeout=30).text


def test_a_message_as_to_twilio_is_in_the_outbox_of_its_world(twilio_server):
    requests.post(twilio_server.url + CONTROL + "/worlds", json={"name": "sms"}, timeout=30)
    world = World("sms", twilio_server.url + "/w/sms")
    answer = send(world.url)
    assert answer.status_code == 201 and answer.json()["status"] == "queued"
    assert answer.json()["uri"] == f"/2010-04-01/Accounts/{ACCOUNT}/Messages/{answer.json()['sid']}.json"
    code = world.code("+14155550100")
    assert (code["code"], code["kind"], code["source"]) == ("482913", "passcode", "twilio")
    assert twilio_server.default_world.messages(to="+14155550100") == []
    [entry] = [entry for entry in world.get("/journal")["entries"] if entry.get("exchange")]
    assert entry["exchange"]["status"] == 201 and entry["platform"] == "twilio"

    page = requests.get(f"{world.url}/outbox/{code['id']}", timeout=30)
    assert page.status_code == 200 and "Why this code" in page.text


def test_twilios_errors_and_their_reasons(twilio_server):
    for change, status, code in [
        ({"To": ""}, 400, 21604), ({"To": "+15005550001"}, 400, 21211), ({"Body": ""}, 400, 21602),
        ({"From": "", "MessagingServiceSid": "MG1"}, 400, 21701), ({"To": "whatsapp:+14155550100"}, 501, 501),
    ]:
        refused = send(twilio_server.url, FORM | change)
        assert (refused.status_code, refused.json()["code"], refused.json()["status"]) == (status, code, status)
    assert send(twilio_server.url, auth=None).json()["code"] == 20003
    verify = requests.post(
        f"{twilio_server.url}/twilio/v2/Services/VA1/Verifications", data={"To": "+14155550100", "Channel": "sms"},
        auth=(ACCOUNT, "any"), headers={"X-Understudy-Explain": "1"}, timeout=30)
    assert verify.status_code == 501 and "Verify is not emulated" in verify.json()["message"]
    assert "Make the code in your back end" in verify.headers["X-Understudy-Explanation"]


def test_twilio_has_a_port_where_one_is_asked_for(start):
    server = start("--twilio", "--listen", "twilio=0")
    [root] = [place["rootURL"] for place in server.banner["platforms"] if place["name"] == "twilio"]
    account = "AC" + "0" * 32
    sent = requests.post(
        f"{root}/2010-04-01/Accounts/{account}/Messages.json", auth=(account, "any"), timeout=30,
        data={"To": "+14155550100", "From": "+14155550111", "Body": "Your code is 482913"})
    assert sent.status_code == 201, sent.text
    assert server.default_world.messages(to="+14155550100")[0]["code"] == "482913"
