import HTTP
import PlatformKit
import Synchronization

/// One client that follows an outbox.
///
/// The outbox itself is the queue: whenever it changes, the feed sends what has a greater id than the last that it sent.
final class OutboxFeed: Sendable {
    private let outbox: OutboxStore
    private let query: OutboxStore.Query
    private let after: Int?
    private let writer: BodyStream.Writer
    /// The id up to which everything is sent; nil before the beginning.
    private let sentID = Mutex<Int?>(nil)

    /// - Parameter after: replay what has a greater id; nil replays nothing.
    init(_ outbox: OutboxStore, _ query: OutboxStore.Query, after: Int?, _ writer: BodyStream.Writer) {
        self.outbox = outbox
        self.query = query
        self.after = after
        self.writer = writer
    }

    /// - Returns: what ends the listening.
    func start() -> @Sendable () -> Void {
        guard writer.write(EventText.hello) else { return {} }
        let cancel = outbox.listen { [self] in send() }
        send()
        return cancel
    }

    private func send() {
        sentID.withLock { sentID in
            do {
                sentID = try send(after: sentID)
                if outbox.isClosed { writer.close() }
            } catch {
                // The outbox cannot be read: the client connects again, and is told why if it still cannot.
                writer.close()
            }
        }
    }

    /// - Returns: the id up to which everything is sent now.
    private func send(after sentID: Int?) throws -> Int {
        let newest = try newestID()
        guard let from = sentID ?? begin(newest) else { return newest }
        // Fewer than before: messages were deleted, or the world was reset and its ids begin anew.
        guard newest > from else { return newest }
        var query = query
        query.after = from
        // A limit would keep the newest, and some may have come since they were counted.
        query.limit = .max
        for sent in try outbox.messages(query).reversed() where sent.id <= newest {
            _ = writer.write(try EventText.event("message", id: sent.id, MessageJSON(sent)))
        }
        return newest
    }

    /// A cursor ahead of the outbox is from before the program was started again, when ids began anew.
    private func begin(_ newest: Int) -> Int? {
        after.map { $0 > newest ? 0 : $0 }
    }

    private func newestID() throws -> Int {
        var query = OutboxStore.Query()
        query.limit = 1
        return try outbox.messages(query).first?.id ?? 0
    }
}
