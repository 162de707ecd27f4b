import Essentials
import SQLite

/// The first pass of a proof, until the second one comes.
struct PendingPass: Codable, Sendable, Equatable {
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

/// What became of a proof, until the client asks with `authOTT`.
struct ProofVerdict: Codable, Sendable, Equatable {
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

/// One of the two URLs at which a client fetches its shares; good for some seconds, also twice.
struct ShareTicket: Codable, Sendable, Equatable {
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

extension PendingPass: RowDecodable {
    init(row: Row) throws {
        self.init(
            mpinID: try row.text("mpin_id"), u: try row.text("u"), ut: try row.optionalText("ut"),
            y: try row.text("y"), scope: try row.text("scope").words,
            clientID: try row.optionalText("client_id"), createdAt: try row.date("created_at"),
            expiresAt: try row.date("expires_at"))
    }
}

extension ProofVerdict: RowDecodable {
    init(row: Row) throws {
        self.init(
            authOTT: try row.text("auth_ott"), mpinID: try row.text("mpin_id"),
            isRight: try row.boolean("is_right"), fault: try row.optionalText("fault"),
            proven: try Secrets(row: row, "proven"),
            scope: try row.text("scope").words, wid: try row.optionalText("wid"),
            clientID: try row.optionalText("client_id"), otp: try row.optionalText("otp"),
            expiresAt: try row.date("expires_at"))
    }
}

extension ShareTicket: RowDecodable {
    init(row: Row) throws {
        self.init(
            ticket: try row.text("ticket"), mpinID: try row.text("mpin_id"),
            share: try row.integer("share"), expiresAt: try row.date("expires_at"))
    }
}

extension String {
    /// The words between spaces.
    fileprivate var words: [String] { split(separator: " ").map(String.init) }
}
