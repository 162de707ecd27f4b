"""A relying party of the tests' own, for what libraries do not let one try."""

import threading
from urllib.parse import urlencode

import jwt
import requests

from oauth_browser import ADA, metadata_of, register

LOGGED_OUT = "https://app.example.test/logged-out"
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"


class Party:
    """A relying party that does no more than the suite's, and checks as it does.

    It registers itself with `metadata`, unless it is `known` already.
    """

    def __init__(self, issuer, browser, known=None, **metadata):
        self.issuer, self.browser = issuer, browser
        self.metadata = metadata_of(issuer)
        self.client = known or register(issuer, **{"post_logout_redirect_uris": [LOGGED_OUT]} | metadata)
        self.id = self.client["client_id"]
        self.is_public = self.client.get("token_endpoint_auth_method") == "none"

    def url(self, **parameters):
        asked = {"client_id": self.id, "redirect_uri": self.client["redirect_uris"][0], "response_type": "code",
                 "scope": "openid", "state": "the state", "nonce": "the nonce"}
        if self.is_public:
            asked |= {"code_challenge": VERIFIER, "code_challenge_method": "plain"}
        asked |= parameters
        query = urlencode({name: value for name, value in asked.items() if value is not None})
        return self.metadata["authorization_endpoint"] + "?" + query

    def call(self, **form):
        """Calls the token endpoint."""
        auth = None if self.is_public else (self.id, self.client["client_secret"])
        form |= {"client_id": self.id} if self.is_public else {}
        return requests.post(self.metadata["token_endpoint"], timeout=30, auth=auth, data=form)

    def redeem(self, code):
        return self.call(
            grant_type="authorization_code", code=code, redirect_uri=self.client["redirect_uris"][0],
            **{"code_verifier": VERIFIER} if self.is_public else {})

    def refresh(self, token):
        return self.call(grant_type="refresh_token", refresh_token=token)

    def userinfo(self):
        headers = {"Authorization": "Bearer " + self.token["access_token"]}
        return requests.get(self.metadata["userinfo_endpoint"], headers=headers, timeout=30).json()

    def log_in(self, user=ADA, **parameters):
        """The claims of the ID token, verified; the token itself is then in `hint`, the arrival in `arrival`."""
        self.arrival = self.browser.authorize(self.url(**parameters), user)
        assert self.arrival.parameters["state"] == "the state"
        assert self.arrival.parameters["iss"] == self.issuer
        answer = self.redeem(self.arrival.parameters["code"])
        assert answer.status_code == 200, answer.text
        self.token = answer.json()
        self.hint = self.token["id_token"]
        return self.verify(self.hint)

    def verify(self, token, typ="JWT"):
        assert jwt.get_unverified_header(token)["typ"].lower() == typ.lower()
        key = jwt.PyJWKClient(self.metadata["jwks_uri"]).get_signing_key_from_jwt(token)
        # The clock of the world may be ahead; what expires is checked by the unit tests.
        options = {"verify_iat": False, "verify_nbf": False, "verify_exp": False}
        return jwt.decode(token, key, algorithms=["RS256"], audience=self.id, issuer=self.issuer, options=options)

    def log_out(self, **parameters):
        return self.browser.open(self.metadata["end_session_endpoint"] + "?" + urlencode(parameters))

    def is_logged_in(self):
        silent = self.browser.open(self.url(prompt="none"))
        assert silent.query.get("error") in (None, "login_required")
        return "code" in silent.query


def at_once(count, call):
    """What `call` answers when so many call it at the same moment: those who succeeded, and the errors of the others."""
    start, answers = threading.Barrier(count), []

    def run():
        start.wait()
        answers.append(call())

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == count
    given = [answer.json() for answer in answers if answer.status_code == 200]
    return given, {answer.json()["error"] for answer in answers if answer.status_code != 200}
