"""Back ends beside MIRACL: the customer's, with an application's secret or a service token, and the one of the sample app.

Source: MIRACL's documentation of the back end API, custom user verification and OpenID Connect; its libraries for Go and .NET.
"""

import base64
import hashlib
import hmac
import json

import jwt
import requests

from miracl_channel import Channel, checked
from miracl_mfa import access_code_of

PROJECT = "understudy"
CLIENT, SECRET = "miracl-app", "miracl-secret"
SERVICE_TOKEN = "miracl-service-token"
REDIRECT = "http://localhost:3000/login"


def claims_of(token, keys, **options):
    """The claims of a token, by a key that is published there. RS256 alone will do."""
    key = jwt.PyJWKClient(keys).get_signing_key_from_jwt(token)
    assert jwt.get_unverified_header(token)["kid"], token
    return jwt.decode(token, key, algorithms=["RS256"], **options)


class AccessSession:
    """A browser's side of an access session."""

    def __init__(self, told):
        self.told, self.code = told, access_code_of(told)

    def poll(self):
        told = checked(requests.post(self.told["accessURL"], json={"webOTT": self.told["webOTT"]}, timeout=30))
        assert told["statusCode"] == 200 and type(told["signature"]) is str, told
        return told

    @property
    def status(self):
        return self.poll()["status"]


class Backend(Channel):
    """A customer's back end; it proves itself with `Basic` of an application, or with `Bearer` of a service account."""

    def __init__(self, base, client=CLIENT, secret=SECRET, token=SERVICE_TOKEN, project=PROJECT):
        super().__init__(base)
        self.client, self.secret, self.token, self.project = client, secret, token, project

    @property
    def basic(self):
        return {"Authorization": "Basic " + base64.b64encode(f"{self.client}:{self.secret}".encode()).decode()}

    @property
    def bearer(self):
        return {"Authorization": "Bearer " + self.token}

    def hmac_of(self, text):
        """The oldest way, which signs the document's hash."""
        made = hmac.new(self.secret.encode(), text.encode(), hashlib.sha256).hexdigest()
        return {"Authorization": "MAAS-HMAC-SHA256 " + base64.b64encode(f"{self.client}:{made}".encode()).decode()}

    def start_session(self, **members):
        return AccessSession(self.post(self.base + "/rps/v2/session", {"projectId": self.project} | members))

    def verification_url(self, user, headers=None, **members):
        """A link that proves a user to be who they are; the back end sends it, or not."""
        order = {"userId": user, "projectId": self.project, "delivery": "no"} | members
        return self.post(self.base + "/verification", order, headers=headers or self.basic)["verificationURL"]

    def verify(self, signature, timestamp=None, headers=None, **query):
        """The claims of the certificate for a signature."""
        order = {"signature": signature, "timestamp": timestamp or signature["timestamp"], "type": "verification"}
        told = self.post(self.base + "/dvs/verify", order, headers=headers or self.basic, params=query)
        assert jwt.get_unverified_header(told["certificate"])["kid"] == "s1"
        return claims_of(told["certificate"], self.base + "/dvs/jwks", options={"verify_exp": False})

    def revoke(self, mpin_id, headers=None, **members):
        url = f"{self.base}/api/v1/projects/{self.project}/mpinids/{mpin_id}/revocation"
        return self.post(url, members, headers=headers or self.basic)

    def audit(self, headers=None, **query):
        url = f"{self.base}/api/v1/projects/{self.project}/audit"
        return self.get(url, headers=headers or self.basic, params=query)

    def check_otp(self, user, otp):
        """The bare answer: 200 or 401."""
        return self.send("POST", self.base + "/otp", {"userId": user, "otp": otp}, headers=self.basic)

    def claims_of_jwt(self, token, **options):
        """What the JWT of a login with `wam` says."""
        return claims_of(token, self.base + "/.well-known/jwks", audience=self.project, issuer=self.base, **options)


class SampleApp:
    """The back end of the vendor's mobile sample, as the app speaks to it: JSON that says it were a form."""

    def __init__(self, url):
        self.url = url

    def authorize_url(self):
        """Where the app gets an access code."""
        answer = requests.post(self.url + "/authzurl", timeout=30)
        return checked(answer)["authorizeURL"]

    def redeem(self, code, user):
        """The bare answer to an authorization code."""
        return self.send_token(json.dumps({"code": code, "userID": user}))

    def send_token(self, text):
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        return requests.post(self.url + "/authtoken", data=text, headers=headers, timeout=30)
