"""A phone with an app of the token server's guide: registers, logs a user in, enrolls, and answers what a QR code asks.

It knows the open device protocol from its description alone and shares nothing with the server: hashes and HMACs are Python's own,
OpenPGP is GnuPG's.
"""

import base64
import hashlib
import hmac
import json
import os
import secrets
import shutil
import struct
import subprocess
import tempfile
import urllib.parse

import requests

APPLICATION = "com.example.understudy"
VERSION = "1.0.0"


def ocra(signature, challenge, seconds):
    """RFC 6287 with the suite OCRA-1:HOTP-SHA256-8:QH64-T1M; the key is the SHA-256 of the application's signature."""
    key = hashlib.sha256(signature.encode()).digest()
    question = bytes.fromhex(challenge).ljust(128, b"\0")
    data = b"OCRA-1:HOTP-SHA256-8:QH64-T1M\0" + question + struct.pack(">Q", int(seconds // 60))
    digest = hmac.new(key, data, hashlib.sha256).digest()
    offset = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[offset:offset + 4])[0] & 0x7FFFFFFF) % 10**8:08d}"


def mask(pin, client, profile):
    """What hides the refresh token on the device: made of the PIN, which never leaves it."""
    salt = hashlib.sha256(f"{client}:{profile}".encode()).digest()
    return hashlib.pbkdf2_hmac("sha256", pin.encode(), salt, 10_000, 32)


def xor(left, right):
    return bytes(a ^ b for a, b in zip(left, right))


class Wallet:
    """A GnuPG home of its own."""

    def __init__(self):
        self.home = tempfile.mkdtemp(prefix="understudy-gpg-")
        os.chmod(self.home, 0o700)

    def run(self, *arguments, given=b""):
        done = subprocess.run(
            ["gpg", "--homedir", self.home, "--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", "", *arguments],
            input=given, capture_output=True, timeout=60)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    def make_key(self, algorithm="rsa2048", usage="encr,sign"):
        """A new key, and its certificate as the server takes it."""
        self.run("--quick-gen-key", "Phone <phone@example.com>", algorithm, usage, "never")
        return self.run("--armor", "--export", "phone@example.com").decode()

    def learn(self, certificate):
        self.run("--import", given=certificate.encode())

    def close(self):
        subprocess.run(["gpgconf", "--homedir", self.home, "--kill", "all"], capture_output=True, timeout=60)
        shutil.rmtree(self.home, ignore_errors=True)


class Device:
    """One installation of the app. `base` is the token server's base URL."""

    def __init__(self, base, signature, platform="android"):
        self.base, self.sdk = base, base + "/sdk/v1"
        self.wallet = Wallet()
        self.platform = platform
        self.register(signature)

    def register(self, signature):
        challenged = requests.post(self.sdk + "/clients/challenge", timeout=30, json={
            "app_identifier": APPLICATION, "app_platform": self.platform, "app_version": VERSION, "os_version": "15"})
        assert challenged.status_code == 200, challenged.text
        asked = challenged.json()
        assert asked["ocra_suite"] == "OCRA-1:HOTP-SHA256-8:QH64-T1M"
        registered = requests.post(self.sdk + "/clients", timeout=30, json={
            "identifier": asked["identifier"], "device_name": "Test phone",
            "ocra_response": ocra(signature, asked["challenge"], asked["server_time"] / 1000)})
        assert registered.status_code == 201, registered.text
        client = registered.json()
        self.client_id, self.client_secret = client["client_id"], client["client_secret"]
        self.redirect_uri = client["redirect_uris"][0]

    @property
    def credentials(self):
        return self.client_id, self.client_secret

    def log_in(self, browser, user, pin, profile=None):
        """The user logs in with a browser; the refresh token is kept masked by the PIN."""
        verifier = secrets.token_urlsafe(48)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        state = secrets.token_urlsafe(16)
        query = urllib.parse.urlencode({
            "client_id": self.client_id, "redirect_uri": self.redirect_uri, "response_type": "code", "scope": "openid profile",
            "state": state, "code_challenge": challenge, "code_challenge_method": "S256"})
        landed = browser.log_in(f"{self.base}/v1/authorize?{query}", user)
        answer = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(landed).query))
        assert answer.get("state") == state, landed
        form = {"grant_type": "authorization_code", "code": answer["code"], "redirect_uri": self.redirect_uri,
                "code_verifier": verifier}
        if profile:
            form["profile_id"] = profile
        tokens = self.token(form)
        assert tokens.status_code == 200, tokens.text
        self.profile = tokens.json()["profile_id"]
        self.keep(tokens.json(), pin)

    def token(self, form):
        return requests.post(self.base + "/v1/token", data=form, auth=self.credentials, timeout=30)

    def keep(self, tokens, pin):
        self.access_token = tokens["access_token"]
        self.stored = xor(bytes.fromhex(tokens["refresh_token"]), mask(pin, self.client_id, self.profile))

    def enter_pin(self, pin):
        """A login by PIN: the server sees the refresh token that the PIN unmasks, right or wrong."""
        token = xor(self.stored, mask(pin, self.client_id, self.profile)).hex().upper()
        answer = self.token({"grant_type": "refresh_token", "refresh_token": token, "profile_id": self.profile})
        if answer.status_code == 200:
            self.keep(answer.json(), pin)
        return answer

    def call(self, method, path, body=None):
        return requests.request(
            method, self.sdk + path, json=body, headers={"Authorization": "Bearer " + self.access_token}, timeout=30)

    def enroll(self, algorithm="rsa2048", usage="encr,sign"):
        """Exchanges OpenPGP keys in the three documented steps."""
        begun = self.call("POST", "/mobile-auth/enrollments", {"profile_id": self.profile})
        assert begun.status_code == 201, begun.text
        place = "/mobile-auth/enrollments/" + begun.json()["enrollment_id"]
        keys = self.call("PUT", place + "/keys", {"public_key": self.wallet.make_key(algorithm, usage)})
        assert keys.status_code == 200, keys.text
        self.server_fingerprint = keys.json()["server_key_fingerprint"]
        self.wallet.learn(keys.json()["server_public_key"])
        done = self.call("POST", place + "/ack", {})
        assert done.json() == {"enrolled": True}, done.text

    def scan(self, otp):
        """Hands a scanned code to the server; the decrypted question of the first time."""
        fetched = self.call("POST", "/mobile-auth/otp/fetch", {"otp": otp, "profile_id": self.profile})
        if fetched.status_code != 200:
            return fetched
        message = base64.b64decode(fetched.json()["message"])
        return json.loads(self.wallet.run("--decrypt", given=message))

    def answer(self, question, result, signs=False, kind="otp"):
        plain = json.dumps({"v": 1, "transaction_id": question["transaction_id"], "challenge": question["challenge"],
                            "result": result}).encode()
        options = ["--trust-model", "always", "--recipient", self.server_fingerprint, "--encrypt"]
        message = self.wallet.run(*(["--sign"] if signs else []), *options, given=plain)
        return self.call("POST", f"/mobile-auth/{kind}/{question['transaction_id']}/answer",
                         {"message": base64.b64encode(message).decode()})

    def close(self):
        self.wallet.close()
