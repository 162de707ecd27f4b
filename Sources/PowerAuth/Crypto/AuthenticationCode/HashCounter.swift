import Crypto

/// CTR_DATA: a counter whose next value nobody can tell the one before from. 16 bytes.
package struct HashCounter: Sendable, Hashable {
    package let data: [UInt8]

    /// - Throws: ``ProtocolFault`` unless there are 16 bytes.
    package init(_ data: [UInt8]) throws {
        guard data.count == 16 else {
            throw ProtocolFault.malformed(
                part: "counter data", expected: "16 bytes", got: "\(data.count) bytes")
        }
        self.data = data
    }

    private init(folding hash: [UInt8]) {
        data = folded(hash)
    }

    /// One step.
    package var next: HashCounter { HashCounter(folding: Digest.sha256(data)) }

    package func advanced(by steps: Int) -> HashCounter {
        (0..<max(steps, 0)).reduce(self) { counter, _ in counter.next }
    }
}
