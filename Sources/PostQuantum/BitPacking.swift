/// Numbers of a few bits each as bytes, the lowest bit first. Source: FIPS 203 §4.2.1, FIPS 204 §7.1.
enum BitPacking {
    /// How many bytes 256 numbers of `width` bits take.
    static func count(_ width: Int) -> Int { 32 * width }

    /// Writes 256 numbers of `width` bits to `bytes`, which has room for ``count(_:)``.
    @inline(__always)
    static func pack(_ width: Int, to bytes: UnsafeMutablePointer<UInt8>, _ number: (Int) -> UInt32) {
        var (place, buffer, bits) = (bytes, UInt64(0), 0)
        for index in 0..<256 {
            buffer |= UInt64(number(index)) &<< UInt64(bits)
            bits += width
            while bits >= 8 {
                place.pointee = UInt8(truncatingIfNeeded: buffer)
                place += 1
                buffer &>>= 8
                bits -= 8
            }
        }
    }

    /// Reads 256 numbers of `width` bits from the ``count(_:)`` bytes at `bytes`.
    @inline(__always)
    static func unpack(_ width: Int, from bytes: UnsafePointer<UInt8>, _ take: (Int, UInt32) -> Void) {
        let mask = UInt64(1) &<< UInt64(width) - 1
        var (place, buffer, bits) = (bytes, UInt64(0), 0)
        for index in 0..<256 {
            while bits < width {
                buffer |= UInt64(place.pointee) &<< UInt64(bits)
                place += 1
                bits += 8
            }
            take(index, UInt32(truncatingIfNeeded: buffer & mask))
            buffer &>>= UInt64(width)
            bits -= width
        }
    }
}
