import Essentials
import HTTP

/// The parameters of a request that a client sends in a form. One without a value counts as absent. Source: RFC 6749 §3.2.
struct ClientForm: Sendable {
    let form: Form

    /// - Throws: ``TokenRefusal`` for another content type, parameters in the query, and one that comes twice.
    init(_ request: Request) throws {
        guard request.isForm else { throw TokenRefusal.contentTypeWrong(request.headers["Content-Type"]) }
        form = request.form
        if let query = request.query {
            let misplaced = Form(query).pairs.map(\.name).filter(Self.inBody.contains)
            guard misplaced.isEmpty else { throw TokenRefusal.parametersInQuery(misplaced) }
        }
        var seen: Set<String> = []
        for (name, _) in form.pairs where !seen.insert(name).inserted && !Self.repeatable.contains(name) {
            throw TokenRefusal.repeated(name)
        }
    }

    /// The value of a parameter; nil for one that is empty or not there.
    subscript(_ name: String) -> String? {
        guard let value = form[name], !value.isEmpty else { return nil }
        return value
    }

    func values(of name: String) -> [String] { form.values(of: name).filter { !$0.isEmpty } }

    func require(_ name: String, for purpose: String) throws(TokenRefusal) -> String {
        guard let value = self[name] else { throw .missing(name, purpose: purpose) }
        return value
    }

    // RFC 8693 §2.1, RFC 8707 §2
    private static let repeatable: Set<String> = ["audience", "resource"]

    /// What RFC 6749 §2.3.1 and §3.2 want in the body; other parameters of the query are nobody's business.
    private static let inBody: Set<String> = [
        "grant_type", "code", "redirect_uri", "code_verifier", "refresh_token", "scope", "client_id",
        "client_secret", "client_assertion", "client_assertion_type", "username", "password", "device_code",
        "subject_token", "subject_token_type", "actor_token", "actor_token_type", "token", "token_type_hint",
    ]
}

/// What a client asks for, after it proved who it is.
struct ClientCall: Sendable {
    let request: Request
    let form: ClientForm
    let client: Client
    let now: Date
    /// Thumbprint of the key by which its DPoP proof was made.
    var proofKey: String?
}

extension AuthorizationServer {
    /// - Throws: what ``ClientForm`` and ``requireClient(_:)`` throw.
    func clientCall(_ request: Request) throws -> ClientCall {
        let form = try ClientForm(request)
        let client = try requireClient(request, form: form.form)
        return ClientCall(request: request, form: form, client: client, now: now)
    }

    /// Tells the audit about the refusals that `body` throws, and throws them on.
    func audited<Value>(_ request: Request, clientID: String?, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let refusal as any AuditedRefusal {
            if let kind = refusal.event as? AuditEvent.Kind {
                policy.note(AuditEvent(kind, clientID: clientID, request))
            }
            throw refusal
        }
    }
}
