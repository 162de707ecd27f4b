import Essentials
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import OpenID

struct ScratchTimingTests {
    struct SynthToken: Record {
        static let table = Table("openid_access_token", key: "digest")
        var digest: DigestText
        var id: String
        var grantID: String
        var clientID: String
        var subject: String?
        var scope: ScopeList
        var audience: [String]
        var issuer: String
        var format: AccessTokenFormat
        var issuedAt: Date
        var expiresAt: Date
        var claims: [String: JSONValue]
        var proofKey: String?
        var uses: Int
        var end: TokenEnd?
        enum CodingKeys: String, CodingKey {
            case digest, id
            case grantID = "grant_id"
            case clientID = "client_id"
            case subject = "sub"
            case scope
            case audience = "aud"
            case issuer, format
            case issuedAt = "issued_at"
            case expiresAt = "expires_at"
            case claims, uses
            case proofKey = "proof_key"
            case end = "ended"
        }
    }

    @Test func `timing`() throws {
        let bench = try TestBench.tokens()
        _ = try bench.loggedIn()
        let clock = ContinuousClock()
        try bench.world.database.read { db in
            for round in 1...3 {
                let a = try clock.measure { for _ in 0..<2000 { _ = try db.first(AccessToken.self, where: "1 = 1") } }
                let b = try clock.measure { for _ in 0..<2000 { _ = try db.first(SynthToken.self, where: "1 = 1") } }
                let c = try clock.measure { for _ in 0..<2000 { _ = try db.first(Grant.self, where: "1 = 1") } }
                print("TIMING \(round) hand \(a / 2000) synth \(b / 2000) grant \(c / 2000)")
            }
        }
    }
}
