import Essentials
import PlatformKit
import SQLite

extension Phones {
    /// Plans an answer in the place of the one to that request; a policy leaves that alone.
    ///
    /// - Parameter phone: as it was when its policy was read. One that has been changed since wants nothing any more.
    func plan(_ plan: PhonePlan, of phone: Phone) throws {
        try world.change { turn in
            if plan.isByPolicy {
                let now = try turn.first(Phone.self, where: "name = \(phone.name)")
                guard let now, (now.policy, now.policies) == (phone.policy, phone.policies) else { return }
                let key: SQL =
                    "phone = \(plan.phone) AND account = \(plan.account) AND request = \(plan.request)"
                if try turn.first(PhonePlan.self, where: key) != nil { return }
            }
            try turn.save(plan)
        }
    }

    /// What is planned, in the order in which it is due.
    package func plans() throws -> [PhonePlan] { try world.database.read { try $0.all(PhonePlan.self) } }
}

extension Phones {
    /// What is to be done now.
    struct Due {
        var plans: [PhonePlan] = []
        /// Phones with an app that has something to do by itself.
        var phones: [String] = []
    }

    /// Apps that do what is due at a time: of a phone that has a network, and that somebody used not too long ago.
    private static func ringing(_ condition: SQL) -> SQL {
        """
        due_at \(fragment: condition) AND rings < \(InstalledApp.ringLimit) \
        AND phone IN (SELECT name FROM phones_phone WHERE network <> \(Phone.Network.offline.rawValue))
        """
    }

    /// When the first is due, by the clock of the world.
    static func nextDue(in db: Connection, except phones: Set<String> = []) throws -> Date? {
        let plan = try db.first(PhonePlan.self, where: "1", order: "due_at")?.dueAt
        let apps =
            phones.isEmpty
            ? try db.all(InstalledApp.self, where: ringing("IS NOT NULL"), order: "due_at", limit: 1)
            : try db.all(InstalledApp.self, where: ringing("IS NOT NULL"), order: "due_at")
        let app = apps.first { !phones.contains($0.phone) }?.dueAt
        return [plan, app].compactMap(\.self).min()
    }

    /// Takes what is due: plans are gone then, and of an app the next is due soon, in case that this one comes to nothing.
    ///
    /// - Parameter phones: whose apps are left alone.
    /// - Returns: it, and when the next is due.
    func takeDue(except phones: Set<String>) throws -> (due: Due, next: Date?) {
        // Most worlds have nothing due: a look does not keep others from writing. Times are compared as they are kept, to the millisecond.
        let first = try world.database.read { try Self.nextDue(in: $0, except: phones) }
        guard let first, first <= world.clock.now else { return (Due(), first) }
        return try world.change { turn in
            var due = Due()
            due.plans = try turn.all(PhonePlan.self, where: "due_at <= \(turn.now)")
            try turn.db.delete(PhonePlan.self, where: "due_at <= \(turn.now)")
            for var app in try turn.all(InstalledApp.self, where: Self.ringing("<= \(turn.now)"))
            where !phones.contains(app.phone) {
                if !due.phones.contains(app.phone) { due.phones.append(app.phone) }
                app.dueAt = turn.now.addingTimeInterval(InstalledApp.pause)
                app.rings.increment()
                try turn.update(app, .dueAt, .rings)
            }
            return (due, try Self.nextDue(in: turn.db, except: phones))
        }
    }
}
