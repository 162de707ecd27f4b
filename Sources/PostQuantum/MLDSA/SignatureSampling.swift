import Crypto

/// Polynomials made of pseudorandom bytes. Source: FIPS 204 §7.3.
struct SignatureSampling {
    private let shake128 = SHAKE(.bits128)
    private let shake256 = SHAKE(.bits256)

    /// Algorithm 30: uniform, as if transformed already. Of 1,000 candidates 999 are taken; five blocks hold 280.
    func uniform(_ seed: [UInt8], column: Int, row: Int, to w: Polynomial<Int32>) {
        shake128.sample(
            840,
            input: {
                $0.absorb(seed)
                $0.absorb(UInt8(truncatingIfNeeded: column), UInt8(truncatingIfNeeded: row))
            }
        ) { bytes in
            var (count, place) = (0, 0)
            while count < 256, place + 2 < bytes.count {
                let low = Int32(bytes[place]) | Int32(bytes[place + 1]) << 8
                let value = low | Int32(bytes[place + 2] & 0x7F) << 16
                place += 3
                guard value < SignatureRing.modulus else { continue }
                w[count] = value
                count += 1
            }
            return count == 256
        }
    }

    /// Algorithm 31: from `-bound` to `bound`, which is 2 or 4. Three blocks hold 816 candidates, of which nine in sixteen or more are taken.
    func bounded(_ bound: Int32, _ seed: [UInt8], number: Int, to w: Polynomial<Int32>) {
        shake256.sample(
            408,
            input: {
                $0.absorb(seed)
                $0.absorb(UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8))
            }
        ) { bytes in
            var count = 0
            for byte in bytes {
                for half in [byte & 15, byte >> 4] where count < 256 {
                    guard let value = Self.bounded(bound, Int32(half)) else { continue }
                    w[count] = value
                    count += 1
                }
            }
            return count == 256
        }
    }

    /// Algorithm 15.
    @inline(__always)
    private static func bounded(_ bound: Int32, _ half: Int32) -> Int32? {
        if bound == 2 { return half < 15 ? 2 - half % 5 : nil }
        return half < 9 ? 4 - half : nil
    }

    /// Algorithm 34, one polynomial of it: a mask.
    func mask(_ seed: [UInt8], number: Int, to w: Polynomial<Int32>) {
        withUnsafeTemporaryAllocation(
            of: UInt8.self, capacity: BitPacking.count(MLDSA.maskWidth)
        ) { bytes in
            shake256.absorb(seed)
            shake256.absorb(UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8))
            shake256.squeeze(into: bytes)
            guard let start = bytes.baseAddress else { return }
            BitPacking.unpack(MLDSA.maskWidth, from: start) { w[$0] = MLDSA.maskBound - Int32($1) }
        }
    }

    /// Algorithm 29: `weight` coefficients of 1 and -1. One block is eight bytes of signs and 128 candidates, nearly all of which are
    /// taken.
    func challenge(_ seed: ArraySlice<UInt8>, weight: Int, to c: Polynomial<Int32>) {
        shake256.sample(136, input: { shake in seed.withUnsafeBufferPointer(shake.absorb) }) { bytes in
            for place in 0..<256 { c[place] = 0 }
            var signs = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[$1]) << UInt64(8 * $1) }
            var (place, read) = (256 - weight, 8)
            while place < 256, read < bytes.count {
                let other = Int(bytes[read])
                read += 1
                guard other <= place else { continue }
                c[place] = c[other]
                c[other] = signs & 1 == 0 ? 1 : -1
                signs >>= 1
                place += 1
            }
            return place == 256
        }
    }

    /// `H`: SHAKE-256 of parts one after another.
    func hash(_ parts: [[UInt8]], count: Int) -> [UInt8] {
        for part in parts { shake256.absorb(part) }
        return shake256.squeeze(count)
    }
}
