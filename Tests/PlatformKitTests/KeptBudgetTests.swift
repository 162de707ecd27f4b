import Essentials
import SQLite
import Testing

@testable import PlatformKit

/// What all worlds keep together is bounded; the fullest lose first.
struct KeptBudgetTests {
    private func event(_ size: Int) -> JournalEntry {
        JournalEntry(
            .event, at: Date(timeIntervalSince1970: 0), explanation: String(repeating: "a", count: size))
    }

    @Test(arguments: [
        ([10, 20, 30], 60, Int.max), ([10, 20, 31], 60, 30), ([100, 100, 10], 110, 50), ([], 10, Int.max),
        ([7], 0, 0),
    ])
    func `the highest are cut to what fits`(_ sizes: [Int], _ most: Int, _ level: Int) {
        #expect(KeptBudget.level(of: sizes, within: most) == level)
        #expect(sizes.reduce(0) { $0 + min($1, level) } <= most)
    }

    @Test func `the oldest entries of the fullest journal make room, a small one loses nothing`() {
        let budget = KeptBudget(most: 100_000)
        let (small, large) = (Journal(budget: budget), Journal(budget: budget))
        for _ in 1...5 { small.append(event(1000)) }

        for _ in 1...200 { large.append(event(1000)) }

        #expect(budget.bytes <= 100_000)
        #expect(small.entries().map(\.id) == [5, 4, 3, 2, 1])
        let left = large.entries().map(\.id)
        #expect(left.first == 200)
        #expect((40...70).contains(left.count))
    }

    @Test func `a thousand full journals stay within the budget, and each keeps its newest`() {
        let budget = KeptBudget(most: 2_000_000)
        let journals = (1...1000).map { _ in Journal(budget: budget) }
        for _ in 1...5 { for journal in journals { journal.append(event(1000)) } }

        #expect(budget.bytes <= 2_000_000)
        #expect(journals.allSatisfy { $0.entries().first?.id == 5 })
    }

    @Test func `what is gone counts no longer`() {
        let budget = KeptBudget(most: 100_000)
        do {
            let journal = Journal(budget: budget)
            journal.append(event(1000))
            #expect(budget.bytes > 1000)
            journal.clear()
            #expect(budget.bytes == 0)
            journal.append(event(1000))
        }
        #expect(budget.bytes == 0)
    }

    @Test
    func `the oldest messages of the fullest outbox make room, and their pages are free for other worlds`()
        throws
    {
        let budget = KeptBudget(most: 400_000)
        let (small, large) = try (outbox(budget), outbox(budget))
        try fill(small.store, 3)
        try fill(large.store, 5)
        let before = try large.database.size

        try fill(large.store, 60)

        #expect(budget.bytes <= 400_000)
        #expect(try small.store.messages(OutboxStore.Query()).count == 3)
        let left = try large.store.messages(OutboxStore.Query()).map(\.id)
        #expect(left.first == 65)
        #expect((10...20).contains(left.count))
        #expect(try large.database.size < before + 400_000)
        try large.store.deleteAll()
        #expect(try large.database.size < 64_000)
        #expect(budget.bytes < 100_000)
    }

    private func outbox(_ budget: KeptBudget) throws -> (store: OutboxStore, database: Database) {
        let database = try Database(.memory)
        try database.migrate([("outbox", OutboxStore.migrations)])
        return (OutboxStore(database: database, bell: Bell(), budget: budget), database)
    }

    private func fill(_ store: OutboxStore, _ count: Int) throws {
        let ada = Message.Address("ada@example.com")
        let message = Message(kind: "", from: ada, to: ada, subject: "", text: "", source: "smtp")
        for _ in 1...count {
            let letter = try store.database.write { db in
                try store.insert(
                    message, raw: [UInt8](repeating: 65, count: 10_000), at: Date(timeIntervalSince1970: 0),
                    in: db)
            }
            store.announce(letter.sent)
        }
    }
}
