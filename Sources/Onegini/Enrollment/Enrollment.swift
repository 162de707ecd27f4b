import Essentials
import PlatformKit
import SQLite

/// A profile on a device that takes part in mobile authentication.
struct Enrollment: Record, Equatable {
    static let table = Table("onegini_enrollment", key: "client_id", "profile_id")
    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_enrollment (
            client_id TEXT NOT NULL,
            profile_id TEXT NOT NULL,
            sub TEXT NOT NULL,
            certificate TEXT NOT NULL, -- JSON
            push_token TEXT,
            server_key TEXT, -- JSON
            enrolled_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            PRIMARY KEY (client_id, profile_id),
            FOREIGN KEY (client_id, profile_id)
                REFERENCES onegini_profile (client_id, profile_id) ON DELETE CASCADE
        ) STRICT
        """
    ]

    let clientID: String
    let profileID: String
    let subject: String
    /// The device's OpenPGP certificate, armored, line by line; or its JWK in one line.
    let certificate: [String]
    /// Nil without push.
    var pushToken: String?
    /// The server's keys, where each enrollment has its own; nil for the world's one.
    let serverKey: ServerKey?
    /// 2026-01-01 when left out.
    let enrolledAt: Date

    enum CodingKeys: String, CodingKey {
        case clientID = "client_id"
        case profileID = "profile_id"
        case subject = "sub"
        case certificate
        case pushToken = "push_token"
        case serverKey = "server_key"
        case enrolledAt = "enrolled_at"
    }

    init(
        of profile: Profile, certificate: [String], pushToken: String? = nil, serverKey: ServerKey? = nil,
        enrolledAt: Date
    ) {
        (clientID, profileID, subject) = (profile.clientID, profile.id, profile.subject)
        (self.certificate, self.pushToken) = (certificate, pushToken)
        (self.serverKey, self.enrolledAt) = (serverKey, enrolledAt)
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        clientID = try values.decode(.clientID, inside: Place.profile?.clientID)
        profileID = try values.decode(.profileID, inside: Place.profile?.id)
        subject = try values.decode(.subject, inside: Place.profile?.subject)
        certificate = try values.decode([String].self, forKey: .certificate)
        pushToken = try values.decodeIfPresent(String.self, forKey: .pushToken)
        serverKey = try values.decodeIfPresent(ServerKey.self, forKey: .serverKey)
        enrolledAt = try values.decodeIfPresent(Date.self, forKey: .enrolledAt) ?? .ofFixtures
    }

    func deviceCertificate(at now: Date) throws(DeviceCertificate.Fault) -> DeviceCertificate {
        try DeviceCertificate(certificate.joined(separator: "\n") + "\n", at: now)
    }
}

extension OpenPGPCertificate {
    /// The armored text, as records keep it.
    var lines: [String] {
        armored.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}

extension Connection {
    func enrollment(of profileID: String, on clientID: String) throws -> Enrollment? {
        try first(Enrollment.self, where: "client_id = \(clientID) AND profile_id = \(profileID)")
    }

    /// Oldest first.
    func enrollments(of subject: String) throws -> [Enrollment] {
        try all(Enrollment.self, where: "sub = \(subject)", order: "enrolled_at, rowid")
    }
}
