import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// Registration of clients, pushed requests.
    static func clientEndpoints(_ paths: EndpointPaths) -> [Endpoint] {
        let clients = paths.registration.map { $0 + "/:client" }
        return [
            Endpoint(.post, paths.pushedRequest, AuthorizationServer.pushRequest),
            Endpoint(.post, paths.registration, AuthorizationServer.registerClient),
            Endpoint(.get, clients, AuthorizationServer.showRegistration),
            Endpoint(.put, clients, AuthorizationServer.replaceRegistration),
            Endpoint(.delete, clients, AuthorizationServer.removeRegistration),
        ]
    }

    /// Clients that may register themselves in a world: everybody may, and what lists clients reads them all.
    static let mostRegistered = 1000

    /// `POST /register`: makes a client that registers itself.
    ///
    /// - Request: metadata as JSON, 64 KiB at most: `{"redirect_uris":["http://localhost:3000/cb"],"client_name":"App"}`; with
    ///   `Authorization: Bearer` and the initial access token where the fixtures have one.
    /// - Response: `201` with the metadata as they are kept, `client_id`, `client_secret` for a client that needs one,
    ///   `client_id_issued_at`, `client_secret_expires_at` 0, `registration_access_token`, `registration_client_uri`.
    /// - Errors: `invalid_redirect_uri`, `invalid_client_metadata`, `invalid_software_statement`,
    ///   `unapproved_software_statement`; 401 `invalid_token`; 429 `temporarily_unavailable` when 1000 clients have
    ///   registered themselves.
    /// - Source: RFC 7591 §3; OpenID Connect Dynamic Client Registration 1.0 §3.
    func registerClient(_ request: Request) throws -> Response {
        try requireInitialToken(request)
        let input = try RegistrationInput(request)
        let metadata = try accepted(input.metadata)
        let token = registrationSecret("registration_token")
        var client = Client(
            id: uuid(for: "client"), secret: nil, kind: Client.registeredKind, metadata: metadata,
            registrationDigest: Digest.sha256(Array(token.utf8)), createdAt: now)
        if client.needsSecret { client.secret = registrationSecret("client_secret") }
        client = try changingMetadata {
            try world.change { turn in
                let kind = Client.registeredKind
                guard try clients.count(where: "kind = \(kind)", in: turn.db) < Self.mostRegistered else {
                    throw RegistrationRefusal.tooMany(limit: Self.mostRegistered)
                }
                let admitted = try policy.admit(client, in: turn.db)
                try clients.insert(admitted, in: turn.db)
                return admitted
            }
        }
        note(unkept: input, of: client)
        services.journal.event(
            "client registered", about: client.id,
            "The client “\(client.name)” registered itself; its id is \(client.id).")
        return try information(client, token: token, request, status: .created)
    }

    /// `GET /register/{client_id}`: what is kept about a client, for itself.
    ///
    /// - Request: `Authorization: Bearer` and the registration access token.
    /// - Response: `200`, as registration answers.
    /// - Errors: 401 `invalid_token`, also for a client that is not there.
    /// - Source: RFC 7592 §2.1.
    func showRegistration(_ request: Request) throws -> Response {
        let (client, token) = try requireRegistration(request)
        return try information(client, token: token, request)
    }

    /// `PUT /register/{client_id}`: replaces everything that is kept about a client.
    ///
    /// - Request: metadata with `client_id`, and `client_secret` at will, which must be the right one; what is left out is
    ///   forgotten.
    /// - Response: `200`, as registration answers.
    /// - Errors: as registration; `invalid_client_metadata` for another client id or secret.
    /// - Source: RFC 7592 §2.2.
    func replaceRegistration(_ request: Request) throws -> Response {
        var (client, token) = try requireRegistration(request)
        let input = try RegistrationInput(request)
        try input.checkReplacement(of: client)
        client.metadata = try accepted(input.metadata)
        client.secret = client.needsSecret ? client.secret ?? registrationSecret("client_secret") : nil
        try changingMetadata {
            try world.change { turn in try clients.update(client, in: turn.db) }
        }
        note(unkept: input, of: client)
        return try information(client, token: token, request)
    }

    /// `DELETE /register/{client_id}`: takes a client away, and everything that it was granted.
    ///
    /// - Request: `Authorization: Bearer` and the registration access token.
    /// - Response: `204`.
    /// - Errors: 401 `invalid_token`.
    /// - Source: RFC 7592 §2.3.
    func removeRegistration(_ request: Request) throws -> Response {
        let (client, _) = try requireRegistration(request)
        try changingMetadata {
            try world.change { turn in
                try policy.leave(client, in: turn.db)
                _ = try clients.remove(client.id, at: turn.now, in: turn.db)
            }
        }
        return Response(status: .noContent, headers: ["Cache-Control": "no-store", "Pragma": "no-cache"])
    }

    /// The answer has what is kept; what is not, the developer has to find by comparing. Source: RFC 7591 §2, §3.2.1.
    private func note(unkept input: RegistrationInput, of client: Client) {
        let names = input.unkept
        guard !names.isEmpty else { return }
        services.journal.event(
            "client metadata not kept", about: client.id,
            "The client “\(client.name)” registered with members that this server does not know and does not keep: "
                + "\(names.joined(separator: ", ").prefix(500)).")
    }

    /// 43 characters of base64url, 256 bits of chance.
    private func registrationSecret(_ purpose: String) -> String {
        Base64URL.encode(bytes(32, for: purpose))
    }

    /// Source: RFC 7591 §3.2.1; RFC 7592 §3.
    private func information(
        _ client: Client, token: String, _ request: Request, status: Status = .ok
    ) throws -> Response {
        let metadata = try JSONValue(parsing: Array(MetadataCache.text(of: client.metadata).utf8))
        var members = metadata.object ?? [:]
        members["client_id"] = .string(client.id)
        members["token_endpoint_auth_method"] = .string(client.authentication.rawValue)
        members["client_id_issued_at"] = .integer(client.createdAt.unixSeconds)
        if let secret = client.secret {
            members["client_secret"] = .string(secret)
            members["client_secret_expires_at"] = 0
        }
        members["registration_access_token"] = .string(token)
        let path = profile.paths.registration.first ?? ""
        members["registration_client_uri"] = .string("\(try backChannel(request))\(path)/\(client.id)")
        return .oauth(.object(members), status: status)
    }
}

extension Client {
    /// ``kind`` of one that registered itself.
    package static let registeredKind = "registered"

    var needsSecret: Bool { authentication == .basic || authentication == .post }
}
