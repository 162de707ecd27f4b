"""The push server, asked as Wultra's enrollment server asks it: by the paths and members of its published client, 1.10."""

import json

import pytest
import requests

from understudy import until

OK = {"status": "OK"}


class PushServer:
    """A client of the push server."""

    def __init__(self, url):
        self.url = url

    def post(self, path, members, status=200):
        answer = requests.post(self.url + path, json={"requestObject": members}, timeout=30)
        assert answer.status_code == status, answer.text
        return answer.json()

    def get(self, path, **query):
        answer = requests.get(self.url + path, params=query, timeout=30)
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.fixture
def push(world):
    return PushServer(world.url + "/powerauth-push-server")


def test_devices_and_pushes(world, push, mobile, application):
    """A device registers by the server in front, and pushes for it are in the outbox."""
    device = {"appId": application, "token": "token-of-eva", "platform": "fcm", "activationId": mobile.device.activation_id}
    assert push.post("/push/device/create", device) == OK
    order = {"appId": application, "message": {
        "userId": "eva", "priority": "HIGH", "attributes": {"silent": False, "personal": True},
        "body": {"title": "Balance update", "body": "Your balance is now $745.00", "badge": 3, "collapseKey": "balance",
                 "extras": {"messageType": "mtoken.custom"}}}}
    told = push.post("/push/message/send", order)["responseObject"]
    assert told == {"mode": "SYNCHRONOUS", "fcm": {"sent": 1, "failed": 0, "pending": 0, "total": 1},
                    "apns": {"sent": 0, "failed": 0, "pending": 0, "total": 0}, "hms": {"sent": 0, "failed": 0, "pending": 0, "total": 0}}
    sent = until(world.messages, "the push")[0]
    assert (sent["channel"], sent["subject"], sent["to"]["address"]) == ("push", "Balance update", "token-of-eva")
    form = json.loads(sent["text"])
    assert form["fcm"]["data"] == {"messageType": "mtoken.custom"} and form["fcm"]["android"]["collapse_key"] == "balance"
    assert form["apns"]["aps"]["badge"] == 3

    batch = {"appId": application, "batch": [order["message"], order["message"] | {"userId": "nobody"}]}
    assert push.post("/push/message/batch/send", batch)["responseObject"]["fcm"]["total"] == 1
    assert push.post("/push/device/delete", {"appId": application, "token": "token-of-eva"}) == OK
    assert push.post("/push/message/send", order)["responseObject"]["fcm"]["total"] == 0
    answer = requests.post(push.url + "/push/device/status/update", json={"activationId": mobile.device.activation_id}, timeout=30)
    assert answer.json() == OK


def test_the_inbox_of_both_sides(push, mobile, application):
    """What the server in front leaves, the device reads; what the device reads, the server in front sees."""
    message = {"userId": "eva", "type": "html", "subject": "A contract", "summary": "Please read it", "body": "<p>It is long.</p>",
               "applications": [application]}
    made = push.post("/inbox/messages", message)["responseObject"]
    assert made.items() >= (message | {"read": False}).items()
    assert push.get("/inbox/messages/count", userId="eva", appId=application)["responseObject"] == {"countUnread": 1}
    listed = push.get("/inbox/messages/list", userId="eva", applications=application, onlyUnread="true", page=0, size=20)
    assert (listed["page"], listed["size"]) == (0, 20)
    assert listed["responseObject"] == [{name: made[name] for name in ("id", "type", "subject", "summary", "read", "timestampCreated")}]

    assert mobile.unread() == 1
    mobile.read(made["id"])
    detail = push.get("/inbox/messages/detail", id=made["id"])["responseObject"]
    assert detail["read"] is True and detail["timestampRead"] >= made["timestampCreated"]
    assert push.post("/inbox/messages/read", {"inboxId": made["id"]})["responseObject"] == detail
    assert push.post("/inbox/messages/read-all", {"userId": "eva", "appId": application}) == OK


@pytest.mark.parametrize("path, members, code, says", [
    ("/push/device/create", {"appId": "my-app", "token": "t", "platform": "apns", "activationId": "none"}, "ERROR_GENERIC", "no activation none"),
    ("/push/message/send", {"appId": "nowhere", "message": {"userId": "eva", "body": {}}}, "ERROR_GENERIC", "no application “nowhere”"),
    ("/inbox/messages/read", {"inboxId": "none"}, "ERROR_MESSAGE_NOT_FOUND", "no inbox message “none”"),
    ("/inbox/messages/read-all", {"userId": "eva", "appId": "nowhere"}, "ERROR_APP_NOT_FOUND", "no application “nowhere”"),
    ("/inbox/messages", {"userId": 7}, "ERROR_REQUEST", "userId")])
def test_what_is_refused_is_explained(world, push, path, members, code, says):
    assert push.post(path, members, status=400)["responseObject"]["code"] == code
    assert says in world.explanations(status=400)[0]
