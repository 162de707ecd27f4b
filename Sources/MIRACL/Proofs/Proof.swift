import Essentials
import PlatformKit
import SQLite

/// The first pass of a proof, until the second one comes.
struct PendingPass: Traced, Equatable {
    static let table = Table("miracl_pass", key: "mpin_id", order: "mpin_id", keptSeconds: 0)

    var mpinID: String
    /// The client's commitment, a point in hexadecimal.
    var u: String
    /// The same with a time permit; nil without one.
    var ut: String?
    /// The server's challenge, 32 bytes in hexadecimal.
    var y: String
    /// What the proof is for; empty from clients of the first generation.
    var scope: [String]
    /// The OpenID Connect client that the request named in `X-MIRACL-Client-ID`.
    var clientID: String?
    var createdAt: Date
    var expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case u, ut, y, scope
        case mpinID = "mpin_id"
        case clientID = "client_id"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
    }
}

extension PendingPass {
    var subjects: [Subject] {
        [Subject(.proof, secret: u, "Proof", "of the PIN"), Subject(.identity, secret: mpinID)]
    }
}

/// What became of a proof, until the client asks with `authOTT`.
struct ProofVerdict: Traced, Equatable {
    static let table = Table("miracl_proof", key: "auth_ott", order: "auth_ott", keptSeconds: 0)

    var authOTT: String
    var mpinID: String
    var isRight: Bool
    /// Why it is wrong, for the journal.
    var fault: String?
    /// The secrets with which it is right; nil where that does not matter.
    var proven: Secrets?
    var scope: [String]
    /// The access code or access number that came with it; nil for `"0"` and for none.
    var wid: String?
    var clientID: String?
    /// The digits that a client of the first generation got in the second pass.
    var otp: String?
    var expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case fault, proven, scope, wid, otp
        case authOTT = "auth_ott"
        case mpinID = "mpin_id"
        case isRight = "is_right"
        case clientID = "client_id"
        case expiresAt = "expires_at"
    }
}

extension ProofVerdict {
    var subjects: [Subject] { [Subject(.proof, secret: authOTT), Subject(.identity, secret: mpinID)] }
}

/// One of the two URLs at which a client fetches its shares; good for some seconds, also twice.
struct ShareTicket: Traced, Equatable {
    static let table = Table("miracl_ticket", key: "ticket", order: "ticket", keptSeconds: 0)

    var ticket: String
    var mpinID: String
    /// 1 or 2: whose share.
    var share: Int
    var expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case ticket, share
        case mpinID = "mpin_id"
        case expiresAt = "expires_at"
    }
}

extension ShareTicket {
    var subjects: [Subject] { [Subject(.identity, secret: mpinID)] }
}
