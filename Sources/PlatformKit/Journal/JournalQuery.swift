package import Essentials
import HTTP

/// What a reader of the journal asks for; every condition that is set must hold.
package struct JournalQuery: Sendable {
    package var kind: JournalEntry.Kind?
    package var platform: String?
    package var status: Int?
    /// A class of statuses, such as 400 to 499.
    package var statuses: ClosedRange<Int>?
    /// Part of the target of a request, as it is written.
    package var path: TextSearch?
    package var correlation: String?
    /// What the id of a request begins with: that of a simulated phone's names the phone.
    package var correlationPrefix: String?
    /// Part of a target, a body, an explanation or what else an entry says, without regard to case.
    package var text: TextSearch?
    /// Whom an entry is about: a user id, a mail address or what else the platform knows people by, without regard to case.
    package var user: String?
    /// Whether a request was refused: its status is 400 or more, or a redirect carries an error.
    package var isRefused: Bool?
    /// Only entries with a greater id.
    package var after: Int?
    /// Only entries with a smaller id.
    package var before: Int?
    /// At most so many, the newest.
    package var limit = 200
    /// At most so many bytes, the newest, but one entry at least; nil for whatever there is.
    package var byteLimit: Int?

    package init() {}

    /// Whether every condition but the limit holds.
    package func fits(_ entry: JournalEntry) -> Bool {
        (kind.map { $0 == entry.kind } ?? true)
            && (platform.map { $0 == entry.platform } ?? true)
            && (status.map { $0 == entry.exchange?.status } ?? true)
            && (statuses.map { range in entry.exchange.map { range.contains($0.status) } ?? false }
                ?? true)
            && (path.map { path in entry.exchange.map { path.isIn($0.target) } ?? false } ?? true)
            && (correlation.map { $0 == entry.correlation } ?? true)
            && (correlationPrefix.map { entry.correlation?.hasPrefix($0) ?? false } ?? true)
            && (user.map { entry.isAbout($0) } ?? true)
            && (isRefused.map { $0 == entry.exchange?.isRefused } ?? true)
            && (after.map { entry.id > $0 } ?? true) && (before.map { entry.id < $0 } ?? true)
            && (text.map { entry.says($0) } ?? true)
    }
}

extension JournalEntry {
    fileprivate func isAbout(_ user: String) -> Bool {
        subject?.equalsIgnoringCase(user) ?? false
            || subjects.contains { $0.kind == .user && $0.id.equalsIgnoringCase(user) }
    }

    fileprivate func says(_ words: TextSearch) -> Bool {
        let own = [
            event, subject, explanation, correlation, exchange?.target, exchange?.method,
            // W3C Trace Context: by its id a request is found that a trace of the client names.
            exchange?.requestHeaders["traceparent"],
        ]
        if own.contains(where: { $0.map(words.isIn) ?? false }) { return true }
        if users.contains(where: words.isIn) { return true }
        return [exchange?.requestBody, exchange?.responseBody, message?.body].contains {
            $0.map { words.isIn(ascii: $0.bytes[...]) ?? $0.text.map(words.isIn) ?? false } ?? false
        }
    }
}
