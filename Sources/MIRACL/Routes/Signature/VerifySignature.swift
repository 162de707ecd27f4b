import Crypto
import Essentials
import HTTP
import JOSE
import PlatformKit
import SQLite

extension MIRACL {
    /// `POST /dvs/verify`: a back end has a document's signature verified.
    ///
    /// - Request: `{"signature": {"hash", "mpinId", "u", "v", "publicKey", "dtas"}, "timestamp": seconds, "type": "verification"}`
    ///   with `Authorization: Basic`, `Bearer` and query `project_id`, or `MAAS-HMAC-SHA256`.
    /// - Response: `200 {"certificate": JWT}` with the claims `cAt`, `exp` (ten seconds later) and `hash`.
    /// - Errors: `401 UNAUTHORIZED` for wrong credentials or a wrong signature; `403 FORBIDDEN` for an unknown identity or key;
    ///   `410 REVOKED_MPINID`; `400 INVALID_REQUEST_PARAMETERS`.
    /// - Source: the vendor's documentation of its back end API; its libraries for Go and .NET; trust-sdk-android.
    func verifySignature(_ request: Request) throws -> Response {
        let input = try Members(request)
        let members = try input.optionalMembers("signature")
        let project = try requireVerifier(request, hash: members?.optionalText("hash"))
        guard let members else { throw RequestRefusal.memberMissing("signature") }
        if let type = try input.optionalText("type"), type != "verification" {
            throw SignatureRefusal.typeUnknown(type)
        }
        let signature = try DocumentSignature(members)
        guard let timestamp = try input.optionalInteger("timestamp") ?? signature.timestamp else {
            throw RequestRefusal.memberMissing("timestamp")
        }
        let identity = try signatures.signer(of: signature, at: timestamp, for: project)
        try world.change { turn in
            try turn.audit("signature", "verify_success", of: identity, request)
        }
        let at = now.unixSeconds
        return .answer([
            "certificate": .string(
                try certificates.sign(
                    ["cAt": .integer(at), "exp": .integer(at + 10), "hash": .string(signature.hash)],
                    SigningSubject(Self.name, "certificate", user: identity.userID, client: project.id)))
        ])
    }

    /// The project of the back end that asks.
    ///
    /// - Parameter hash: what the oldest libraries authenticate; as it came.
    private func requireVerifier(_ request: Request, hash: String?) throws -> Project {
        if let code = request.headers["Authorization"]?.value(ofScheme: "MAAS-HMAC-SHA256") {
            return try project(authenticating: hash ?? "", by: code)
        }
        let named = request.queryItems["project_id"].flatMap { $0.isEmpty ? nil : $0 }
        return try projects.requireBackEnd(request, projectID: named).project
    }

    /// - Parameter code: Base64 of the client id, a colon, and HMAC-SHA256 of the hash under the client secret in hexadecimal.
    private func project(authenticating hash: String, by code: String) throws -> Project {
        guard let bytes = Base64.decode(code), let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else {
            throw RequestRefusal.credentialsWrong(
                "MAAS-HMAC-SHA256 is followed by no Base64 of client id, colon and HMAC.")
        }
        let clientID = String(decoding: bytes[..<colon], as: UTF8.self)
        guard let project = try projects.find(ofClient: clientID),
            let secret = project.application(clientID)?.clientSecret
        else {
            throw RequestRefusal.credentialsWrong(
                "No application has the client id “\(clientID.prefix(80))”.")
        }
        let sent = Hex.decode(String(decoding: bytes[(colon + 1)...], as: UTF8.self)) ?? []
        guard Digest.sha256.isAuthenticationCode(sent, of: Array(hash.utf8), key: Array(secret.utf8)) else {
            throw RequestRefusal.credentialsWrong(
                "The HMAC is not that of the text in signature.hash under the secret of “\(clientID)”.")
        }
        return project
    }

    /// `GET /dvs/jwks`, `GET /.well-known/jwks`: the keys that verify certificates and JWTs.
    ///
    /// - Request: nothing.
    /// - Response: `200`, a JWK set of RSA keys with `kid`, `use` and `alg`.
    /// - Errors: none.
    /// - Source: the vendor's libraries for Go and .NET; oidc-samples, integration tests.
    func tellKeys(_ request: Request) throws -> Response {
        Response(
            headers: ["Content-Type": "application/json"],
            body: try JWKS(certificates.publishedKeys()).published.json())
    }
}
