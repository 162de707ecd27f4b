import PlatformKit

/// What the console shows of the platform. An id begins with the word of its kind.
enum Holding: String, CaseIterable, Sendable {
    case server, user, account, device, session, enrolment

    /// - Parameter key: what names it among its kind.
    func id(_ key: String) -> String { rawValue + ":" + key }

    /// Kind and key of an id; nil for what is none.
    static func parse(_ id: String) -> (kind: Holding, key: String)? {
        let parts = id.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let kind = Holding(rawValue: parts[0]) else { return nil }
        return (kind, parts[1])
    }
}

/// What can be done to a record.
enum RecordAction: String, Sendable {
    case change, block, unblock, delete, unlock, wipe, stop
    /// Ends a session as if its ping had not come.
    case missPing = "miss_ping"
}
