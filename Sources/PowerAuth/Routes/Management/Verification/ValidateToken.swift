import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

/// Source of all: published behaviour of the PowerAuth Server.
extension PowerAuth {
    /// `POST /rest/v3/token/validate`: a MAC token header, taken apart by the caller.
    ///
    /// - Request: `{"tokenId", "tokenDigest", "nonce", "timestamp", "protocolVersion"?}`; 3.1 when left out.
    /// - Response: `tokenValid`, `activationStatus`, `blockedReason`, `activationId`, `userId`, `applicationId`,
    ///   `applicationRoles`, `activationFlags`, `signatureType`.
    /// - Errors: `ERR0024`, also for a header that came before; `ERR0030`, `ERR0044` outside of its time.
    func validateToken(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("tokenId")
        let digest = WireBase64.decode(try input.text("tokenDigest"))
        let nonce = WireBase64.decode(try input.text("nonce"))
        let timestamp = try input.optionalInteger("timestamp", 0...253_402_300_799_999)
        // Clients of servers before 1.5 send none: their digest does not cover the version.
        let version =
            input["protocolVersion"] == nil
            ? .three(.v31) : try input.optionalText("protocolVersion").flatMap(RequestVersion.init(rawValue:))
        if digest == nil { try input.refuse("tokenDigest", "Base64") }
        if nonce?.count != 16 { try input.refuse("nonce", "16 bytes in Base64") }
        if timestamp == nil, input["timestamp"] == nil {
            try input.refuse("timestamp", "milliseconds since 1970")
        }
        if version == nil { try input.refuse("protocolVersion", RequestVersion.expectation) }
        try input.check()
        guard let digest, let nonce, let timestamp, let version else {
            throw ManagementRefusal(.invalidRequest, "Nothing to validate.")
        }
        let header = TokenHeader(
            version: version, tokenID: id, digest: digest, nonce: nonce, timestamp: String(timestamp))
        let outcome = try change { turn in
            do {
                let outcome = try authentication.verify(header, in: turn)
                try turn.audit(outcome, "token")
                return outcome
            } catch let refusal as TokenRefusal {
                throw ManagementRefusal(refusal)
            }
        }
        explain(outcome, "token refused")
        guard let activation = outcome.activation else { return .management(["tokenValid": false]) }
        var members = managementMembers(
            of: Verification(outcome, before: activation), "tokenValid", id: activation.id)
        members["remainingAttempts"] = nil
        return .management(members)
    }

    /// `POST /rest/v3/token/remove`: forgets a token.
    ///
    /// - Request: `{"tokenId", "activationId"}`.
    /// - Response: `removed`, false for one that is not there.
    /// - Errors: `ERR0024`.
    func forgetToken(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("tokenId")
        let activation = try input.text("activationId")
        try input.check()
        let isRemoved = try world.change { try Token.remove(id, of: activation, in: $0.db) }
        return .management(["removed": .boolean(isRemoved)])
    }
}
