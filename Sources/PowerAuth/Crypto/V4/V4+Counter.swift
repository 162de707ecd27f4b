import Crypto

extension V4 {
    /// CTR_DATA: 32 bytes, of which the next follow and the ones before do not.
    struct Counter: Sendable, Hashable {
        let data: [UInt8]

        /// - Throws: ``ProtocolFault`` unless there are 32 bytes.
        init(_ data: [UInt8]) throws {
            guard data.count == keyCount else {
                throw ProtocolFault.malformed(
                    part: "counter data", expected: "32 bytes", got: "\(data.count) bytes")
            }
            self.data = data
        }

        private init(hashing data: [UInt8]) { self.data = SHA3.bits256(data) }

        var next: Counter { Counter(hashing: data) }

        func advanced(by steps: Int) -> Counter {
            (0..<max(steps, 0)).reduce(self) { counter, _ in counter.next }
        }
    }
}
