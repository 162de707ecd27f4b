import Essentials
import Synchronization

/// Decoded metadata by its text, for all worlds: most of them have the same clients, and decoding costs more than the query that
/// brought the text.
final class MetadataCache: Sendable {
    static let shared = MetadataCache()

    /// More would be a sign of clients that are registered without end; then decoding again is the lesser evil.
    private static let limit = 1_000

    private let kept = Mutex<[String: ClientMetadata]>([:])

    func metadata(_ text: String) throws -> ClientMetadata {
        if let metadata = kept.withLock({ $0[text] }) { return metadata }
        let metadata = try JSONDecoder().decode(ClientMetadata.self, from: Data(text.utf8))
        kept.withLock { kept in
            if kept.count >= Self.limit { kept.removeAll() }
            kept[text] = metadata
        }
        return metadata
    }

    /// The text of metadata, the same for equal ones.
    static func text(of metadata: ClientMetadata) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(metadata), as: UTF8.self)
    }
}
