import Essentials
import PlatformKit
import SQLite

/// The secret of a user's authenticator app.
struct OTPSecret: Record, Equatable {
    static let table = Table("hanko_otp_secret", key: "user_id")

    let id: String
    let userID: String
    /// Base32 without padding, as `otpauth:` URLs carry it.
    let secret: String
    let createdAt: Date
    /// The newest step whose code was taken, which is good once. Source: RFC 6238 §5.2.
    var lastStep: Int?

    enum CodingKeys: String, CodingKey {
        case id, secret
        case userID = "user_id"
        case createdAt = "created_at"
        case lastStep = "last_validated_step"
    }
}

extension OTPSecret {
    /// Id and time may be left out in fixtures.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        userID = try members.owner(.userID)
        id = try members.decodeIfPresent(String.self, forKey: .id) ?? EntryID.made("otp", of: userID)
        secret = try members.decode(String.self, forKey: .secret)
        createdAt = try members.decodeIfPresent(Date.self, forKey: .createdAt) ?? .ofFixtures
        lastStep = try members.decodeIfPresent(Int.self, forKey: .lastStep)
    }
}

extension Connection {
    func otpSecret(of userID: String) throws -> OTPSecret? {
        try first(OTPSecret.self, where: "user_id = \(userID)")
    }

    func otpSecret(withID id: String) throws -> OTPSecret? { try first(OTPSecret.self, where: "id = \(id)") }
}
