import Crypto

/// A bilinear map of a point of the curve and one of the twist: the reduced Tate pairing with the curve's point running.
///
/// It differs from the pairing of other libraries by a power, which does not matter for whether a product is one.
/// Source: Barreto, Lynn and Scott, Efficient implementation of pairing-based cryptosystems (2004), for leaving out what lies in
/// the field of degree 6.
enum Pairing {
    /// Whether the product of the pairings of all pairs is one. A point at infinity makes it `false`: no honest proof has one.
    static func productIsOne(_ pairs: [(G1Point, G2Point)]) -> Bool {
        product(pairs)?.isEven ?? false
    }

    /// The product of the pairings of all pairs; `nil` if there is a point at infinity.
    static func value(_ pairs: [(G1Point, G2Point)]) -> PairingValue? {
        product(pairs).flatMap(PairingValue.init(reducing:))
    }

    /// The product up to a factor of the field of degree 6: one exactly if it is even.
    private static func product(_ pairs: [(G1Point, G2Point)]) -> Fp12? {
        var runs: [MillerRun] = []
        for (point, key) in pairs {
            guard let coordinates = point.value.coordinates else { return nil }
            runs.append(MillerRun(coordinates, key))
        }
        var value = Fp12.one
        let digits = bits(of: BN254CX.order).dropFirst()
        for (index, isSet) in zip(digits.indices, digits) {
            value = value * value
            for run in runs.indices {
                value = value * runs[run].double()
                // The last addition leads to infinity, on a vertical line.
                if isSet && index != digits.indices.last { value = value * runs[run].add() }
            }
        }
        return reduced(value)
    }

    /// The power (p¹² - 1)/r of the value is one exactly if its power (p⁶ + 1)/r lies in the field of degree 6, whose numbers the
    /// factor p⁶ - 1 makes one. And p⁶ + 1 = (p² + 1)(p⁴ - p² + 1).
    private static func reduced(_ value: Fp12) -> Fp12 {
        (value.frobenius * value).raised(to: hardExponent)
    }

    /// (p⁴ - p² + 1)/r
    private static let hardExponent = BN254CX.constant(
        "b640000080277eb00a4d882b65f3ab666021603e2a8d864acfcb630a497c9f50173642501fe45bdf19b89c83b28795"
            + "58bc46ec6f615c828648c0529e68884883996e61048cbfaf60daad624a1d8b9c9f28d4ccc4ed94ca366e44367343306d"
    )
}
