import Essentials
import OpenID
package import PlatformKit
import SQLite

/// Tokens to order.
extension MIRACL: MintsTokens {
    package static let tokenKinds =
        AuthorizationServer.tokenKinds("/miracl/oidc/userinfo") + [
            TokenKind(
                "jwt", "JWT of a proof", use: "“jwt” of POST /miracl/verification/quickcode",
                needs: [.user], optional: [.client, .scope],
                reserved: ["iss", "sub", "aud", "exp", "iat", "nbf", "hash_mpin_id", "scope"]),
            TokenKind(
                "certificate", "Certificate of a signature",
                use: "the back end that asked /miracl/dvs/verify",
                needs: [], reserved: ["cAt", "exp", "iat", "nbf"]),
        ]

    /// - Throws: `MintRefusal`.
    package func mint(_ order: MintRequest) throws -> MintedToken {
        switch order.kind {
        case "jwt": return try mintJWT(order)
        case "certificate": return try mintCertificate(order)
        default:
            guard let user = order.user else { return try server.mint(order) }
            let id = try order.required(.client)
            guard let project = try projects.find(ofClient: id),
                let client = try database.read({ db in try server.clients.find(id, in: db) })
            else {
                let known = try projects.all().flatMap { $0.applications ?? [] }.map(\.clientID)
                throw MintRefusal.unknown("client", id, known: known)
            }
            let identity = try minted(user, in: project)
            return try server.mint(order, for: client, context: identity.mpinID)
        }
    }

    /// - Parameter order: its client is a project or one of its clients; the default project when it is left out.
    private func mintJWT(_ order: MintRequest) throws -> MintedToken {
        let project = try mintedProject(order)
        let identity = try minted(order.required(.user), in: project)
        let scope = order.scope.map { $0.split(separator: " ").map(String.init) } ?? [Scope.regCode]
        let seconds = order.lifetimeSeconds ?? Certificates.jwtSeconds
        let text = try certificates.jwt(
            for: identity, in: project, scope: scope, seconds: seconds, order.request)
        return MintedToken(text, expiresAt: now + Double(seconds), isRegistered: order.flaw == nil)
    }

    private func mintedProject(_ order: MintRequest) throws -> Project {
        guard let name = order.client else { return try projects.require(order.request) }
        if let project = try projects.find(name) ?? projects.find(ofClient: name) { return project }
        throw MintRefusal.unknown("client", name, known: try projects.all().map(\.id))
    }

    /// An identity that a proof of the user could have been made with.
    private func minted(_ user: String, in project: Project) throws -> Identity {
        try database.read { db in
            let all = try Identity.all(of: user, in: project.id, db)
            if let identity = all.first(where: { $0.state == .active && !$0.isExpired(at: now) }) {
                return identity
            }
            guard all.isEmpty else {
                throw MintRefusal.impossible(
                    "No identity of “\(user.prefix(120))” in the project “\(project.id)” is active: "
                        + all.map { "one is \($0.state.rawValue)" }.joined(separator: ", ") + ".")
            }
            let known = try db.all(
                Identity.self, where: "project_id = \(project.id)", order: "position DESC", limit: 13)
            throw MintRefusal.unknown("user", user, known: known.map(\.userID))
        }
    }

    private func mintCertificate(_ order: MintRequest) throws -> MintedToken {
        let (at, seconds) = (now.unixSeconds, order.lifetimeSeconds ?? 10)
        let hash = String(repeating: "0", count: 64)
        let text = try certificates.sign(
            ["cAt": .integer(at), "exp": .integer(at + seconds), "hash": .string(hash)],
            SigningSubject(Self.name, "certificate"))
        return MintedToken(text, expiresAt: now + Double(seconds), isRegistered: false)
    }
}
