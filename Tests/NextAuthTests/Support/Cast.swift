/// Worlds that the tests begin with.
enum Cast {
    static let serverID = "AAAAAAAAAAAAAAAAAAAAAQ=="
    static let otherServerID = "AAAAAAAAAAAAAAAAAAAAAg=="
    static let apiKey = "test-key"
    static let role = "AAAAAAAAAAAAAAAAAAAAEQ=="

    /// A server with continuous authentication, a user without accounts, and a key that may do everything.
    static func world(
        pingTime: Int = 300, pinTimeout: Int = 0, pinTransTimeout: Int = 0, more: String = ""
    ) -> String {
        """
        {"nextauth": {
            "servers": [{
                "id": "\(serverID)", "name": "Test", "key": [\(key)], "ping_time": \(pingTime),
                "pin_timeout": \(pinTimeout), "pin_trans_timeout": \(pinTransTimeout)
            }, {
                "id": "\(otherServerID)", "name": "Other", "key": [\(key)], "ping_time": 600
            }],
            "users": [{"server": "\(serverID)", "id": "ada"}],
            "api_keys": [{"key": "\(apiKey)", "role": "\(role)"}],
            "grants": [{"role": "\(role)", "permissions": [
                "sessions", "users", "accounts", "servers", "createserver", "root", "setrid"
            ]}]\(more)
        }}
        """
    }

    /// A key pair of P-256 that protects nothing: the private half line by line, the public half as SPKI in base64url.
    private static let key = """
        "-----BEGIN PRIVATE KEY-----",
        "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgnGZdMXdgLpqaCWKj",
        "JgRF1fjLQSr7lO8mcTPetTLoA8qhRANCAARjxzSIb8pYY3Mrskn0ffefsIjbahsV",
        "NGmuObwxxwQ0uGaibfIFB4DssIYE+VYTd+bAhMmHHCXabf8mOgttqFPY",
        "-----END PRIVATE KEY-----"
        """
    static let publicKey =
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEY8c0iG_KWGNzK7JJ9H33n7CI22obFTRprjm8MccENLhmom3yBQeA7LCGBPlWE3fmwITJhxwl2m3_"
        + "JjoLbahT2A"

    /// What a device with the id of 16 zero bytes derives of the PIN 12345.
    static let pinKey = "T-wUwysRRe8JR5ThTRzyOTASQEEyEP-WzX2oi1_5zzM"

    /// One of everything that a section can hold.
    static let everything = world(
        more: """
            , "settings": {"pin_tries": 3, "flow_seconds": 60, "code_seconds": 61, "message_seconds": 62},
            "attributes": {"color": "blue", "list": [1, 2.5, null]},
            "instances": [{
                "id": "AAAAAAAAAAAAAAAAAAAAAA", "token": "device-token", "platform": "ios", "client_version": "3",
                "name": "Phone", "push_token": "push", "pin": "12345",
                "challenge": {
                    "text": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "expires_at": "2026-01-02T03:06:05Z"
                }
            }],
            "accounts": [{
                "id": 5, "server": "\(serverID)", "instance": "AAAAAAAAAAAAAAAAAAAAAA", "user": "ada",
                "public_key": "\(publicKey)", "name": "ada", "user_input": "hello", "last_login_at": "2026-01-01T01:00:00Z"
            }],
            "last_account_id": 9,
            "web_sessions": [{
                "server": "\(serverID)", "hsid": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "nonce": "n",
                "state": "LOGGED_IN", "account": 5, "last_account": 5, "device_session": "BAAAAAAAAAAAAAAAAAAAAA",
                "session_info": {"ip": "192.0.2.1"}, "announce_info": {"info": {"a": "b"}},
                "changed_at": "2026-01-02T03:04:05Z"
            }],
            "transactions": [{
                "id": "AAAAAAAAAAAAAAAAAAAAAw==", "server": "\(serverID)",
                "hsid": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "account": 5, "amount": "1 EUR",
                "benificiary": "Bob", "description": "Lunch", "status": "1", "created_at": "2026-01-02T03:04:05Z",
                "decided_at": "2026-01-02T03:04:06Z"
            }],
            "codes": [{
                "ticket": "CAAAAAAAAAAAAAAAAAAAAA", "kind": "E", "server": "\(serverID)",
                "hsid": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "name": "ada", "user": "ada",
                "created_at": "2026-01-02T03:04:05Z", "expires_at": "2026-01-02T03:14:05Z"
            }],
            "flows": [{
                "id": "DAAAAAAAAAAAAAAAAAAAAA", "instance": "AAAAAAAAAAAAAAAAAAAAAA", "server": "\(serverID)",
                "type": "ENROL", "state": "WAIT_FOR_INPUT", "step": "SET_SECOND_FACTOR",
                "hsid": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "ticket": "CAAAAAAAAAAAAAAAAAAAAA",
                "config": {"singleAccount": true, "inactivityTimeout": 60},
                "challenge": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "is_signed": true,
                "enrolment": {"public_key": "\(publicKey)", "description": "Phone", "is_headless": false},
                "created_at": "2026-01-02T03:04:05Z", "expires_at": "2026-01-02T03:06:05Z"
            }],
            "device_sessions": [{
                "id": "BAAAAAAAAAAAAAAAAAAAAA", "instance": "AAAAAAAAAAAAAAAAAAAAAA", "server": "\(serverID)",
                "account": 5, "hsid": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "type": "APPLOGIN",
                "web_nonce": "00112233445566778899aabbccddeeff", "ping_time": 300, "inactivity_timeout": 60,
                "app_login_timeout": 3600, "started_at": "2026-01-02T03:04:05Z", "last_ping_at": "2026-01-02T03:04:05Z",
                "activity_at": "2026-01-02T03:04:05Z", "is_ping_asked": false
            }, {
                "id": "BAAAAAAAAAAAAAAAAAAAAQ", "instance": "AAAAAAAAAAAAAAAAAAAAAA", "server": "\(serverID)",
                "account": 5, "hsid": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "type": "LOGIN", "ping_time": 0,
                "started_at": "2026-01-02T03:04:05Z", "last_ping_at": "2026-01-02T03:04:05Z", "is_ping_asked": false,
                "ended_at": "2026-01-02T03:04:05Z", "ending": "REPLACED"
            }],
            "events": [{
                "instance": "AAAAAAAAAAAAAAAAAAAAAA", "number": 1, "kind": "PING",
                "members": {"sessionid": "BAAAAAAAAAAAAAAAAAAAAA"}, "created_at": "2026-01-02T03:04:05Z"
            }],
            "messages": [{
                "id": "EAAAAAAAAAAAAAAAAAAAAA", "instance": "AAAAAAAAAAAAAAAAAAAAAA", "kind": "LOGIN",
                "server": "\(serverID)", "hsid": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "account": 5,
                "announce_info": {"ip": "192.0.2.1"}, "created_at": "2026-01-02T03:04:05Z",
                "expires_at": "2026-01-02T03:14:05Z", "read_at": "2026-01-02T03:05:05Z"
            }]
            """)
}
