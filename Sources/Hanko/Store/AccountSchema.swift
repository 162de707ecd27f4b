import SQLite

/// What users have besides addresses: credentials, passwords, second factors, identities, metadata, trusted devices.
enum AccountSchema {
    static let migrations: [SQL] = [
        "ALTER TABLE hanko_user ADD COLUMN username_created_at INTEGER",  // milliseconds since 1970 UTC
        "ALTER TABLE hanko_user ADD COLUMN username_updated_at INTEGER",  // milliseconds since 1970 UTC
        """
        CREATE TABLE hanko_credential (
            id TEXT PRIMARY KEY, -- base64url
            user_id TEXT NOT NULL REFERENCES hanko_user (id) ON DELETE CASCADE,
            name TEXT,
            public_key BLOB NOT NULL, -- COSE_Key
            attestation_type TEXT NOT NULL, -- attestation format
            aaguid TEXT NOT NULL, -- UUID
            sign_count INTEGER NOT NULL,
            transports TEXT NOT NULL, -- JSON array of text
            is_backup_eligible INTEGER NOT NULL CHECK (is_backup_eligible IN (0, 1)),
            is_backed_up INTEGER NOT NULL CHECK (is_backed_up IN (0, 1)),
            is_mfa_only INTEGER NOT NULL CHECK (is_mfa_only IN (0, 1)),
            last_used_at INTEGER, -- milliseconds since 1970 UTC
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            updated_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX hanko_credential_user ON hanko_credential (user_id)",
        """
        CREATE TABLE hanko_password (
            user_id TEXT PRIMARY KEY REFERENCES hanko_user (id) ON DELETE CASCADE,
            id TEXT NOT NULL,
            hash TEXT NOT NULL, -- see PasswordHash
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            updated_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        """
        CREATE TABLE hanko_otp_secret (
            user_id TEXT PRIMARY KEY REFERENCES hanko_user (id) ON DELETE CASCADE,
            id TEXT NOT NULL,
            secret TEXT NOT NULL, -- base32
            created_at INTEGER NOT NULL -- milliseconds since 1970 UTC
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
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            updated_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            UNIQUE (provider, subject)
        ) STRICT
        """,
        "CREATE INDEX hanko_identity_user ON hanko_identity (user_id)",
        "CREATE INDEX hanko_identity_email ON hanko_identity (email_id)",
        """
        CREATE TABLE hanko_metadata (
            user_id TEXT PRIMARY KEY REFERENCES hanko_user (id) ON DELETE CASCADE,
            public TEXT, -- JSON object
            private TEXT, -- JSON object
            unsafe TEXT -- JSON object
        ) STRICT
        """,
        """
        CREATE TABLE hanko_trusted_device (
            token TEXT PRIMARY KEY,
            user_id TEXT NOT NULL REFERENCES hanko_user (id) ON DELETE CASCADE,
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            expires_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX hanko_trusted_device_user ON hanko_trusted_device (user_id)",
        """
        CREATE TABLE hanko_challenge (
            challenge TEXT PRIMARY KEY, -- base64url
            ceremony TEXT NOT NULL CHECK (ceremony IN ('registration', 'authentication')),
            user_id TEXT REFERENCES hanko_user (id) ON DELETE CASCADE, -- null when anybody may answer
            user_verification TEXT NOT NULL,
            allowed_credentials TEXT NOT NULL, -- JSON array of base64url; empty when any is welcome
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            expires_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX hanko_challenge_user ON hanko_challenge (user_id)",
        "ALTER TABLE hanko_configuration ADD COLUMN own_settings TEXT NOT NULL DEFAULT '{}'",  // JSON
        """
        UPDATE hanko_configuration SET own_settings =
            CASE strict_pending_address WHEN 1 THEN '{"strictPendingAddress":true}' ELSE '{}' END
        """,
        "ALTER TABLE hanko_configuration DROP COLUMN strict_pending_address",
    ]
}
