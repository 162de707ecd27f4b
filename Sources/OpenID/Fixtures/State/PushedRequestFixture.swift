package import Essentials

/// A ``PushedRequest`` in a fixture file.
package struct PushedRequestFixture: Codable, Sendable {
    package var digest: DigestText
    package var clientID: String
    package var parameters: String
    package var expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case digest
        case clientID = "client_id"
        case parameters
        case expiresAt = "expires_at"
    }

    init(_ request: PushedRequest) {
        (digest, clientID) = (DigestText(request.digest), request.clientID)
        (parameters, expiresAt) = (request.parameters, request.expiresAt)
    }

    var request: PushedRequest {
        PushedRequest(
            digest: digest.bytes, clientID: clientID, parameters: parameters, expiresAt: expiresAt)
    }
}
