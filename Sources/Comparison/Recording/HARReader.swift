import Essentials
import HTTP
import PlatformKit

/// Reads an HTTP archive as browsers, proxies and this program write them.
///
/// What a writer leaves out is taken from where else it stands: bodies as text or Base64, forms as parameters, cookies from their lists.
/// Source: HTTP Archive 1.2, sections “log” to “content”.
package struct HARReader {
    /// Bytes of a file.
    package static let fileLimit = 128 << 20
    /// Requests of a file.
    package static let entryLimit = 20_000

    /// The requests in the order in which a client got their answers: what waited long is answered by what came meanwhile. Only what others
    /// knew before its answer was there, such as a push that brought a phone, comes before them.
    ///
    /// - Throws: ``RecordingUnreadable``.
    package static func exchanges(in bytes: [UInt8]) throws(RecordingUnreadable) -> [Exchange] {
        guard bytes.count <= fileLimit else {
            throw RecordingUnreadable(
                "it has more than \(fileLimit >> 20) MiB, which is too much for a recording")
        }
        let (entries, isOurs) = try entries(in: bytes)
        var exchanges: [Exchange] = []
        for (index, entry) in entries.enumerated() {
            exchanges.append(try HAREntry(entry, number: index + 1).exchange(isOurs: isOurs))
        }
        // Our own journal is in the order of its answers, whatever the clock of its world says.
        return PlayOrder.sorted(
            isOurs
                ? exchanges : exchanges.sorted { ($0.playedAt, $0.number) < ($1.playedAt, $1.number) })
    }

    private static func entries(in bytes: [UInt8]) throws(RecordingUnreadable) -> (
        [SpelledJSON], isOurs: Bool
    ) {
        let root: SpelledJSON
        do {
            root = try SpelledJSONReader.value(of: bytes)
        } catch {
            throw RecordingUnreadable("this is no HTTP archive: \(error.reason)")
        }
        guard case .object = root else {
            throw RecordingUnreadable("this is no HTTP archive: it is \(root.kind), not an object")
        }
        guard let log = root["log"] else {
            throw RecordingUnreadable("this is no HTTP archive: it has no member “log”")
        }
        guard case .object = log else {
            throw RecordingUnreadable("“log” must be an object, not \(log.kind)")
        }
        guard let entries = log["entries"] else { throw RecordingUnreadable("“log” has no member “entries”") }
        guard case .array(let list) = entries else {
            throw RecordingUnreadable("“log.entries” must be an array, not \(entries.kind)")
        }
        guard list.count <= entryLimit else {
            throw RecordingUnreadable(
                "it has \(list.count) entries, more than \(entryLimit); cut it into parts")
        }
        return (list, log["creator"]?["name"]?.string == "Understudy")
    }
}
