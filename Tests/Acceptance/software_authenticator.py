"""A software authenticator of the control API, as a test holds it."""

from webauthn.helpers import options_to_json

RP, ORIGIN, USER = "example.com", "https://login.example.com", b"ada's handle"


class Authenticator:
    """One of the world's software authenticators."""

    def __init__(self, world, **order):
        order.setdefault("origin", ORIGIN)
        made = world.control("POST", "/authenticators", json=order)
        assert made.status_code == 201, made.text
        self.world, self.id = world, made.json()["id"]
        assert made.headers["Location"].endswith("/authenticators/" + self.id)

    @property
    def path(self):
        return "/authenticators/" + self.id

    def change(self, **behaviour):
        answer = self.world.control("PATCH", self.path, json={"behaviour": behaviour})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def ask(self, call, options, **query):
        """`create` or `get` with the options as a relying party serves them: those of py_webauthn, or their JSON."""
        text = options if isinstance(options, str) else options_to_json(options)
        return self.world.control(
            "POST", f"{self.path}/{call}", data=text, params=query, headers={"Content-Type": "application/json"})

    def create(self, options, **query):
        answer = self.ask("create", options, **query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def get(self, options, **query):
        answer = self.ask("get", options, **query)
        assert answer.status_code == 200, answer.text
        return answer.json()
