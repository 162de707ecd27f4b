package import SQLite

/// One of the people whom the fixtures bring, as banner, console and documents introduce them.
package struct Person: Codable, Sendable, Equatable {
    /// Short and memorable: `ada`.
    package let id: String
    package let name: String
    package let email: String
    /// What is special about this person, in one sentence.
    package let story: String
}

extension Person: RowDecodable {
    package init(row: Row) throws {
        id = try row.text("id")
        name = try row.text("name")
        email = try row.text("email")
        story = try row.text("story")
    }
}
