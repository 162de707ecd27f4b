import Essentials
package import PlatformKit
import SQLite

extension PasskeyAPI: MintsTokens {
    package static let tokenKinds = [
        TokenKind(
            Vendor.login, "Token of a login", use: "the app's back end, which checks it by the tenant's JWKS",
            needs: [.user], optional: [.client], reserved: ["sub", "aud", "cred", "iat", "exp"])
    ]

    /// The client is the tenant; the first one without.
    ///
    /// - Throws: `MintRefusal`.
    package func mint(_ order: MintRequest) throws -> MintedToken {
        let user = try order.required(.user)
        let (tenant, credential) = try database.read { db in
            let tenants = try db.all(Tenant.self)
            guard let tenant = tenants.first(where: { $0.id == order.client ?? $0.id }) else {
                throw MintRefusal.unknown("tenant", order.client ?? "", known: tenants.map(\.id))
            }
            let users = try db.all(User.self, where: "tenant_id = \(tenant.id)", limit: 50)
            guard let found = try db.first(User.self, where: "tenant_id = \(tenant.id) AND id = \(user)")
            else {
                throw MintRefusal.unknown("user", user, known: users.map(\.id))
            }
            return (
                tenant, try Credential.all(of: found.id, tenant.id, withMFA: true, in: db).first?.id ?? ""
            )
        }
        let seconds = order.lifetimeSeconds ?? TenantTokens.lifetimeSeconds
        let text = try TenantTokens(tenant: tenant, services: services).issue(
            for: user, credential: credential, lasting: seconds)
        return MintedToken(
            text, expiresAt: services.clock.now().addingTimeInterval(Double(seconds)), isRegistered: false)
    }
}
