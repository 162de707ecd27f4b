/// Arithmetic of polynomials over the integers modulo 3329. Source: FIPS 203 §4.3.
///
/// Coefficients are `UInt32` from 0 on; where a sum may grow beyond the modulus, it is said how far. A remainder by a constant is
/// a multiplication, which takes the same time for every number.
enum KEMRing {
    typealias Coefficient = UInt32

    static let modulus: UInt32 = 3329
    /// 17 is a 256th root of unity: 17 to the power of the reversed 7 bits of the index. Source: FIPS 203 appendix A.
    private static let roots: [UInt32] = (0..<128).map { power(17, reversed($0)) }
    /// 17 to the power of twice the reversed bits, plus one.
    private static let products: [UInt32] = (0..<128).map { power(17, 2 * reversed($0) + 1) }

    private static func reversed(_ index: Int) -> Int {
        (0..<7).reduce(0) { $0 | (index >> $1 & 1) << (6 - $1) }
    }

    private static func power(_ base: UInt32, _ exponent: Int) -> UInt32 {
        (0..<exponent).reduce(1) { value, _ in value * base % modulus }
    }

    /// Algorithm 9, in place. Each of seven layers adds less than one modulus, so a coefficient stays below 2¹⁵.
    static func transform(_ f: Polynomial<UInt32>) {
        roots.withUnsafeBufferPointer { roots in
            var (root, length) = (1, 128)
            while length >= 2 {
                for start in stride(from: 0, to: 256, by: 2 * length) {
                    let zeta = roots[root]
                    root += 1
                    for place in start..<(start + length) {
                        let product = zeta &* f[place + length] % modulus
                        f[place + length] = f[place] &+ modulus &- product
                        f[place] = f[place] &+ product
                    }
                }
                length /= 2
            }
        }
        reduce(f)
    }

    /// Algorithm 10, in place. A layer doubles the bound, to at most 128 moduli, whose product with a root is below 2³².
    static func transformBack(_ f: Polynomial<UInt32>) {
        roots.withUnsafeBufferPointer { roots in
            var (root, length, bound) = (127, 2, modulus)
            while length <= 128 {
                for start in stride(from: 0, to: 256, by: 2 * length) {
                    let zeta = roots[root]
                    root -= 1
                    for place in start..<(start + length) {
                        let (low, high) = (f[place], f[place + length])
                        f[place] = low &+ high
                        f[place + length] = zeta &* (high &+ bound &- low) % modulus
                    }
                }
                length *= 2
                bound *= 2
            }
        }
        // 3303 is the inverse of 128.
        for place in 0..<256 { f[place] = f[place] &* 3303 % modulus }
    }

    /// Algorithm 11: adds the product of two transformed polynomials to `sum`, which grows by less than two squares of the modulus; four of
    /// them are below 2³².
    static func addProduct(
        _ f: Polynomial<UInt32>, _ g: Polynomial<UInt32>, to sum: Polynomial<UInt32>
    ) {
        products.withUnsafeBufferPointer { products in
            for pair in 0..<128 {
                let (low, high) = (2 * pair, 2 * pair + 1)
                let square = f[high] &* g[high] % modulus &* products[pair]
                sum[low] = sum[low] &+ f[low] &* g[low] &+ square
                sum[high] = sum[high] &+ f[low] &* g[high] &+ f[high] &* g[low]
            }
        }
    }

    /// Adds, with a sum below the modulus.
    static func add(_ f: Polynomial<UInt32>, to sum: Polynomial<UInt32>) {
        for place in 0..<256 { sum[place] = (sum[place] &+ f[place]) % modulus }
    }

    static func reduce(_ f: Polynomial<UInt32>) {
        for place in 0..<256 { f[place] %= modulus }
    }
}
