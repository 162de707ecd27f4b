import HTTP

/// The parameters of a form that say which client sent it. An empty one counts as absent. Source: RFC 6749 §3.2.
struct CredentialForm {
    let id: String?
    let secret: String?
    let assertion: String?
    let assertionType: String?

    /// - Throws: ``ClientRefusal`` for a parameter that is there twice.
    init(_ form: Form) throws {
        id = try Self.one("client_id", in: form)
        secret = try Self.one("client_secret", in: form)
        assertion = try Self.one("client_assertion", in: form)
        assertionType = try Self.one("client_assertion_type", in: form)
    }

    private static func one(_ name: String, in form: Form) throws -> String? {
        var found: String?
        for pair in form.pairs where pair.name == name {
            guard found == nil else { throw ClientRefusal.repeated(name) }
            found = pair.value
        }
        return found?.isEmpty == true ? nil : found
    }

    /// What the form alone proves.
    func proof() throws -> ClientCredentials.Proof {
        if assertion != nil || assertionType != nil {
            guard secret == nil else {
                throw ClientRefusal.twoMethods("client_secret", "client_assertion", clientID: id)
            }
            guard assertionType == ClientCredentials.assertionType else {
                throw ClientRefusal.assertionTypeWrong(assertionType, clientID: id)
            }
            guard let assertion else { throw ClientRefusal.assertionMissing(clientID: id) }
            return .assertion(assertion, clientID: id)
        }
        guard let id else { throw secret == nil ? ClientRefusal.nothing : .nameMissing }
        return secret.map { .post(.init(id: id, secret: $0)) } ?? .none(clientID: id)
    }

    /// A client proves itself in one way only. Source: RFC 6749 §2.3.
    func refuseProof(beside scheme: String) throws {
        let other =
            secret != nil
            ? "client_secret" : assertion != nil || assertionType != nil ? "client_assertion" : nil
        if let other { throw ClientRefusal.twoMethods("Authorization: \(scheme)", other, clientID: id) }
    }
}
