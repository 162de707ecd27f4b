import Essentials
import JOSE
import PlatformKit

/// What the API gives for a ceremony that went well: a JWT of five minutes, signed with RS256 by the tenant's key.
struct TenantTokens {
    static let lifetimeSeconds = 300

    let tenant: Tenant
    let services: Services

    /// - Parameters:
    ///   - transaction: the app's own id of it, where one was confirmed.
    ///   - seconds: nil for the usual five minutes.
    func issue(
        for user: String, credential: String, transaction: String? = nil, lasting seconds: Int? = nil
    ) throws -> String {
        let now = services.clock.issuingTime().unixSeconds
        var claims: [String: JSONValue] = [
            "sub": .string(user), "aud": [.string(tenant.relyingParty.id)], "cred": .string(credential),
            "iat": .integer(now), "exp": .integer(now + (seconds ?? Self.lifetimeSeconds)),
        ]
        claims["trans"] = transaction.map(JSONValue.string)
        return try services.sign(
            .object(claims),
            SigningSubject(Vendor.name, transaction == nil ? Vendor.login : Vendor.transaction, user: user),
            with: services.keys.signing(Vendor.name, tenant: tenant.id, .rs256))
    }

    /// The RS256 keys alone.
    func published() throws -> [JWK] {
        try services.keys.published(Vendor.name, tenant: tenant.id).filter { $0.algorithm == .rs256 }.map(
            \.jwk)
    }
}
