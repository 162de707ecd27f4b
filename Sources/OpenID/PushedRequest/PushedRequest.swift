import Crypto
package import Essentials
package import HTTP
package import PlatformKit
package import SQLite

/// An authorization request that its client sent ahead. Source: RFC 9126.
package struct PushedRequest: Traced, Equatable {
    package static let table = Table("openid_pushed_request", key: "digest", order: "expires_at, rowid")
    /// What every `request_uri` of ours begins with. Source: RFC 9126 §2.2.
    package static let prefix = "urn:ietf:params:oauth:request_uri:"

    /// SHA-256 of its `request_uri`.
    package var digest: DigestText
    package var clientID: String
    /// A form, without the client's credentials.
    package var parameters: String
    package var expiresAt: Date

    package enum CodingKeys: String, CodingKey {
        case digest
        case clientID = "client_id"
        case parameters
        case expiresAt = "expires_at"
    }

    package init(digest: [UInt8], clientID: String, parameters: String, expiresAt: Date) {
        (self.digest, self.clientID) = (DigestText(digest), clientID)
        (self.parameters, self.expiresAt) = (parameters, expiresAt)
    }

    package var form: Form { Form(parameters) }

    static func digest(of requestURI: String) -> [UInt8] { Digest.sha256(Array(requestURI.utf8)) }
}

extension PushedRequest {
    package var subjects: [Subject] { [Subject(.request, digest: digest.bytes, "Login")] }
}

extension ServerRecords<PushedRequest> {
    /// The parameters behind a `request_uri`, which stay there: ``consume(_:in:)`` takes them away when the user is done.
    package func find(
        _ requestURI: String, clientID: String, at now: Date, in db: Connection
    ) throws -> Result<Form, PushedRequestFault> {
        let digest = PushedRequest.digest(of: requestURI)
        guard let request = try first(where: "digest = \(digest)", in: db) else { return .failure(.unknown) }
        guard request.clientID == clientID else { return .failure(.foreign(clientID: request.clientID)) }
        guard now < request.expiresAt else { return .failure(.expired(at: request.expiresAt)) }
        return .success(request.form)
    }

    /// False when it was not there any more: somebody else used it.
    @discardableResult
    package func consume(_ requestURI: String, in db: Connection) throws -> Bool {
        try delete(where: "digest = \(PushedRequest.digest(of: requestURI))", in: db)
    }

    /// Forgets all but the newest; to be called right after one was inserted.
    func removeOldest(keeping limit: Int, in db: Connection) throws {
        try delete(where: "rowid <= \(db.lastInsertID - limit)", in: db)
    }
}

/// Why a `request_uri` leads nowhere: `invalid_request_uri`. Source: RFC 9126 §4.
package struct PushedRequestFault: Error, Equatable {
    /// `error_description`
    let summary: String
    /// A sentence for the developer.
    package let explanation: String

    private init(_ summary: String, _ explanation: String) {
        (self.summary, self.explanation) = (summary, explanation)
    }

    /// Never issued here, or used before.
    static var unknown: Self {
        Self(
            "The pushed request is unknown or expired",
            "No pushed request has this request_uri: it was used before, its time is long over, or it was never issued here."
        )
    }

    static func foreign(clientID: String) -> Self {
        Self(
            "The pushed request belongs to another client",
            "This request_uri was pushed by the client “\(clientID)”, but another client used it.")
    }

    static func expired(at _: Date) -> Self {
        Self(
            "The pushed request is unknown or expired",
            "This request_uri is too old: send the browser within a minute of pushing the request.")
    }
}
