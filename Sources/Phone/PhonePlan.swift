import Essentials
import PlatformKit
package import SQLite

/// An answer that a phone will give later, by the clock of its world.
package struct PhonePlan: Record, Equatable {
    package static let table = Table("phones_plan", key: "phone", "request", order: "due_at")

    let phone: String
    /// Id of the request.
    let request: String
    let dueAt: Date
    let answer: PhoneAnswer
    /// Whether a policy wants it, and not somebody at the phone.
    let isByPolicy: Bool

    package enum CodingKeys: String, CodingKey {
        case phone, request, answer
        case dueAt = "due_at"
        case isByPolicy = "is_by_policy"
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

    /// Seconds by which an answer can be late.
    package static let delays = 0...86_400
}

extension Phones {
    /// Plans an answer in the place of the one to that request; a policy leaves that alone.
    ///
    /// - Parameter phone: as it was when its policy was read. One that has been changed since wants nothing any more.
    func plan(_ plan: PhonePlan, of phone: Phone) throws {
        try world.change { turn in
            if plan.isByPolicy {
                let now = try turn.first(Phone.self, where: "name = \(phone.name)")
                guard let now, (now.policy, now.policies) == (phone.policy, phone.policies) else { return }
                let key: SQL = "phone = \(plan.phone) AND request = \(plan.request)"
                if try turn.first(PhonePlan.self, where: key) != nil { return }
            }
            try turn.save(plan)
        }
    }

    /// What is planned, in the order in which it is due.
    package func plans() throws -> [PhonePlan] { try world.database.read { try $0.all(PhonePlan.self) } }
}
