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
        let u = try proofs.point("U", input.text("U"))
        let ut = try input.optionalText("UT").map { try proofs.point("UT", $0) }
        let seconds = try proofs.passSeconds(mpinID, input, scope: scope, hasPermit: ut != nil, request)
        let y = try Scalar.drawn { services.entropy.bytes($0, "miracl.challenge") }
        let pass = PendingPass(
            mpinID: mpinID, u: u.hex, ut: ut?.hex, y: Hex.encode(y.bytes), scope: scope,
            clientID: request.headers["X-MIRACL-Client-ID"], createdAt: now,
            expiresAt: world.time(in: seconds))
        try world.change { turn in try turn.save(pass) }
        return .answer(["y": .string(pass.y), "pass": 1, "message": "OK", "version": "0.4"])
    }
}
