import SQLite

/// An authentication code that was not right, and what there is to find out why.
struct WrongCode: Sendable, Equatable {
    /// Of another version of the application, or of another application.
    struct Secret: Sendable, Equatable {
        let application: String
        let version: String
        let text: String
    }

    let activation: String
    let code: String
    /// As claimed, the likeliest first; of an online code the only one.
    let types: [SignatureType]
    let format: AuthenticationCodeFormat
    let keys: CodeKeys
    /// What was expected before the check.
    let counter: CodeCounter
    let counterNumber: Int
    let lookAhead: Int
    /// What the code should cover, in each form that would have been right.
    let claims: [SignedData]
    /// Where the counter was once; nil when nothing is known of before.
    let mark: CounterMark?
    let otherSecrets: [Secret]
    /// Resources for which codes were right in this world.
    let seenResources: [String]
}

extension WrongCode.Secret: RowDecodable {
    init(row: Row) throws {
        (application, version) = (try row.text("application"), try row.text("name"))
        text = try row.text("app_secret")
    }

    /// Those of all applications, for the explanation of a wrong code or of an encrypted request that cannot be opened.
    static func all(in db: Connection) throws -> [Self] {
        try db.all(
            Self.self, "SELECT application, name, app_secret FROM powerauth_application_version LIMIT 50")
    }
}
