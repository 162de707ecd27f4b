"""How MIRACL's clients speak: JSON over HTTP with the habits of three generations, and what they take for an answer."""

import json
import re

import requests

TOKEN = re.compile("[0-9a-f]{32}")


class Refused(Exception):
    """The server said no: `status` of HTTP, and of the body `code` and `context`, whose values are all texts."""

    def __init__(self, answer):
        super().__init__(f"{answer.request.method} {answer.request.url}: {answer.status_code} {answer.text}")
        self.answer, self.status = answer, answer.status_code
        assert 400 <= self.status < 500, str(self)[:500]
        assert answer.headers["Content-Type"].startswith("application/json"), answer.headers
        body = answer.json()
        self.code, self.context = body["error"], body.get("context", {})
        # The third generation decodes all three; the first two log what is in `message`.
        assert type(self.code) is str and type(body["info"]) is str and type(body["message"]) is str, body
        assert all(type(value) is str for value in self.context.values()), body


def checked(answer):
    """The JSON object of a success. Some of the SDKs take 200 for one and nothing else."""
    if answer.status_code != 200:
        raise Refused(answer)
    assert answer.headers["Content-Type"].startswith("application/json"), answer.headers
    body = answer.json()
    assert type(body) is dict, body
    return body


class Channel:
    """`base` is the address that the client is told, `content_type` what it says of its JSON, or `None`."""

    content_type = "application/json"

    def __init__(self, base, **headers):
        self.base = base
        self.session = requests.Session()
        self.session.trust_env = False
        self.session.headers.update(headers)

    def address(self, url):
        """What a client makes of an address that it was given."""
        assert url.startswith("http"), f"{url!r} is not absolute"
        return url

    def send(self, method, url, body=None, **options):
        """The bare answer; `body` is written as JSON."""
        headers = dict(options.pop("headers", {}))
        if body is not None:
            options["data"] = json.dumps(body).encode()
            headers = {"Content-Type": self.content_type} | headers
        return self.session.request(method, self.address(url), headers=headers, timeout=30, allow_redirects=False, **options)

    def get(self, url, **options):
        return checked(self.send("GET", url, **options))

    def post(self, url, body=None, **options):
        return checked(self.send("POST", url, body, **options))

    def put(self, url, body, **options):
        return checked(self.send("PUT", url, body, **options))
