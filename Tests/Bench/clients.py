"""Clients of Onegini whose tokens are measured, and a server that knows them."""

import base64
import contextlib
import json
import tempfile
from pathlib import Path

from tools import understudy


def basic(name):
    return "Basic " + base64.b64encode(f"{name}:{name}-secret".encode()).decode()


def bench_client(name, **more):
    return {"client_id": name, "client_secret": name + "-secret", "kind": "web", "scope": "openid api", "default_scope": "api",
            "grant_types": ["client_credentials", "authorization_code"], "response_types": ["code"],
            "redirect_uris": ["http://localhost:3000/cb"], "skips_consent": True, "issues_refresh_tokens": False} | more


TOKEN_SERVER = {"onegini": {"oauth": {"clients": [
    bench_client("bench-rs", access_token_format="jwt", access_token_signed_response_alg="RS256"),
    bench_client("bench-es", access_token_format="jwt", access_token_signed_response_alg="ES256"),
    bench_client("bench-opaque"),
]}}}


@contextlib.contextmanager
def token_server(start=understudy):
    with tempfile.TemporaryDirectory() as folder:
        fixtures = Path(folder, "clients.json")
        fixtures.write_text(json.dumps(TOKEN_SERVER))
        with start("--fixtures", "default", "--fixtures", fixtures) as ours:
            yield ours
