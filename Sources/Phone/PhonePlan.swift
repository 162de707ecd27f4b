import Essentials
import PlatformKit
package import SQLite

/// An answer that a phone will give later, by the clock of its world.
package struct PhonePlan: Record, Equatable {
    package static let table = Table("phones_plan", key: "phone", "account", "request", order: "due_at")

    let phone: String
    /// Of the app that was asked, where it has several.
    let account: String
    /// Id of the request.
    let request: String
    let dueAt: Date
    let answer: PhoneAnswer
    /// Whether a policy wants it, and not somebody at the phone.
    let isByPolicy: Bool

    package enum CodingKeys: String, CodingKey {
        case phone, account, request, answer
        case dueAt = "due_at"
        case isByPolicy = "is_by_policy"
    }

    init(
        phone: String, account: String, request: String, dueAt: Date, answer: PhoneAnswer, isByPolicy: Bool
    ) {
        (self.phone, self.account, self.request) = (phone, account, request)
        (self.dueAt, self.answer, self.isByPolicy) = (dueAt, answer, isByPolicy)
    }

    /// What is left out of a fixture is of the first account.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            phone: try values.decode(String.self, forKey: .phone),
            account: try values.decodeIfPresent(String.self, forKey: .account) ?? "",
            request: try values.decode(String.self, forKey: .request),
            dueAt: try values.decode(Date.self, forKey: .dueAt),
            answer: try values.decode(PhoneAnswer.self, forKey: .answer),
            isByPolicy: try values.decode(Bool.self, forKey: .isByPolicy))
    }

    static let migrations: [SQL] = [
        """
        CREATE TABLE phones_plan (
            phone TEXT NOT NULL,
            request TEXT NOT NULL,
            due_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            answer TEXT NOT NULL, -- JSON
            is_by_policy INTEGER NOT NULL,
            PRIMARY KEY (phone, request)
        ) STRICT
        """
    ]

    /// What came later: several accounts of one app.
    static let accountMigrations: [SQL] = [
        "ALTER TABLE phones_plan RENAME TO phones_plan_before",
        """
        CREATE TABLE phones_plan (
            phone TEXT NOT NULL,
            account TEXT NOT NULL, -- empty for the first
            request TEXT NOT NULL,
            due_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            answer TEXT NOT NULL, -- JSON
            is_by_policy INTEGER NOT NULL,
            PRIMARY KEY (phone, account, request)
        ) STRICT
        """,
        """
        INSERT INTO phones_plan SELECT phone, '', request, due_at, answer, is_by_policy FROM phones_plan_before
        """,
        "DROP TABLE phones_plan_before",
    ]

    /// Seconds by which an answer can be late.
    package static let delays = 0...86_400
}
