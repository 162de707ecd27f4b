/// Why a request does not get its scopes: `invalid_scope`. Source: Token Server documentation, which knows no partial success.
package struct ScopeFault: Error, Equatable {
    /// `error_description`
    let summary: String
    /// A sentence for the developer.
    package let explanation: String
}

extension ScopeFault {
    /// None was named, and the client has no default.
    static var missing: Self {
        Self(
            summary: "scope is missing",
            explanation:
                "The request names no scope, and the client has no default_scope: send scope, such as “openid”."
        )
    }

    /// - Parameter nearest: the known one that was perhaps meant by the first.
    package static func unknown(_ names: [String], nearest: String? = nil) -> Self {
        Self(
            summary: OAuthWire.described("Unknown scope: ", names),
            explanation: "The scopes “\(names.joined(separator: " "))” are not known here"
                + (nearest.map { "; did you mean “\($0)”? Otherwise" } ?? ": check the spelling, or")
                + " add them to the fixtures, to oauth.scopes and to the scope of the client.")
    }

    package static func notAssigned(_ names: [String], assigned: [String]) -> Self {
        Self(
            summary: OAuthWire.described("Scope not assigned to the client: ", names),
            explanation: "The scopes “\(names.joined(separator: " "))” are not assigned to this client, only "
                + "“\(assigned.joined(separator: " "))”: add them to the scope of its metadata.")
    }
}
