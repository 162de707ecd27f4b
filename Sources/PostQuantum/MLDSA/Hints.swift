/// Which upper parts a verifier has to correct, as bytes: the places of each polynomial in rising order, then how many there are up to each
/// polynomial. Source: FIPS 204, algorithms 20 and 21.
enum Hints {
    /// Writes ones of `hints` to `bytes`.
    ///
    /// - Returns: `false` when there are more than a signature has room for.
    static func write(
        _ hints: Polynomials<Int32>, _ set: MLDSA, to bytes: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        var count = 0
        for row in 0..<set.rows {
            for place in 0..<256 where hints[row][place] != 0 {
                guard count < set.hintCount else { return false }
                bytes[count] = UInt8(truncatingIfNeeded: place)
                count += 1
            }
            bytes[set.hintCount + row] = UInt8(truncatingIfNeeded: count)
        }
        for place in count..<set.hintCount { bytes[place] = 0 }
        return true
    }

    /// - Returns: `false` for bytes that nobody writes: each set of hints has one spelling.
    static func read(
        _ bytes: UnsafePointer<UInt8>, _ set: MLDSA, to hints: Polynomials<Int32>
    ) -> Bool {
        var count = 0
        for row in 0..<set.rows {
            let end = Int(bytes[set.hintCount + row])
            guard end >= count, end <= set.hintCount else { return false }
            for index in count..<end {
                if index > count, bytes[index - 1] >= bytes[index] { return false }
                hints[row][Int(bytes[index])] = 1
            }
            count = end
        }
        return (count..<set.hintCount).allSatisfy { bytes[$0] == 0 }
    }
}
