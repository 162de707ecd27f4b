package import Essentials

/// What an extension adds to an issue.
package struct IssueTerms: Sendable {
    /// Members beside those of the standard's token response.
    package var members: [String: JSONValue] = [:]
    /// A note that the grant shall carry from now on.
    package var context: String?
    /// Whether there is a refresh token, whatever the client's metadata say.
    package var getsRefreshToken: Bool?

    package init(
        members: [String: JSONValue] = [:], context: String? = nil, getsRefreshToken: Bool? = nil
    ) {
        (self.members, self.context, self.getsRefreshToken) = (members, context, getsRefreshToken)
    }
}
