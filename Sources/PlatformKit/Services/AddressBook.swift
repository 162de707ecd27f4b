import Synchronization

/// By which addresses clients know the servers of one world: where metadata were read, and where users were sent to log in.
///
/// A strict client takes nothing from an address that it did not ask, so that two of them are worth a word. Kept in memory, since nothing
/// but explanations depends on it.
package final class AddressBook: Sendable {
    package enum Use: Sendable {
        case discovery, authorization

        fileprivate var other: Use { self == .discovery ? .authorization : .discovery }
    }

    private struct Page: Hashable {
        let server: String
        let use: Use
    }

    /// A server is reached by a few addresses; more are somebody who makes names up.
    private static let limit = 20

    private let pages = Mutex<[Page: [String]]>([:])

    /// Remembers an address.
    ///
    /// - Returns: those of the other use that are not it, the latest last.
    package func note(_ address: String, as use: Use, of server: String) -> [String] {
        pages.withBriefLock { pages in
            var own = pages[Page(server: server, use: use), default: []]
            own.removeAll { $0 == address }
            own = own.suffix(Self.limit - 1) + [address]
            pages[Page(server: server, use: use)] = own
            return pages[Page(server: server, use: use.other), default: []].filter { $0 != address }
        }
    }

    func clear() { pages.withBriefLock { $0 = [:] } }
}
