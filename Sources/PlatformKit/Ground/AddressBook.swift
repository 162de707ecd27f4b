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

    /// By which addresses a server is known where it is used in one way, the latest last.
    private struct Page {
        let server: String
        let use: Use
        var addresses: [String]

        mutating func note(_ address: String, limit: Int) {
            // What nearly every request says.
            guard addresses.last != address else { return }
            addresses.removeAll { $0 == address }
            addresses = addresses.suffix(limit - 1) + [address]
        }
    }

    /// A server is reached by a few addresses; more are somebody who makes names up.
    private static let limit = 20

    private let pages = Mutex<[Page]>([])

    /// Remembers an address.
    ///
    /// - Returns: those of the other use that are not it, the latest last.
    package func note(_ address: String, as use: Use, of server: String) -> [String] {
        pages.withBriefLock { pages in
            if let index = pages.firstIndex(where: { $0.use == use && $0.server == server }) {
                pages[index].note(address, limit: Self.limit)
            } else {
                pages.append(Page(server: server, use: use, addresses: [address]))
            }
            let others = pages.first { $0.use == use.other && $0.server == server }
            return others?.addresses.filter { $0 != address } ?? []
        }
    }

    func clear() { pages.withBriefLock { $0 = [] } }
}
