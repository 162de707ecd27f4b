package import Essentials

/// A ``DeviceRequest`` in a fixture file.
package struct DeviceRequestFixture: Codable, Sendable {
    package var digest: DigestText
    package var userCode: String
    package var clientID: String
    package var scope: String
    package var audience: [String]?
    package var issuer: String
    package var state: DeviceRequest.State
    package var grantID: String?
    /// Seconds
    package var interval: Int
    package var polledAt: Date?
    package var expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case digest
        case userCode = "user_code"
        case clientID = "client_id"
        case scope
        case audience = "aud"
        case issuer, state
        case grantID = "grant_id"
        case interval
        case polledAt = "polled_at"
        case expiresAt = "expires_at"
    }

    init(_ request: DeviceRequest) {
        (digest, userCode) = (DigestText(request.digest), request.userCode)
        (clientID, scope, issuer) = (request.clientID, request.scope.text, request.issuer)
        audience = request.audience.isEmpty ? nil : request.audience
        (state, grantID, interval) = (request.state, request.grantID, request.interval)
        (polledAt, expiresAt) = (request.polledAt, request.expiresAt)
    }

    var request: DeviceRequest {
        DeviceRequest(
            digest: digest.bytes, userCode: userCode, clientID: clientID, scope: ScopeList(scope),
            audience: audience ?? [], issuer: issuer, state: state, grantID: grantID, interval: interval,
            polledAt: polledAt,
            expiresAt: expiresAt)
    }
}
