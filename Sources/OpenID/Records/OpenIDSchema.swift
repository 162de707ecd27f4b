import PlatformKit
import SQLite

/// The tables of all authorization servers of a world. The column `server` tells them apart: it holds the platform's name.
enum OpenIDSchema {
    static let schema = Schema(
        "openid", steps,
        records: [
            BrowserSession.self, Consent.self, Interaction.self, UsedAssertion.self, DeviceRequest.self,
            WrongUserCode.self, Client.self, Scope.self, User.self, PushedRequest.self, AccessToken.self,
            AuthorizationCode.self, Grant.self, RefreshToken.self,
        ])

    private static let steps: [SQL] = [
        """
        CREATE TABLE openid_client (
            position INTEGER PRIMARY KEY,
            server TEXT NOT NULL,
            id TEXT NOT NULL,
            secret TEXT,
            kind TEXT NOT NULL,
            metadata TEXT NOT NULL, -- JSON
            registration_digest BLOB, -- SHA-256
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            UNIQUE (server, id)
        ) STRICT
        """,
        """
        CREATE TABLE openid_user (
            position INTEGER PRIMARY KEY,
            server TEXT NOT NULL,
            sub TEXT NOT NULL,
            username TEXT NOT NULL,
            password TEXT,
            claims TEXT NOT NULL, -- JSON
            UNIQUE (server, sub),
            UNIQUE (server, username)
        ) STRICT
        """,
        """
        CREATE TABLE openid_scope (
            position INTEGER PRIMARY KEY,
            server TEXT NOT NULL,
            name TEXT NOT NULL,
            description TEXT,
            needs_consent INTEGER CHECK (needs_consent IN (0, 1)),
            UNIQUE (server, name)
        ) STRICT
        """,
        """
        CREATE TABLE openid_grant (
            id TEXT NOT NULL PRIMARY KEY, -- UUID
            server TEXT NOT NULL,
            client_id TEXT NOT NULL,
            sub TEXT,
            scope TEXT NOT NULL, -- names separated by spaces
            issuer TEXT NOT NULL,
            type TEXT NOT NULL,
            sid TEXT, -- of the session
            authenticated_at INTEGER, -- milliseconds since 1970 UTC
            acr TEXT,
            amr TEXT NOT NULL, -- JSON
            nonce TEXT,
            claims TEXT, -- JSON
            aud TEXT NOT NULL, -- JSON
            act TEXT, -- JSON
            context TEXT,
            own_parameters TEXT NOT NULL, -- JSON
            token_claims TEXT NOT NULL, -- JSON
            login_claims TEXT NOT NULL, -- JSON
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            ended TEXT -- JSON
        ) STRICT
        """,
        "CREATE INDEX openid_grant_client ON openid_grant (server, client_id, sub)",
        "CREATE INDEX openid_grant_subject ON openid_grant (server, sub)",
        """
        CREATE TABLE openid_code (
            digest BLOB NOT NULL PRIMARY KEY, -- SHA-256
            server TEXT NOT NULL,
            grant_id TEXT NOT NULL REFERENCES openid_grant (id) ON DELETE CASCADE,
            client_id TEXT NOT NULL,
            redirect_uri TEXT,
            code_challenge TEXT,
            code_challenge_method TEXT,
            issued_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            expires_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            spent_at INTEGER, -- milliseconds since 1970 UTC
            proof_key TEXT -- thumbprint
        ) STRICT
        """,
        """
        CREATE TABLE openid_access_token (
            digest BLOB NOT NULL PRIMARY KEY, -- SHA-256
            server TEXT NOT NULL,
            id TEXT NOT NULL UNIQUE, -- UUID
            grant_id TEXT NOT NULL REFERENCES openid_grant (id) ON DELETE CASCADE,
            client_id TEXT NOT NULL,
            sub TEXT,
            scope TEXT NOT NULL,
            aud TEXT NOT NULL, -- JSON
            issuer TEXT NOT NULL,
            format TEXT NOT NULL,
            issued_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            expires_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            claims TEXT NOT NULL, -- JSON
            uses INTEGER NOT NULL,
            ended TEXT, -- JSON
            proof_key TEXT -- thumbprint
        ) STRICT
        """,
        "CREATE INDEX openid_access_token_grant ON openid_access_token (grant_id)",
        """
        CREATE TABLE openid_refresh_token (
            digest BLOB NOT NULL PRIMARY KEY, -- SHA-256
            server TEXT NOT NULL,
            id TEXT NOT NULL UNIQUE, -- UUID
            grant_id TEXT NOT NULL REFERENCES openid_grant (id) ON DELETE CASCADE,
            client_id TEXT NOT NULL,
            scope TEXT NOT NULL,
            issued_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            expires_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            spent_at INTEGER, -- milliseconds since 1970 UTC
            answer TEXT, -- JSON, what it was traded for
            ended TEXT, -- JSON
            proof_key TEXT -- thumbprint
        ) STRICT
        """,
        "CREATE INDEX openid_refresh_token_grant ON openid_refresh_token (grant_id)",
        """
        CREATE TABLE openid_session (
            sid TEXT NOT NULL PRIMARY KEY, -- UUID
            server TEXT NOT NULL,
            digest BLOB NOT NULL UNIQUE, -- SHA-256 of the cookie
            sub TEXT NOT NULL,
            authenticated_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            acr TEXT,
            amr TEXT NOT NULL, -- JSON
            browser_state TEXT NOT NULL,
            user_agent TEXT NOT NULL,
            ip_address TEXT NOT NULL,
            last_used_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            expires_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            clients TEXT, -- JSON
            login_claims TEXT NOT NULL -- JSON, typed at the login
        ) STRICT
        """,
        """
        CREATE TABLE openid_consent (
            id TEXT NOT NULL PRIMARY KEY, -- UUID
            server TEXT NOT NULL,
            sub TEXT NOT NULL,
            client_id TEXT NOT NULL,
            scope TEXT NOT NULL,
            given_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            UNIQUE (server, sub, client_id)
        ) STRICT
        """,
        """
        CREATE TABLE openid_pushed_request (
            digest BLOB NOT NULL PRIMARY KEY, -- SHA-256 of the request_uri
            server TEXT NOT NULL,
            client_id TEXT NOT NULL,
            parameters TEXT NOT NULL, -- a form
            expires_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        """
        CREATE TABLE openid_device_request (
            digest BLOB NOT NULL PRIMARY KEY, -- SHA-256 of the device code
            server TEXT NOT NULL,
            user_code TEXT NOT NULL, -- without the dash
            client_id TEXT NOT NULL,
            scope TEXT NOT NULL,
            aud TEXT NOT NULL, -- JSON
            issuer TEXT NOT NULL,
            state TEXT NOT NULL, -- pending, approved, denied, redeemed
            grant_id TEXT,
            interval INTEGER NOT NULL, -- seconds between two polls
            polled_at INTEGER, -- milliseconds since 1970 UTC
            expires_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            UNIQUE (server, user_code)
        ) STRICT
        """,
        """
        CREATE TABLE openid_assertion (
            position INTEGER PRIMARY KEY,
            server TEXT NOT NULL,
            client_id TEXT NOT NULL,
            jti TEXT NOT NULL,
            expires_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            UNIQUE (server, client_id, jti)
        ) STRICT
        """,
        """
        CREATE TABLE openid_interaction (
            digest BLOB NOT NULL PRIMARY KEY, -- SHA-256 of its handle
            server TEXT NOT NULL,
            kind TEXT NOT NULL, -- authorization, device, logout
            parameters TEXT NOT NULL, -- a form
            pushed_uri TEXT,
            secret BLOB NOT NULL, -- 32 bytes, key of the form tokens
            login_session TEXT,
            consent_session TEXT,
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            expires_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        """
        CREATE TABLE openid_wrong_user_code (
            position INTEGER PRIMARY KEY,
            server TEXT NOT NULL,
            address TEXT NOT NULL,
            at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX openid_session_expiry ON openid_session (expires_at)",
    ]
}
