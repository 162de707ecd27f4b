import Crypto
import Essentials
import Synchronization

/// Where a world's random bytes come from: the operating system, or, with a seed, one repeatable stream for each purpose.
///
/// Block `n` of a purpose is SHA-256 over the seed, how often the world was opened before, the purpose and `n`. Such bytes
/// protect nothing.
final class EntropyStreams: Sendable {
    /// How far the streams were read.
    struct Position: Codable, Sendable, Equatable {
        /// Nil where chance is the system's.
        var seed: UInt64?
        var openings: Int
        /// Blocks by purpose.
        var drawn: [String: Int] = [:]
    }

    private static let blockBytes = 32
    private let state: Mutex<Position>

    /// - Parameter openings: how often the world was opened before; it must not draw the same values again.
    init(seed: UInt64?, openings: Int = 0) {
        state = Mutex(Position(seed: seed, openings: openings))
    }

    var entropy: Entropy { Entropy { [self] in bytes($0, for: $1) } }

    /// Begins again, as a world does that is new or reset.
    func restart(seed: UInt64?) {
        go(to: Position(seed: seed, openings: 0))
    }

    var position: Position { state.withLock { $0 } }

    /// Goes on from where the streams once were.
    func go(to position: Position) { state.withLock { $0 = position } }

    private func bytes(_ count: Int, for purpose: String) -> [UInt8] {
        let blocks = (count + Self.blockBytes - 1) / Self.blockBytes
        let drawn = state.withLock { state -> (prefix: String, first: Int)? in
            guard let seed = state.seed else { return nil }
            defer { state.drawn[purpose] = state.drawn[purpose, default: 0].adding(blocks) }
            return ("\(seed) \(state.openings) \(purpose)", state.drawn[purpose, default: 0])
        }
        guard let drawn else { return Entropy.system.bytes(count, purpose) }
        let stream = (0..<blocks).flatMap {
            Digest.sha256(Array("\(drawn.prefix) \(drawn.first.adding($0))".utf8))
        }
        return Array(stream.prefix(count))
    }
}

extension Entropy {
    /// A repeatable stream for tests and `--seed`. It protects nothing.
    package static func seeded(_ seed: UInt64) -> Entropy { EntropyStreams(seed: seed).entropy }
}
