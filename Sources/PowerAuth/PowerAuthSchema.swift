package import SQLite

extension PowerAuth {
    /// Columns are named like the members of a fixture file. Times are milliseconds since 1970 UTC.
    package static let migrations: [SQL] =
        applicationTables + activationTables + ActivationSecrets.migrations + mobileTables
        + Presented.migrations + CounterMark.migrations + SeenResource.migrations + operationTables
        + backOfficeTables + ApplicationSuites.migrations
        + ActivationSecrets.upgradeMigrations + ApplicationSuites.upgradeMigrations
        + InboxMessage.migrations

    package static let records: [any Record.Type] = [
        Activation.self, HistoryEntry.self, RecoveryCode.self, CallbackEvent.self,
        CallbackHealth.self, RegisteredCallback.self, InboxMessage.self, PushDevice.self,
        Application.self, ApplicationSuites.self, ApplicationVersion.self, ActivationSecrets.self,
        Configuration.self, Presented.self, Token.self, CounterMark.self, SeenResource.self,
        AuditRecord.self, Integration.self, SystemUser.self, TemporaryKey.self, Operation.self,
        UserClaims.self, MobileTemplate.self, OperationTemplate.self,
    ]

    private static let applicationTables: [SQL] = [
        """
        CREATE TABLE powerauth_application (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            roles TEXT NOT NULL, -- JSON array of texts
            master_key TEXT NOT NULL, -- private key in PEM
            offers_recovery INTEGER NOT NULL,
            oauth2_providers TEXT NOT NULL -- JSON array of OpenID Connect providers
        ) STRICT
        """,
        """
        CREATE TABLE powerauth_application_version (
            app_key TEXT NOT NULL PRIMARY KEY, -- Base64 of 16 bytes
            application TEXT NOT NULL REFERENCES powerauth_application (id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            app_secret TEXT NOT NULL, -- Base64 of 16 bytes
            is_supported INTEGER NOT NULL,
            UNIQUE (application, name)
        ) STRICT
        """,
        """
        CREATE TABLE powerauth_configuration (
            application TEXT NOT NULL REFERENCES powerauth_application (id) ON DELETE CASCADE,
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            value TEXT NOT NULL, -- JSON
            PRIMARY KEY (application, kind, name)
        ) STRICT
        """,
    ]

    private static let activationTables: [SQL] = [
        """
        CREATE TABLE powerauth_activation (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            application TEXT NOT NULL,
            user TEXT NOT NULL,
            state TEXT NOT NULL,
            blocked_reason TEXT,
            flags TEXT NOT NULL, -- JSON array of texts
            code TEXT,
            expires_at INTEGER NOT NULL,
            commit_phase TEXT NOT NULL,
            otp_digest TEXT, -- salt and SHA-256, hexadecimal
            otp_failures INTEGER NOT NULL,
            failed_attempts INTEGER NOT NULL,
            max_failed_attempts INTEGER NOT NULL,
            server_key BLOB NOT NULL, -- P-256 scalar
            server_point BLOB NOT NULL, -- X9.62, uncompressed
            device_public_key BLOB, -- X9.62, uncompressed
            master_secret BLOB,
            counter_data BLOB, -- 16 bytes in 3.x, 32 in 4.0
            counter INTEGER NOT NULL,
            name TEXT,
            platform TEXT,
            device_info TEXT,
            extras TEXT,
            external_id TEXT,
            created_at INTEGER NOT NULL,
            last_used_at INTEGER NOT NULL,
            changed_at INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX powerauth_activation_user ON powerauth_activation (user, application)",
        "CREATE INDEX powerauth_activation_code ON powerauth_activation (code) WHERE code IS NOT NULL",
        """
        CREATE TABLE powerauth_activation_history (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            activation TEXT NOT NULL,
            state TEXT NOT NULL,
            reason TEXT,
            external_user TEXT,
            name TEXT,
            at INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX powerauth_activation_history_activation ON powerauth_activation_history (activation, position)",
    ]

    private static let mobileTables: [SQL] = [
        """
        CREATE TABLE powerauth_token (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            activation TEXT NOT NULL,
            secret BLOB NOT NULL, -- 16 bytes in 3.x, 32 in 4.0
            type TEXT NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX powerauth_token_activation ON powerauth_token (activation)",
        """
        CREATE TABLE powerauth_temporary_key (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            application_key TEXT NOT NULL,
            activation TEXT,
            scalar BLOB NOT NULL, -- P-256; the shared secret in 4.0
            suite TEXT, -- of 4.0
            expires_at INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX powerauth_temporary_key_expiry ON powerauth_temporary_key (expires_at)",
        """
        CREATE TABLE powerauth_recovery_code (
            position INTEGER PRIMARY KEY,
            code TEXT NOT NULL,
            application TEXT NOT NULL,
            user TEXT NOT NULL,
            activation TEXT,
            state TEXT NOT NULL,
            failed_attempts INTEGER NOT NULL,
            puks TEXT NOT NULL, -- JSON array
            UNIQUE (code, application)
        ) STRICT
        """,
        "CREATE INDEX powerauth_recovery_code_activation ON powerauth_recovery_code (activation)",
        """
        CREATE TABLE powerauth_user_claims (
            user TEXT NOT NULL PRIMARY KEY,
            claims TEXT NOT NULL -- JSON object
        ) STRICT
        """,
    ]

    private static let operationTables: [SQL] = [
        """
        CREATE TABLE powerauth_operation (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            user TEXT,
            activation TEXT,
            applications TEXT NOT NULL, -- JSON array of texts
            template TEXT NOT NULL,
            type TEXT NOT NULL,
            data TEXT NOT NULL,
            parameters TEXT NOT NULL, -- JSON object of texts
            additional_data TEXT NOT NULL, -- JSON object
            state TEXT NOT NULL,
            state_reason TEXT,
            factors TEXT NOT NULL, -- JSON array of texts
            risk_flags TEXT NOT NULL,
            failures INTEGER NOT NULL,
            max_failures INTEGER NOT NULL,
            proximity_seed BLOB, -- 16 bytes
            flag TEXT,
            external_id TEXT,
            language TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            finalized_at INTEGER
        ) STRICT
        """,
        "CREATE INDEX powerauth_operation_user ON powerauth_operation (user, created_at)",
        """
        CREATE INDEX powerauth_operation_pending ON powerauth_operation (user, created_at)
        WHERE state = 'PENDING'
        """,
        "CREATE INDEX powerauth_operation_due ON powerauth_operation (expires_at) WHERE state = 'PENDING'",
        """
        CREATE INDEX powerauth_operation_external ON powerauth_operation (external_id, created_at)
        WHERE external_id IS NOT NULL
        """,
        """
        CREATE TABLE powerauth_operation_template (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            type TEXT NOT NULL,
            data TEXT NOT NULL,
            factors TEXT NOT NULL, -- JSON array of texts
            max_failures INTEGER NOT NULL,
            seconds INTEGER NOT NULL,
            risk_flags TEXT NOT NULL,
            checks_proximity INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE powerauth_mobile_template (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE, -- operation type
            texts TEXT NOT NULL -- JSON object by language
        ) STRICT
        """,
        """
        CREATE TABLE powerauth_inbox_message (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            user TEXT NOT NULL,
            applications TEXT NOT NULL, -- JSON array of texts
            format TEXT NOT NULL,
            subject TEXT NOT NULL,
            summary TEXT NOT NULL,
            body TEXT NOT NULL,
            is_read INTEGER NOT NULL,
            created_at INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX powerauth_inbox_user ON powerauth_inbox_message (user, created_at)",
        """
        CREATE TABLE powerauth_push_device (
            activation TEXT NOT NULL PRIMARY KEY,
            service TEXT NOT NULL,
            token TEXT NOT NULL,
            environment TEXT,
            registered_at INTEGER NOT NULL
        ) STRICT
        """,
    ]
}
