import Essentials
import HTTP
import JOSE
import PlatformKit
import Synchronization

extension AuthorizationServer {
    /// Metadata and keys.
    static func discoveryEndpoints(_ paths: EndpointPaths) -> [Endpoint] {
        [
            Endpoint(.get, ServerProfile.documentPaths, AuthorizationServer.metadata),
            // The product answers it too. Source: ours.
            Endpoint(.post, ServerProfile.documentPaths, AuthorizationServer.metadata),
            Endpoint(.get, paths.keys, AuthorizationServer.keySet),
        ]
    }

    /// `GET` or `POST /.well-known/openid-configuration` and `/.well-known/oauth-authorization-server`: where everything is and what
    /// is offered.
    ///
    /// - Request: nothing.
    /// - Response: `200 {"issuer":"http://localhost:8420/oauth","token_endpoint":…}`, good for 60 s.
    /// - Errors: none.
    /// - Source: OpenID Connect Discovery 1.0 §3, §4; RFC 8414 §2, §3.
    func metadata(_ request: Request) throws -> Response {
        let documents = services.memo.value(profile.memo.metadata) { DocumentCache() }
        try noteAddress(.discovery, of: request)
        // Everything in it that depends on the request hangs at these three.
        let bases = request.baseURL + " " + request.backChannelURL + " " + request.worldURL
        return try documents.response(for: bases) {
            try .document(metadata(for: request).bytes)
        }
    }

    /// `GET /jwks`: the keys that tokens are signed with, those that sign first.
    ///
    /// - Request: nothing.
    /// - Response: `200 {"keys":[{"alg":"RS256","e":"AQAB","kid":"…","kty":"RSA","n":"…","use":"sig"}]}`, good for 60 s.
    /// - Errors: none.
    /// - Source: RFC 7517 §5.
    func keySet(_ request: Request) throws -> Response {
        try services.memo.value(profile.memo.keySet) {
            try .document(JWKS(services.keys.published(profile.name).map(\.jwk)).published.json())
        }
    }

    /// Forgets the metadata, after clients or scopes were changed at run time: `server.changingMetadata { try database.write … }`.
    package func changingMetadata<Result>(_ change: () throws -> Result) rethrows -> Result {
        try services.memo.changing(profile.memo.metadata, change)
    }
}

extension Response {
    /// JSON that may be kept for a minute. Source: ours.
    fileprivate static func document(_ json: [UInt8]) -> Response {
        Response(
            headers: ["Content-Type": "application/json", "Cache-Control": "public, max-age=60"], body: json)
    }
}

/// Answers that are the same for every request under one base URL.
final class DocumentCache: Sendable {
    /// A program is reached under a few URLs; more are worlds, or somebody who makes names up.
    private static let limit = 200

    private let kept = Mutex<[String: Response]>([:])

    func response(for name: String, make: () throws -> Response) rethrows -> Response {
        if let response = kept.withLock({ $0[name] }) { return response }
        let response = try make()
        kept.withLock { kept in
            if kept.count >= Self.limit { kept.removeAll() }
            kept[name] = response
        }
        return response
    }
}
