import Crypto
package import Essentials
package import HTTP
package import SQLite

/// An authorization request that its client sent ahead. Source: RFC 9126.
package struct PushedRequest: Sendable, Equatable {
    /// SHA-256 of its `request_uri`.
    package var digest: [UInt8]
    package var clientID: String
    /// A form, without the client's credentials.
    package var parameters: String
    package var expiresAt: Date

    package init(digest: [UInt8], clientID: String, parameters: String, expiresAt: Date) {
        (self.digest, self.clientID) = (digest, clientID)
        (self.parameters, self.expiresAt) = (parameters, expiresAt)
    }

    package var form: Form { Form(parameters) }

    static func digest(of requestURI: String) -> [UInt8] { Digest.sha256(Array(requestURI.utf8)) }
}

extension PushedRequest: RowDecodable {
    package init(row: Row) throws {
        self.init(
            digest: try row.blob("digest"), clientID: try row.text("client_id"),
            parameters: try row.text("parameters"), expiresAt: try row.date("expires_at"))
    }
}

/// Why a `request_uri` leads nowhere: `invalid_request_uri`. Source: RFC 9126 §4.
package enum PushedRequestFault: Error, Equatable {
    /// Never issued here, or used before.
    case unknown
    case foreign(clientID: String)
    case expired(at: Date)

    /// A sentence for the developer.
    package var explanation: String {
        switch self {
        case .unknown:
            "No pushed request has this request_uri: it was used before, its time is long over, or it was never issued here."
        case .foreign(let clientID):
            "This request_uri was pushed by the client «\(clientID)», and another one came with it."
        case .expired:
            "This request_uri is too old: send the browser within a minute of pushing the request."
        }
    }
}
