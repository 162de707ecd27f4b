"""A simulated phone of the program, told what to do by the control API."""

import requests


class Refused(Exception):
    """What the phone's SDK reports."""

    def __init__(self, problem):
        super().__init__(problem["detail"])
        self.error, self.detail, self.status = problem["title"], problem["detail"], problem["status"]


class Phone:
    def __init__(self, world, name):
        self.world, self.name = world, name

    def tell(self, path, body=None, method="POST", **query):
        """A call about the phone: its JSON, or `Refused`."""
        answer = self.world.control(method, f"/phones/{self.name}{path}", params=query, json={} if body is None else body)
        if answer.status_code >= 400:
            raise Refused(answer.json())
        return answer.json() if answer.content else None

    def scan(self, text, **more):
        return self.tell("/scan", {"text": text} | more)

    def enrol(self, **more):
        return self.tell("/enrol", more)

    def approve(self, identifier=None, wait=None, **more):
        return self.tell("/approve", ({"id": identifier} if identifier else {}) | more, **({"wait": wait} if wait else {}))

    def decline(self, identifier=None, **more):
        return self.tell("/decline", ({"id": identifier} if identifier else {}) | more)

    def change(self, **members):
        return self.tell("", members, method="PATCH")

    def sign(self, uri_id=None, body="", **more):
        members = {"body": body} | ({"uriId": uri_id} if uri_id else {})
        return self.tell("/sign", members | more)["headers"]

    def pending(self, **query):
        return self.world.get(f"/phones/{self.name}/pending", **query)["requests"]

    def shown(self):
        return self.world.get(f"/phones/{self.name}")

    def do(self, action, platform=None, **inputs):
        return self.tell("/do", {"action": action, "inputs": inputs} | ({"platform": platform} if platform else {}))

    def app(self, platform):
        """What the app of a platform holds; None where there is none."""
        return next((app for app in self.shown()["apps"] if app["platform"] == platform), None)

    def fact(self, name, platform=None):
        facts = [fact for app in self.shown()["apps"] if platform in (None, app["platform"]) for fact in app["facts"]]
        return next((fact["value"] for fact in facts if fact["name"] == name), None)

    def actions(self, platform):
        return [action["name"] for app in self.shown()["apps"] if app["platform"] == platform for action in app["actions"]]

    @property
    def registration(self):
        return self.fact("Activation")


def new_phone(world, name, **members):
    answer = world.control("POST", "/phones", json={"name": name} | members)
    assert answer.status_code == 201, answer.text
    assert requests.get(answer.headers["Location"], timeout=30).json() == answer.json()
    return Phone(world, name)
