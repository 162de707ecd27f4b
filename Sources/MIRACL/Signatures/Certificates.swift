import Essentials
import HTTP
import JOSE
import PlatformKit

/// JWTs of this platform's own; the OpenID provider signs its own, with the same keys.
struct Certificates: Sendable {
    static let jwtSeconds = 60

    let world: World

    init(_ world: World) { self.world = world }

    private var services: Services { world.services }

    /// What a proof gives to a client of the third generation, good for a minute.
    ///
    /// Source: trust-sdk-android and oidc-samples, integration tests. `hash_mpin_id` and `scope` are ours: which device it was, and
    /// what it proved itself for.
    func jwt(
        for identity: Identity, in project: Project, scope: [String], seconds: Int = jwtSeconds,
        _ request: Request
    ) throws -> String {
        try sign(
            [
                "iss": .string(request.baseURL), "aud": .string(project.id), "sub": .string(identity.userID),
                "iat": .integer(services.clock.issuingTime().unixSeconds),
                "exp": .integer(world.now.unixSeconds + seconds),
                "hash_mpin_id": .string(identity.hashMPinID), "scope": JSONValue(scope),
            ], SigningSubject(Vendor.name, "jwt", user: identity.userID, client: project.id))
    }

    /// What a JWT says that ``jwt(for:in:scope:_:)`` made for the project, while it lasts.
    ///
    /// - Throws: `JOSEError`, which says why it is refused.
    func claims(ofJWT token: String, in project: Project, _ request: Request) throws -> JSONValue {
        let verified = try JWT.verify(token, keys: publishedKeys(), at: world.now)
        let claims = try verified.decode(JSONValue.self)
        guard verified.header.type == "JWT" else {
            throw JOSEError.malformed(
                part: "header typ", reason: "\(verified.header.type ?? "none"), expected JWT")
        }
        guard let issuer = claims["iss"]?.string, request.isName(issuer) else {
            throw JOSEError.malformed(
                part: "claim iss",
                reason: "\(claims["iss"]?.text ?? "none"), expected “\(request.baseURL)” of this world")
        }
        guard claims["aud"]?.string == project.id else {
            let audience = claims["aud"]?.text ?? "nobody"
            throw JOSEError.malformed(
                part: "claim aud",
                reason: "the token is for \(audience), not for the project “\(project.id)”")
        }
        return claims
    }

    /// A JWT with these claims, by the newest key.
    func sign(_ claims: JSONValue, _ order: SigningSubject) throws -> String {
        let key = try services.memo.value("miracl.signing") { try services.keys.signing(Vendor.name, .rs256) }
        return try services.sign(claims, order, with: key)
    }

    /// The public halves of all keys that tokens may be signed with, the newest first.
    func publishedKeys() throws -> [JWK] {
        try services.memo.value("miracl.keys") {
            try services.keys.published(Vendor.name).filter { $0.algorithm == .rs256 }.map(\.jwk)
        }
    }
}

extension Request {
    /// Whether a base URL is one of those under which this request reached the platform.
    fileprivate func isName(_ url: String) -> Bool { url == baseURL || url == askedOrigin + mount }
}
