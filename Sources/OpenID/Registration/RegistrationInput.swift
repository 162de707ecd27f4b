import Crypto
import Essentials
import HTTP

/// What a client says about itself, read but not checked yet. Members that are not understood are left out, see ``unkept``; those on
/// which a client relies are refused. Source: RFC 7591 §2.
struct RegistrationInput {
    private let members: [String: JSONValue]
    let metadata: ClientMetadata

    private static let limit = 65_536

    /// - Throws: ``RegistrationRefusal``.
    init(_ request: Request) throws {
        guard request.body.count <= Self.limit else {
            throw RegistrationRefusal.tooLarge(bytes: request.body.count, limit: Self.limit)
        }
        members = try Self.object(request)
        try Self.refuseStatement(members["software_statement"])
        try Self.checkMethod(members[ClientMetadata.CodingKeys.tokenEndpointAuthMethod.rawValue])
        for name in Self.unfulfillable.sorted() {
            if let value = members[name], !value.isNull, value != false {
                throw Self.fault(
                    name, "it is not emulated here, and a client that asks for it relies on it: leave it out")
            }
        }
        let known = members.filter { ClientMetadata.registrable.contains($0.key) }
        do {
            metadata = try JSONDecoder().decode(
                ClientMetadata.self, from: Data(JSONValue.object(known).bytes))
        } catch let error as DecodingError {
            throw RegistrationRefusal.notJSON(error.sentence)
        }
    }

    /// Names of members that are not kept.
    var unkept: [String] {
        members.keys.filter { !ClientMetadata.registrable.contains($0) && !Self.ofRegistration.contains($0) }
            .sorted()
    }

    /// What a replacement has besides metadata. Source: RFC 7592 §2.2.
    private static let ofRegistration: Set = ["client_id", "client_secret", "software_statement"]

    /// Sources: OpenID Connect Dynamic Client Registration 1.0 §2; RFC 8705 §3.4; RFC 9396 §10.
    private static let unfulfillable: Set = [
        "id_token_encrypted_response_alg", "id_token_encrypted_response_enc",
        "userinfo_encrypted_response_alg",
        "userinfo_encrypted_response_enc", "request_object_encryption_alg", "request_object_encryption_enc",
        "tls_client_certificate_bound_access_tokens", "authorization_details_types",
    ]

    private static func object(_ request: Request) throws -> [String: JSONValue] {
        let type = request.headers["Content-Type"] ?? ""
        let name = type.prefix { $0 != ";" }.filter { $0 != " " }
        guard String(name).equalsIgnoringCase("application/json") else {
            throw RegistrationRefusal.notJSON(
                "the Content-Type is \(type.isEmpty ? "missing" : "“\(type.prefix(80))”") instead of application/json"
            )
        }
        do {
            if let members = try JSONValue(parsing: request.body).object { return members }
            throw RegistrationRefusal.notJSON("the body is another JSON value")
        } catch let error as DecodingError {
            throw RegistrationRefusal.notJSON(error.sentence)
        }
    }

    private static func refuseStatement(_ value: JSONValue?) throws {
        guard let value, !value.isNull else { return }
        let parts = (value.string ?? "").split(separator: ".", omittingEmptySubsequences: false)
        let isJWT = parts.count == 3 && parts.allSatisfy { Base64URL.decode($0)?.isEmpty == false }
        throw isJWT ? RegistrationRefusal.statementUnapproved : RegistrationRefusal.statementMalformed
    }

    private static func checkMethod(_ value: JSONValue?) throws {
        guard let value, !value.isNull else { return }
        let known = ClientAuthenticationMethod.allCases.map(\.rawValue)
        guard let name = value.string, known.contains(name) else {
            throw RegistrationRefusal.metadata(
                MetadataFault(
                    "token_endpoint_auth_method",
                    "expected one of \(known.joined(separator: ", ")), found \(value.shown)"))
        }
    }

    /// What a replacement must and must not say. Source: RFC 7592 §2.2.
    func checkReplacement(of client: Client) throws {
        guard members["client_id"]?.string == client.id else {
            throw Self.fault(
                "client_id", "it must be \(client.id), found \(members["client_id"]?.shown ?? "nothing")")
        }
        if let secret = members["client_secret"], !secret.isNull {
            guard let secret = secret.string, let right = client.secret,
                constantTimeEqual(Array(secret.utf8), Array(right.utf8))
            else {
                throw Self.fault("client_secret", "it is not the client's; a client cannot choose its secret")
            }
        }
        for name in [
            "registration_access_token", "registration_client_uri", "client_id_issued_at",
            "client_secret_expires_at",
        ] where members[name] != nil {
            throw Self.fault(name, "a replacement must leave it out (RFC 7592 §2.2)")
        }
    }

    private static func fault(_ member: String, _ reason: String) -> RegistrationRefusal {
        .metadata(MetadataFault(member, reason))
    }
}

extension JSONValue {
    /// For a sentence.
    var shown: String { text.beginning(80) }
}

extension ClientMetadata {
    /// The members that a client may say of itself: those of the standards. The rest is for fixtures and management.
    static let registrable: Set<String> = Set(
        CodingKeys.allCases.prefix { $0 != .defaultScope }.map(\.rawValue))
}
