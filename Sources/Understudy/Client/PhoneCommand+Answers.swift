// What the control API answers about phones, as far as the terminal shows it.
extension PhoneCommand {
    struct List: Decodable {
        let phones: [Phone]
    }

    struct Requests: Decodable {
        let requests: [Request]
    }

    struct Phone: Decodable {
        let name: String
        let owner: String?
        let model: String
        let network: String
        let policy: String
        let policies: [String: String]
        let sdks: [String: String]
        let apps: [App]
        let requests: [Request]
    }

    struct App: Decodable {
        let account: String?
        let title: String
        let isEnrolled: Bool
        let facts: [Fact]
        let actions: [Action]

        /// With the account, where it is not the first: `nextAuth, work`.
        var name: String { [title, account].compactMap(\.self).joined(separator: ", ") }
    }

    struct Action: Decodable {
        let name: String
        let inputs: [String]

        var usage: String { ([name] + inputs.map { $0 + "=…" }).joined(separator: " ") }
    }

    struct Fact: Decodable {
        let name: String
        let value: String
    }

    struct Request: Decodable {
        let id: String
        let account: String?
        let kind: String
        let title: String
        let ways: [String]

        /// The account behind it, where it is not the first.
        var words: String { title + (account.map { " (account \($0))" } ?? "") }
    }

    struct Report: Decodable {
        let code: String?
        let detail: String
    }

    struct Signed: Decodable {
        let headers: [String: String]
    }

    struct Problem: Decodable {
        let title: String
    }
}
