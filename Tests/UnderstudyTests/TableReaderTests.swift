import Essentials
import PlatformKit
import Platforms
import SQLite
import Testing

@testable import Understudy

/// Every table of the program has a reader, so that a database from outside is read whole.
@Suite struct TableReaderTests {
    /// Counted by SQLite, or by the house for itself.
    private static let others: Set = ["schema_step", "sqlite_sequence"]

    @Test func `each table that a section makes is read by one of its records`() {
        for section in Platforms.sections {
            let groups =
                [(section.migrations, section.records)]
                + section.foundations.map { ($0.steps, $0.records) }
            for (steps, records) in groups {
                let made = steps.flatMap { step in
                    step.description.matches(of: /CREATE TABLE (\w+)/).map { String($0.1) }
                }
                #expect(Set(made) == Set(records.map { $0.table.name }), "\(section.name)")
            }
        }
    }
}
