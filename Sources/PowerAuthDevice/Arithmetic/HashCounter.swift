import Crypto

/// The counter that both sides step after each authentication code.
package struct HashCounter: Sendable, Codable, Equatable {
    /// 16 bytes, in protocol 4.0 32; made by the server.
    package private(set) var data: [UInt8]
    /// Steps since the activation.
    package private(set) var count: Int

    /// - Parameter count: of a counter that another one becomes, as in the upgrade to protocol 4.0.
    package init(_ data: [UInt8], count: Int = 0) { (self.data, self.count) = (data, count) }

    /// The last byte of the number of steps, as the status tells it.
    package var byte: UInt8 { UInt8(truncatingIfNeeded: count) }

    package mutating func step() {
        data = data.count == 32 ? Protocol4.step(data) : KeyArithmetic.fold(Digest.sha256(data))
        count += 1
    }

    func advanced(by steps: Int) -> HashCounter {
        var counter = self
        for _ in 0..<steps { counter.step() }
        return counter
    }
}
