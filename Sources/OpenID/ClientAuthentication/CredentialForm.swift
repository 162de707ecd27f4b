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

    /// A client proves itself in one way only. Source: RFC 6749 §2.3.
    func refuseProof(beside scheme: String) throws {
        let other =
            secret != nil
            ? "client_secret" : assertion != nil || assertionType != nil ? "client_assertion" : nil
        if let other { throw ClientRefusal.twoMethods("Authorization: \(scheme)", other, clientID: id) }
    }
}
