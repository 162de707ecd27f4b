import Crypto
import Essentials
import PlatformKit
import SQLite
import WebAuthn

/// A challenge of the classic endpoints that waits for its answer. Flows keep theirs to themselves.
struct Challenge: Traced, Equatable {
    static let table = Table("hanko_challenge", key: "challenge", limit: 10_000)

    enum Ceremony: String, Codable, Sendable { case registration, authentication }

    /// Base64url.
    let challenge: String
    let ceremony: Ceremony
    /// Nil when anybody may answer.
    let userID: String?
    /// As the options asked for it.
    let userVerification: String
    /// Base64url; empty when any credential is welcome.
    let allowedCredentials: [String]
    let createdAt: Date
    let expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case challenge, ceremony
        case userID = "user_id"
        case userVerification = "user_verification"
        case allowedCredentials = "allowed_credentials"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
    }
}

extension Challenge {
    var subjects: [Subject] {
        [Subject(.challenge, challenge, "Passkey \(ceremony == .registration ? "registration" : "login")")]
    }
}

extension Challenge {
    /// `allowed_credentials` may be left out in fixtures.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        challenge = try members.decode(String.self, forKey: .challenge)
        ceremony = try members.decode(Ceremony.self, forKey: .ceremony)
        userID = try members.decodeIfPresent(String.self, forKey: .userID)
        userVerification = try members.decode(String.self, forKey: .userVerification)
        allowedCredentials = try members.decodeIfPresent([String].self, forKey: .allowedCredentials) ?? []
        createdAt = try members.decode(Date.self, forKey: .createdAt)
        expiresAt = try members.decode(Date.self, forKey: .expiresAt)
    }
}

extension Challenge {
    var issued: IssuedChallenge {
        IssuedChallenge(
            Base64URL.decode(challenge) ?? [],
            for: ceremony == .registration ? .registration : .authentication, expiresAt: expiresAt)
    }
}

extension Connection {
    private func challenge(_ text: String) throws -> Challenge? {
        try first(Challenge.self, where: "challenge = \(text)")
    }

    /// The challenge that the response answers, if it waits for one of this ceremony.
    func challenge(of posted: PostedCredential) throws -> Challenge {
        let challenge: Challenge
        do {
            challenge = try posted.answered { try self.challenge($0) }
        } catch let unknown as ChallengeUnknown {
            throw PasskeyRefusal.challengeUnknown(
                unknown.challenge, encodedTwice: unknown.encodedTwice, posted.ceremony)
        }
        guard challenge.ceremony.rawValue == posted.ceremony.rawValue else {
            throw PasskeyRefusal.challengeOfOtherCeremony(posted.ceremony)
        }
        return challenge
    }
}
