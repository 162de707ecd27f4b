import Crypto

/// Polynomials made of pseudorandom bytes. Source: FIPS 203 §4.2.2.
struct KEMSampling {
    private let shake128 = SHAKE(.bits128)
    private let shake256 = SHAKE(.bits256)

    /// Algorithm 7: uniform, as if transformed already.
    ///
    /// Four blocks of SHAKE-128 hold 448 candidates, of which 81 in 100 are taken: too few in one of 10¹⁶.
    func uniform(_ seed: UnsafeBufferPointer<UInt8>, _ first: Int, _ second: Int, to f: Polynomial<UInt32>) {
        shake128.sample(
            672,
            input: {
                $0.absorb(seed)
                $0.absorb(UInt8(truncatingIfNeeded: first), UInt8(truncatingIfNeeded: second))
            }
        ) { bytes in
            var (count, place) = (0, 0)
            while count < 256, place + 2 < bytes.count {
                let (low, middle, high) = (
                    UInt32(bytes[place]), UInt32(bytes[place + 1]), UInt32(bytes[place + 2])
                )
                place += 3
                let pair = (low | (middle & 15) << 8, middle >> 4 | high << 4)
                if pair.0 < KEMRing.modulus {
                    f[count] = pair.0
                    count += 1
                }
                if pair.1 < KEMRing.modulus, count < 256 {
                    f[count] = pair.1
                    count += 1
                }
            }
            return count == 256
        }
    }

    /// Algorithm 8 with η = 2, which both parameter sets use: the difference of two sums of two bits, of PRF (§4.1) with `number`.
    func small(_ seed: UnsafeBufferPointer<UInt8>, number: Int, to f: Polynomial<UInt32>) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { bytes in
            shake256.absorb(seed)
            shake256.absorb(UInt8(truncatingIfNeeded: number))
            shake256.squeeze(into: bytes)
            for place in 0..<128 {
                let byte = UInt32(bytes[place])
                // Each pair of bits becomes its sum, 0 to 2.
                let sums = byte & 0x55 &+ byte >> 1 & 0x55
                f[2 * place] = (KEMRing.modulus &+ sums & 3 &- sums >> 2 & 3) % KEMRing.modulus
                f[2 * place + 1] = (KEMRing.modulus &+ sums >> 4 & 3 &- sums >> 6 & 3) % KEMRing.modulus
            }
        }
    }
}
