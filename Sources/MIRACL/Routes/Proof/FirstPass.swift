import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `POST /rps/v2/pass1`: the client's commitment for the server's challenge.
    ///
    /// - Request: `{"mpin_id", "U", "UT"?, "dtas"?, "publicKey"?, "scope"?: [..], "pass": 1}`; points in hexadecimal.
    /// - Response: `200 {"y": 64 hexadecimal digits, "pass": 1, "message": "OK", "version": "0.4"}`. For a blocked or revoked identity
    ///   as well, which hears of it at the end.
    /// - Errors: `403 EXPIRED_MPINID` for an identity that is unknown, expired or never got its secrets; `403 FORBIDDEN` for another
    ///   public key or a missing time permit; `400` for a malformed point.
    /// - Source: Milagro MFA server; client-js 4 to 8; trust-sdk-android.
    func firstPass(_ request: Request) throws -> Response {
        let input = try Members(request)
        let mpinID = try input.text("mpin_id").lowercased()
        let scope = try input.texts("scope")
        let u = try point("U", input.text("U"))
        let ut = try input.optionalText("UT").map { try point("UT", $0) }
        let seconds = try passSeconds(mpinID, input, scope: scope, hasPermit: ut != nil, request)
        let y = try Scalar.drawn { services.entropy.bytes($0, "miracl.challenge") }
        let pass = PendingPass(
            mpinID: mpinID, u: u.hex, ut: ut?.hex, y: Hex.encode(y.bytes), scope: scope,
            clientID: request.headers["X-MIRACL-Client-ID"], createdAt: now, expiresAt: time(in: seconds))
        try world.change { turn in try turn.save(pass) }
        return .answer(["y": .string(pass.y), "pass": 1, "message": "OK", "version": "0.4"])
    }

    /// Checks everything of the first pass but the points.
    ///
    /// - Returns: how long it may wait for the second one.
    private func passSeconds(
        _ mpinID: String, _ input: Members, scope: [String], hasPermit: Bool, _ request: Request
    ) throws -> Int {
        guard let identity = try database.read({ db in try Identity.find(mpinID, in: db) }) else {
            guard let project = try projectBlockingUnknown(request) else {
                throw ProofRefusal.identityUnknown(mpinID)
            }
            return project.passSeconds
        }
        guard let project = try project(identity.projectID) else {
            throw ProofRefusal.identityUnknown(mpinID)
        }
        if let at = identity.expiresAt, at <= now { throw ProofRefusal.identityExpired(at) }
        if identity.state == .pending || identity.state == .verified {
            throw ProofRefusal.identityWithoutSecrets(identity.state)
        }
        let key = try input.optionalText("publicKey")?.lowercased()
        guard key == identity.publicKey || key == identity.offered.publicKey else {
            if let key, let renewal = identity.renewal, renewal.replaced?.publicKey == key {
                throw ProofRefusal.publicKeyReplaced
            }
            throw ProofRefusal.publicKeyOther(hasOne: identity.publicKey != nil, sentOne: key != nil)
        }
        if project.wantsPermits, scope.isEmpty, !hasPermit { throw ProofRefusal.permitMissing }
        return project.passSeconds
    }

    private func point(_ name: String, _ hex: String) throws(ProofRefusal) -> G1Point {
        do {
            return try G1Point(hex: hex)
        } catch {
            throw .pointMalformed(name, error)
        }
    }
}
