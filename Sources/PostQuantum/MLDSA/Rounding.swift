/// Numbers in two parts, and hints about the upper one. Source: FIPS 204 §7.4.
enum Rounding {
    /// Algorithm 35: the upper part beyond 13 bits and the lower one, from -2¹² + 1 to 2¹²; of a number from 0 to below the modulus.
    @inline(__always)
    static func byPower(_ value: Int32) -> (high: Int32, low: Int32) {
        let high = (value &+ (1 << 12) &- 1) &>> 13
        return (high, value &- high << 13)
    }

    /// Algorithm 36: the multiple of `2·γ₂`, modulo 16, and what is left, which lies within `γ₂`; of a number from 0 to below the modulus.
    @inline(__always)
    static func parts(_ value: Int32) -> (high: Int32, low: Int32) {
        let high = (value &+ MLDSA.roundingBound &- 1) / (2 * MLDSA.roundingBound)
        // The last multiple is one less than the modulus, and counts as none.
        return high == 16
            ? (0, value &- SignatureRing.modulus) : (high, value &- high &* (2 * MLDSA.roundingBound))
    }

    /// Algorithm 40: the upper part that a hint means.
    @inline(__always)
    static func high(_ value: Int32, isHinted: Bool) -> Int32 {
        let (high, low) = parts(value)
        guard isHinted else { return high }
        return (low > 0 ? high &+ 1 : high &- 1) & 15
    }
}
