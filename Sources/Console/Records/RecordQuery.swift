import HTTP
import PlatformKit

/// Which records are meant; every condition that is set must hold.
struct RecordQuery {
    /// Name of a platform.
    var platform: String?
    /// As the platform calls it.
    var kind: String?
    var user: String?
    /// As the platform spells it, letters compared without case.
    var state: String?
    /// At most so many, the newest.
    var limit = 200

    /// Whether every condition but the limit holds.
    func fits(_ record: ConsoleRecord) -> Bool {
        (platform.map { $0 == record.platform } ?? true) && (kind.map { $0 == record.kind } ?? true)
            && (user.map { $0 == record.user } ?? true)
            && (state.map { $0.equalsIgnoringCase(record.state) } ?? true)
    }

    /// Those that fit, in their order.
    func chosen(from records: [ConsoleRecord]) -> [ConsoleRecord] {
        Array(records.lazy.filter { fits($0) }.prefix(limit))
    }
}
