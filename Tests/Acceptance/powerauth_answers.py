"""How PowerAuth's interfaces answer, as their clients take it."""


class Refused(Exception):
    """The server said no, in its envelope: `status` of HTTP, `code` and `message` of the body, `details` besides them."""

    def __init__(self, answer):
        super().__init__(f"{answer.status_code} {answer.text}")
        self.answer, self.status = answer, answer.status_code
        body = answer.json()
        assert set(body) == {"status", "responseObject"} and body["status"] == "ERROR", body
        assert answer.headers["Content-Type"].startswith("application/json"), answer.headers
        self.details = dict(body["responseObject"])
        self.code, self.message = self.details.pop("code"), self.details.pop("message")
        assert self.code and self.message, body


def checked(answer):
    """The JSON object of a success. The SDKs take 200 for one and nothing else."""
    if answer.status_code != 200:
        raise Refused(answer)
    assert answer.headers["Content-Type"].startswith("application/json"), answer.headers
    body = answer.json()
    assert type(body) is dict, body
    return body


def unwrapped(answer):
    """What is in the envelope of a success."""
    body = checked(answer)
    assert body.get("status") == "OK", body
    return body.get("responseObject")
