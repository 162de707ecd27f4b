import Essentials
import PlatformKit
import SQLite

/// A challenge that a device was given and has not answered yet.
struct PendingRegistration: Traced, Equatable {
    static let table = Table("onegini_registration", key: "identifier", limit: 10_000)
    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_registration (
            position INTEGER PRIMARY KEY,
            identifier TEXT NOT NULL UNIQUE, -- UUID
            challenge TEXT NOT NULL, -- hexadecimal
            application TEXT NOT NULL,
            platform TEXT NOT NULL,
            version TEXT NOT NULL,
            os_version TEXT,
            wrong_responses INTEGER NOT NULL,
            expires_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """
    ]

    static let lifetimeSeconds = 600
    static let maxWrongResponses = 5

    /// UUID
    var identifier: String
    /// 64 hex digits in lower case.
    var challenge: String
    var application: String
    var platform: String
    var version: String
    var osVersion: String?
    var wrongResponses: Int
    var expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case identifier, challenge, application, platform, version
        case osVersion = "os_version"
        case wrongResponses = "wrong_responses"
        case expiresAt = "expires_at"
    }
}

extension PendingRegistration {
    var subjects: [Subject] { [Subject(.flow, secret: identifier, "Device registration")] }
}
