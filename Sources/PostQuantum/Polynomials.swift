/// A polynomial: 256 coefficients that lie one after another.
typealias Polynomial<Coefficient> = UnsafeMutablePointer<Coefficient>

/// Polynomials in one flat piece of memory, which ``withPolynomials(_:of:_:)`` lends.
///
/// Pointers and not arrays: a transform of ML-DSA takes 3 to 4 µs with them, 5 µs in one array, 15 µs in an array of arrays, and a signature has
/// some thirty for each attempt. No pointer depends on input: indices are constants of the parameter set.
struct Polynomials<Coefficient> {
    let start: UnsafeMutablePointer<Coefficient>
    let count: Int

    subscript(index: Int) -> Polynomial<Coefficient> {
        assert(index < count)
        return start + index * 256
    }

    /// The polynomials from `first` on, `count` of them.
    func part(_ first: Int, _ count: Int) -> Self {
        assert(first + count <= self.count)
        return Self(start: start + first * 256, count: count)
    }
}

/// Lends memory for `count` polynomials, all zero, until `body` is done.
func withPolynomials<Coefficient: FixedWidthInteger, Result>(
    _ count: Int, of type: Coefficient.Type, _ body: (Polynomials<Coefficient>) throws -> Result
) rethrows -> Result {
    try withUnsafeTemporaryAllocation(of: type, capacity: count * 256) { memory in
        memory.initialize(repeating: 0)
        // Never nil: the capacity is not zero.
        guard let start = memory.baseAddress else { preconditionFailure("no memory for polynomials") }
        return try body(Polynomials(start: start, count: count))
    }
}
