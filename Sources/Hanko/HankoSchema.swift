import SQLite

/// The tables of the platform. A table with a position keeps the newest of its kind, see the records' limits. Times are milliseconds
/// since 1970 UTC.
enum HankoSchema {
    static let migrations: [SQL] = users + secrets + signIns + announcements

    private static let users: [SQL] = [
        """
        CREATE TABLE hanko_user (
            id TEXT PRIMARY KEY,
            username TEXT UNIQUE,
            username_created_at INTEGER,
            username_updated_at INTEGER,
            name TEXT,
            given_name TEXT,
            family_name TEXT,
            picture TEXT,
            pending_email_id TEXT REFERENCES hanko_email (id) ON DELETE SET NULL, -- registered, not confirmed
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE hanko_email (
            id TEXT PRIMARY KEY,
            user_id TEXT REFERENCES hanko_user (id) ON DELETE CASCADE, -- null while not assigned
            address TEXT NOT NULL UNIQUE, -- lower case
            is_verified INTEGER NOT NULL CHECK (is_verified IN (0, 1)),
            is_primary INTEGER NOT NULL CHECK (is_primary IN (0, 1)),
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX hanko_email_user ON hanko_email (user_id)",
        "CREATE UNIQUE INDEX hanko_email_primary ON hanko_email (user_id) WHERE is_primary",
        "CREATE INDEX hanko_user_pending ON hanko_user (pending_email_id)",
        """
        CREATE TABLE hanko_metadata (
            user_id TEXT PRIMARY KEY REFERENCES hanko_user (id) ON DELETE CASCADE,
            public TEXT, -- JSON object
            private TEXT, -- JSON object
            unsafe TEXT -- JSON object
        ) STRICT
        """,
        """
        CREATE TABLE hanko_identity (
            id TEXT PRIMARY KEY,
            user_id TEXT NOT NULL REFERENCES hanko_user (id) ON DELETE CASCADE,
            provider TEXT NOT NULL, -- as clients name it
            subject TEXT NOT NULL, -- the user's id at the provider
            email_id TEXT REFERENCES hanko_email (id) ON DELETE SET NULL,
            claims TEXT NOT NULL, -- JSON object, as the provider gave them
            needs_proof INTEGER NOT NULL CHECK (needs_proof IN (0, 1)),
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            UNIQUE (provider, subject)
        ) STRICT
        """,
        "CREATE INDEX hanko_identity_user ON hanko_identity (user_id)",
        "CREATE INDEX hanko_identity_email ON hanko_identity (email_id)",
    ]

    /// What users prove who they are with.
    private static let secrets: [SQL] = [
        """
        CREATE TABLE hanko_credential (
            id TEXT PRIMARY KEY, -- base64url
            user_id TEXT NOT NULL REFERENCES hanko_user (id) ON DELETE CASCADE,
            name TEXT,
            public_key TEXT NOT NULL, -- COSE_Key in base64url
            attestation_type TEXT NOT NULL, -- attestation format
            aaguid TEXT NOT NULL, -- UUID
            sign_count INTEGER NOT NULL,
            transports TEXT NOT NULL, -- JSON array of text
            backup_eligible INTEGER NOT NULL CHECK (backup_eligible IN (0, 1)),
            backup_state INTEGER NOT NULL CHECK (backup_state IN (0, 1)),
            mfa_only INTEGER NOT NULL CHECK (mfa_only IN (0, 1)),
            last_used_at INTEGER,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX hanko_credential_user ON hanko_credential (user_id)",
        """
        CREATE TABLE hanko_password (
            user_id TEXT PRIMARY KEY REFERENCES hanko_user (id) ON DELETE CASCADE,
            id TEXT NOT NULL,
            hash TEXT NOT NULL, -- see PasswordHash
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE hanko_otp_secret (
            user_id TEXT PRIMARY KEY REFERENCES hanko_user (id) ON DELETE CASCADE,
            id TEXT NOT NULL,
            secret TEXT NOT NULL, -- base32
            created_at INTEGER NOT NULL,
            last_validated_step INTEGER -- of 30 seconds since 1970
        ) STRICT
        """,
        """
        CREATE TABLE hanko_trusted_device (
            token TEXT PRIMARY KEY,
            user_id TEXT NOT NULL REFERENCES hanko_user (id) ON DELETE CASCADE,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX hanko_trusted_device_user ON hanko_trusted_device (user_id)",
        """
        CREATE TABLE hanko_passcode (
            id TEXT PRIMARY KEY,
            user_id TEXT NOT NULL REFERENCES hanko_user (id) ON DELETE CASCADE,
            email_id TEXT NOT NULL REFERENCES hanko_email (id) ON DELETE CASCADE,
            code_sha256 TEXT NOT NULL, -- of the id, a colon and the code, in base64
            ttl INTEGER NOT NULL, -- seconds
            wrong_tries INTEGER NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX hanko_passcode_user ON hanko_passcode (user_id)",
        "CREATE INDEX hanko_passcode_email ON hanko_passcode (email_id)",
    ]

    /// Sign-ins that are under way, and what they end in.
    private static let signIns: [SQL] = [
        """
        CREATE TABLE hanko_session (
            id TEXT PRIMARY KEY,
            user_id TEXT NOT NULL REFERENCES hanko_user (id) ON DELETE CASCADE,
            user_agent TEXT,
            ip_address TEXT,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            last_used INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX hanko_session_user ON hanko_session (user_id, created_at)",
        """
        CREATE TABLE hanko_challenge (
            position INTEGER PRIMARY KEY,
            challenge TEXT NOT NULL UNIQUE, -- base64url
            ceremony TEXT NOT NULL CHECK (ceremony IN ('registration', 'authentication')),
            user_id TEXT REFERENCES hanko_user (id) ON DELETE CASCADE, -- null when anybody may answer
            user_verification TEXT NOT NULL,
            allowed_credentials TEXT NOT NULL, -- JSON array of base64url; empty when any is welcome
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX hanko_challenge_user ON hanko_challenge (user_id)",
        """
        CREATE TABLE hanko_flow (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            state TEXT NOT NULL,
            schedule TEXT NOT NULL, -- JSON array of states
            history TEXT NOT NULL, -- JSON array of steps
            previous_state TEXT,
            stash TEXT NOT NULL, -- JSON
            passcode TEXT, -- JSON
            csrf_token TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX hanko_flow_expiry ON hanko_flow (expires_at)",
        """
        CREATE TABLE hanko_third_party_state (
            position INTEGER PRIMARY KEY,
            state TEXT NOT NULL UNIQUE,
            provider TEXT NOT NULL,
            redirect_to TEXT NOT NULL,
            nonce TEXT NOT NULL,
            is_flow INTEGER NOT NULL CHECK (is_flow IN (0, 1)),
            user_id TEXT REFERENCES hanko_user (id) ON DELETE CASCADE,
            code_verifier TEXT,
            expires_at INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX hanko_third_party_state_user ON hanko_third_party_state (user_id)",
        """
        CREATE TABLE hanko_third_party_token (
            position INTEGER PRIMARY KEY,
            value TEXT NOT NULL UNIQUE,
            user_id TEXT NOT NULL REFERENCES hanko_user (id) ON DELETE CASCADE,
            identity_id TEXT NOT NULL REFERENCES hanko_identity (id) ON DELETE CASCADE,
            is_flow INTEGER NOT NULL CHECK (is_flow IN (0, 1)),
            is_new_user INTEGER NOT NULL CHECK (is_new_user IN (0, 1)),
            code_verifier TEXT,
            expires_at INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX hanko_third_party_token_user ON hanko_third_party_token (user_id)",
        "CREATE INDEX hanko_third_party_token_identity ON hanko_third_party_token (identity_id)",
        """
        CREATE TABLE hanko_rate_limit (
            key TEXT PRIMARY KEY,
            since INTEGER NOT NULL, -- begin of the present interval
            used INTEGER NOT NULL -- tokens taken in it
        ) STRICT
        """,
        "CREATE INDEX hanko_rate_limit_since ON hanko_rate_limit (since)",
    ]

    private static let announcements: [SQL] = [
        """
        CREATE TABLE hanko_webhook (
            id TEXT PRIMARY KEY,
            callback TEXT NOT NULL, -- URL
            enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
            failures INTEGER NOT NULL, -- since the last success
            expires_at INTEGER NOT NULL,
            events TEXT NOT NULL, -- JSON array of text
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE hanko_audit_log (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            type TEXT NOT NULL,
            error TEXT,
            meta_http_request_id TEXT NOT NULL,
            meta_source_ip TEXT NOT NULL,
            meta_user_agent TEXT NOT NULL,
            actor_user_id TEXT, -- also of users who are gone
            actor_email TEXT,
            details TEXT NOT NULL, -- JSON object of texts
            created_at INTEGER NOT NULL
        ) STRICT
        """,
    ]
}
