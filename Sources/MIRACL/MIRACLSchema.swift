import SQLite

/// The tables of the platform. What is over is tidied away when something of its kind is written, so that each is bounded by what
/// its clients do in the lifetime of an entry; identities and the audit have a limit of their own.
enum MIRACLSchema {
    static let migrations: [SQL] = [
        """
        CREATE TABLE miracl_project (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            settings TEXT NOT NULL -- JSON
        ) STRICT
        """,
        """
        CREATE TABLE miracl_identity (
            position INTEGER PRIMARY KEY,
            mpin_id TEXT NOT NULL UNIQUE, -- hexadecimal
            hash TEXT NOT NULL UNIQUE, -- SHA-256 of the id, hexadecimal
            project_id TEXT NOT NULL,
            user_id TEXT NOT NULL,
            device_name TEXT NOT NULL,
            purpose TEXT NOT NULL,
            state TEXT NOT NULL,
            origin TEXT,
            public_key TEXT, -- hexadecimal
            reg_ott TEXT NOT NULL,
            registration_expires_at INTEGER NOT NULL, -- milliseconds since 1970
            wrong_count INTEGER NOT NULL,
            push_token TEXT,
            needs_renewal INTEGER NOT NULL,
            dtas TEXT NOT NULL,
            created_at INTEGER NOT NULL, -- milliseconds since 1970
            last_used_at INTEGER, -- milliseconds since 1970
            expires_at INTEGER, -- milliseconds since 1970
            renewal TEXT -- JSON
        ) STRICT
        """,
        "CREATE INDEX miracl_identity_of_user ON miracl_identity (project_id, user_id)",
        """
        CREATE TABLE miracl_session (
            position INTEGER PRIMARY KEY,
            access_id TEXT NOT NULL UNIQUE,
            web_ott TEXT NOT NULL UNIQUE,
            access_number TEXT,
            project_id TEXT NOT NULL,
            state TEXT NOT NULL,
            authorization TEXT, -- JSON
            preroll_id TEXT,
            register_only INTEGER NOT NULL,
            user_id TEXT,
            description TEXT,
            hash TEXT, -- hexadecimal
            signature TEXT, -- Base64 of JSON
            redirect_url TEXT,
            created_at INTEGER NOT NULL, -- milliseconds since 1970
            expires_at INTEGER NOT NULL -- milliseconds since 1970
        ) STRICT
        """,
        "CREATE INDEX miracl_session_expiry ON miracl_session (expires_at)",
        "CREATE INDEX miracl_session_number ON miracl_session (access_number)",
        """
        CREATE TABLE miracl_pass (
            mpin_id TEXT PRIMARY KEY,
            u TEXT NOT NULL, -- hexadecimal
            ut TEXT, -- hexadecimal
            y TEXT NOT NULL, -- hexadecimal
            scope TEXT NOT NULL, -- JSON
            client_id TEXT,
            created_at INTEGER NOT NULL, -- milliseconds since 1970
            expires_at INTEGER NOT NULL -- milliseconds since 1970
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX miracl_pass_expiry ON miracl_pass (expires_at)",
        """
        CREATE TABLE miracl_proof (
            auth_ott TEXT PRIMARY KEY,
            mpin_id TEXT NOT NULL,
            is_right INTEGER NOT NULL,
            fault TEXT,
            proven TEXT, -- JSON
            scope TEXT NOT NULL, -- JSON
            wid TEXT,
            client_id TEXT,
            otp TEXT,
            expires_at INTEGER NOT NULL -- milliseconds since 1970
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX miracl_proof_expiry ON miracl_proof (expires_at)",
        """
        CREATE TABLE miracl_ticket (
            ticket TEXT PRIMARY KEY,
            mpin_id TEXT NOT NULL,
            share INTEGER NOT NULL, -- 1 or 2
            expires_at INTEGER NOT NULL -- milliseconds since 1970
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX miracl_ticket_expiry ON miracl_ticket (expires_at)",
        """
        CREATE TABLE miracl_code (
            position INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            text TEXT NOT NULL,
            project_id TEXT NOT NULL,
            user_id TEXT NOT NULL,
            mpin_id TEXT,
            origin TEXT,
            device_name TEXT,
            access_id TEXT,
            client_id TEXT,
            redirect_uri TEXT,
            state TEXT,
            nonce TEXT,
            stage TEXT,
            created_at INTEGER NOT NULL, -- milliseconds since 1970
            expires_at INTEGER NOT NULL, -- milliseconds since 1970
            spent_at INTEGER, -- milliseconds since 1970
            failures INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX miracl_code_expiry ON miracl_code (expires_at)",
        "CREATE INDEX miracl_code_text ON miracl_code (text)",
        "CREATE INDEX miracl_code_user ON miracl_code (project_id, user_id)",
        """
        CREATE TABLE miracl_audit (
            position INTEGER PRIMARY KEY,
            at INTEGER NOT NULL, -- milliseconds since 1970
            project_id TEXT NOT NULL,
            type TEXT NOT NULL,
            status TEXT NOT NULL,
            user_id TEXT NOT NULL,
            hash_mpin_id TEXT,
            device_name TEXT,
            client_id TEXT,
            ip_address TEXT NOT NULL
        ) STRICT
        """,
        "ALTER TABLE miracl_session ADD COLUMN qr_url TEXT",
    ]
}
