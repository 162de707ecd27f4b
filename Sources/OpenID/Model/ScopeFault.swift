/// Why a request does not get its scopes: `invalid_scope`. Source: Token Server documentation, which knows no partial success.
package enum ScopeFault: Error, Equatable {
    /// None was named, and the client has no default.
    case missing
    /// - Parameter nearest: the known one that was perhaps meant by the first.
    case unknown([String], nearest: String? = nil)
    case notAssigned([String], assigned: [String])

    /// A sentence for the developer.
    package var explanation: String {
        switch self {
        case .missing:
            "The request names no scope, and the client has no default_scope: send scope, such as «openid»."
        case .unknown(let names, let nearest):
            "The scopes «\(names.joined(separator: " "))» are not known here"
                + (nearest.map { "; did you mean «\($0)»? Otherwise" } ?? ": check the spelling, or")
                + " add them to the fixtures, to oauth.scopes and to the scope of the client."
        case .notAssigned(let names, let assigned):
            "The scopes «\(names.joined(separator: " "))» are not assigned to this client, only "
                + "«\(assigned.joined(separator: " "))»: add them to the scope of its metadata."
        }
    }

    /// `error_description`
    var summary: String {
        switch self {
        case .missing: "scope is missing"
        case .unknown(let names, _): OAuthWire.described("Unknown scope: ", names)
        case .notAssigned(let names, _): OAuthWire.described("Scope not assigned to the client: ", names)
        }
    }
}
