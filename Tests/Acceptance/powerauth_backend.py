"""A customer's back end that integrates PowerAuth Cloud: the REST interface v2, with Basic authentication."""

import json5
import requests

from powerauth_answers import checked
from powerauth_arithmetic import b64
from understudy import ROOT

FIXTURES = json5.loads((ROOT / "Fixtures/default.json").read_text())["powerauth"]


def account(*roles):
    """The credentials of the account of the built-in fixtures that has just these roles."""
    [found] = [user for user in FIXTURES["users"] if set(user["roles"]) == set(roles)]
    return found["username"], found["password"]


ADMINISTRATOR, INTEGRATION = account("ROLE_ADMIN", "ROLE_USER"), account("ROLE_USER")
APPLICATION = FIXTURES["applications"][0]["id"]
#: The application as it is told with every verification.
TOLD = {name: FIXTURES["applications"][0][name] for name in ("id", "roles")}


class Backend:
    """`base` is PowerAuth Cloud's base URL, `credentials` user name and password."""

    def __init__(self, base, credentials):
        self.base = base
        self.session = requests.Session()
        self.session.auth = credentials
        self.session.trust_env = False

    def call(self, method, path, body=None, **options):
        """Any call: the bare answer. What is `None` in `body` is not sent."""
        if type(body) is dict:
            body = {name: value for name, value in body.items() if value is not None}
        return self.session.request(method, self.base + path, json=body, timeout=30, **options)

    def ask(self, method, path, body=None, **query):
        """A call that must succeed: its JSON object."""
        return checked(self.call(method, path, body, params=query))

    def tell(self, method, path, body=None, **query):
        """A call without a result to speak of."""
        assert self.ask(method, path, body, **query) == {"status": "OK"}

    # Registrations.

    def register(self, user, application, **more):
        return self.ask("POST", "/v2/registrations", {"userId": user, "appId": application} | more)

    def registration(self, identifier):
        return self.ask("GET", f"/v2/registrations/{identifier}")

    def registrations(self, user, **query):
        return self.ask("GET", "/v2/registrations", userId=user, **query)["registrations"]

    def state(self, identifier):
        return self.registration(identifier)["registrationStatus"]

    def commit(self, identifier, **more):
        self.tell("POST", f"/v2/registrations/{identifier}/commit", more)

    def change(self, identifier, change, **more):
        self.tell("PUT", f"/v2/registrations/{identifier}", {"change": change} | more)

    def block(self, identifier, reason=None):
        self.change(identifier, "BLOCK", blockedReason=reason)

    def unblock(self, identifier):
        self.change(identifier, "UNBLOCK")

    def remove(self, identifier):
        self.tell("DELETE", f"/v2/registrations/{identifier}")

    # Operations.

    def start(self, template, **more):
        return self.ask("POST", "/v2/operations", {"template": template} | more)

    def operation(self, identifier):
        return self.ask("GET", f"/v2/operations/{identifier}")

    def operations(self, user, **query):
        return self.ask("GET", "/v2/operations", userId=user, **query)["operations"]

    def cancel(self, identifier, **query):
        self.tell("DELETE", f"/v2/operations/{identifier}", **query)

    def offline_qr(self, operation, registration):
        return self.ask("GET", f"/v2/operations/{operation}/offline/qr", registrationId=registration)

    def approve_offline(self, operation, registration, nonce, otp):
        return self.ask("POST", f"/v2/operations/{operation}/offline/otp",
                        {"otp": otp, "nonce": nonce, "registrationId": registration})

    # Verification.

    def verify(self, headers, method, uri_id, body=b"", query=None, path="/v2/authentication/verify"):
        """What the platform says to the header of a request that the app sent here."""
        return self.ask("POST", path, {
            "method": method, "uriId": uri_id, "authHeader": headers["X-PowerAuth-Authorization"],
            "requestBody": b64(body) if body else None, "queryParams": query})

    def verify_token(self, headers):
        return self.ask("POST", "/v2/token/verify", {"authHeader": headers["X-PowerAuth-Token"]})

    # Inbox.

    def write_message(self, user, subject="Your statement is ready", **more):
        return self.ask("POST", "/v2/inbox/messages", {
            "userId": user, "subject": subject, "summary": "October is there to read",
            "body": "All that happened in October."} | more)

    # Administration.

    def application(self, identifier):
        return self.ask("GET", f"/admin/applications/{identifier}")

    def create_application(self, identifier, roles=()):
        return self.ask("POST", "/admin/applications", {"id": identifier, "roles": list(roles)})

    def create_user(self, name):
        return self.ask("POST", "/admin/users", {"username": name})

    def assign(self, user, application):
        return checked(self.call("POST", f"/admin/users/{user}/applications/{application}"))

    def create_callback(self, application, kind, url, **more):
        return self.ask("POST", f"/v2/admin/applications/{application}/callbacks",
                        {"name": "Test", "type": kind, "callbackUrl": url} | more)
