package import Essentials

/// One user in a fixture file.
package struct UserFixture: Codable, Sendable {
    package var subject: String
    /// Without a word the same as the subject.
    package var username: String?
    package var password: String?
    package var claims: [String: JSONValue]?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case subject = "sub"
        case username, password, claims
    }
}

extension UserFixture {
    init(_ user: User) {
        subject = user.subject
        username = user.username
        password = user.password
        claims = user.claims.isEmpty ? nil : user.claims
    }

    var user: User {
        User(subject: subject, username: username ?? subject, password: password, claims: claims ?? [:])
    }
}
