/// Arithmetic of polynomials over the integers modulo 8,380,417. Source: FIPS 204 §7.5 and appendix A.
enum SignatureRing {
    static let modulus: Int32 = 8_380_417
    /// The inverse of the modulus, modulo 2³².
    private static let inverse: Int32 = 58_728_449
    /// 1753 is a 512th root of unity: its powers by the reversed 8 bits of the index, times 2³².
    private static let roots: [Int32] = (0..<256).map { index in
        let reversed = (0..<8).reduce(0) { $0 | (index >> $1 & 1) << (7 - $1) }
        let power = (0..<reversed).reduce(Int64(1)) { value, _ in value * 1753 % Int64(modulus) }
        return Int32(power << 32 % Int64(modulus))
    }
    /// 2⁶⁴ / 256: undoes the sums of the way back and the factor of the products before it.
    private static let last = Int32(
        (0..<56).reduce(Int64(1)) { value, _ in value * 2 % Int64(modulus) })

    /// Algorithm 49: a number between the negative modulus and it that is `product` / 2³², for one below 2³¹ moduli.
    @inline(__always)
    static func divided(_ product: Int64) -> Int32 {
        let quotient = Int32(truncatingIfNeeded: product) &* inverse
        return Int32(truncatingIfNeeded: (product &- Int64(quotient) &* Int64(modulus)) &>> 32)
    }

    @inline(__always)
    private static func product(_ one: Int32, _ other: Int32) -> Int32 {
        divided(Int64(one) &* Int64(other))
    }

    /// Algorithm 41, in place. Each of eight layers adds less than one modulus to a number within one.
    static func transform(_ w: Polynomial<Int32>) {
        roots.withUnsafeBufferPointer { roots in
            var (root, length) = (1, 128)
            while length >= 1 {
                for start in stride(from: 0, to: 256, by: 2 * length) {
                    let zeta = roots[root]
                    root += 1
                    for place in start..<(start + length) {
                        let turned = product(zeta, w[place + length])
                        w[place + length] = w[place] &- turned
                        w[place] = w[place] &+ turned
                    }
                }
                length /= 2
            }
        }
    }

    /// Algorithm 42, in place, times 2³²: of sums of products, which lack that factor. A coefficient lies within one modulus before and after;
    /// eight doublings of it stay below 2³¹.
    static func transformBack(_ w: Polynomial<Int32>) {
        roots.withUnsafeBufferPointer { roots in
            var (root, length) = (255, 1)
            while length < 256 {
                for start in stride(from: 0, to: 256, by: 2 * length) {
                    let zeta = roots[root]
                    root -= 1
                    for place in start..<(start + length) {
                        let (low, high) = (w[place], w[place + length])
                        w[place] = low &+ high
                        w[place + length] = product(zeta, high &- low)
                    }
                }
                length *= 2
            }
        }
        for place in 0..<256 { w[place] = product(last, w[place]) }
    }

    /// The products of transformed coefficients, divided by 2³².
    static func multiply(_ f: Polynomial<Int32>, _ g: Polynomial<Int32>, to result: Polynomial<Int32>) {
        for place in 0..<256 { result[place] = product(f[place], g[place]) }
    }

    /// Adds those products to a sum, which eight of them keep below 2³¹.
    static func addProduct(_ f: Polynomial<Int32>, _ g: Polynomial<Int32>, to sum: Polynomial<Int32>) {
        for place in 0..<256 { sum[place] = sum[place] &+ product(f[place], g[place]) }
    }

    /// Brings each coefficient within three quarters of the modulus.
    static func reduce(_ w: Polynomial<Int32>) {
        for place in 0..<256 {
            // 2²³ is 8,191 more than the modulus: what is left differs by that for each time.
            let times = (w[place] &+ 1 << 22) &>> 23
            w[place] = w[place] &- times &* modulus
        }
    }

    /// Brings each coefficient from within one modulus to zero or above.
    static func makePositive(_ w: Polynomial<Int32>) {
        for place in 0..<256 { w[place] = w[place] &+ (w[place] &>> 31 & modulus) }
    }

    /// Whether the amount of each coefficient, which lies within one modulus, is below `bound` when it is read as the number nearest to zero.
    static func isWithin(_ bound: Int32, _ w: Polynomial<Int32>) -> Bool {
        var largest: Int32 = 0
        for place in 0..<256 {
            var value = w[place]
            if value > modulus / 2 { value -= modulus }
            if value < -(modulus / 2) { value += modulus }
            largest = max(largest, abs(value))
        }
        return largest < bound
    }
}
