/// Polynomials as bytes, whole or compressed. Source: FIPS 203 §4.2.1.
enum KEMCoding {
    /// `ByteEncode` of 12 bits.
    static func write(_ f: Polynomial<UInt32>, to bytes: UnsafeMutablePointer<UInt8>) {
        BitPacking.pack(12, to: bytes) { f[$0] }
    }

    /// `ByteDecode` of 12 bits.
    ///
    /// - Returns: whether each coefficient was below the modulus.
    static func read(_ f: Polynomial<UInt32>, from bytes: UnsafePointer<UInt8>) -> Bool {
        var largest: UInt32 = 0
        BitPacking.unpack(12, from: bytes) { place, value in
            largest = max(largest, value)
            f[place] = value
        }
        return largest < KEMRing.modulus
    }

    /// `ByteEncode` of `Compress`: the nearest multiple of 3329 / 2^width.
    static func compress(_ f: Polynomial<UInt32>, _ width: Int, to bytes: UnsafeMutablePointer<UInt8>) {
        let mask = UInt32(1) << UInt32(width) - 1
        BitPacking.pack(width, to: bytes) {
            (f[$0] &<< UInt32(width) &+ KEMRing.modulus / 2) / KEMRing.modulus & mask
        }
    }

    /// `Decompress` of `ByteDecode`.
    static func decompress(_ f: Polynomial<UInt32>, _ width: Int, from bytes: UnsafePointer<UInt8>) {
        let half = UInt32(1) << UInt32(width - 1)
        BitPacking.unpack(width, from: bytes) { place, value in
            f[place] = (value &* KEMRing.modulus &+ half) &>> UInt32(width)
        }
    }
}
