import Crypto

/// Bytes that look like chance and are the same in every run.
final class TestChance {
    private var count: UInt8 = 0
    private let seed: UInt8

    init(_ seed: UInt8 = 0) { self.seed = seed }

    func draw(_ size: Int) -> [UInt8] {
        count &+= 1
        return KeyDerivation.x963(.sha256, secret: [seed, count], info: [], count: size)
    }
}
