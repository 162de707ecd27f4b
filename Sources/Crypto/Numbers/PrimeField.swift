import COpenSSL

/// The numbers below a prime, which are added, multiplied and inverted modulo it.
///
/// `@unchecked Sendable`: the prime is never changed after it was made.
package final class PrimeField: @unchecked Sendable {
    let modulus: OpaquePointer
    /// The size of an encoded number.
    package let byteCount: Int

    /// - Parameter modulus: an odd prime, most significant byte first. Whether it is a prime is not examined.
    package init(modulus bytes: [UInt8]) {
        guard let modulus = BN_bin2bn(bytes, Int32(clamping: bytes.count), nil) else {
            preconditionFailure("no memory for a prime")
        }
        precondition(BN_is_odd(modulus) == 1, "an even number is not a modulus")
        self.modulus = modulus
        byteCount = Int((BN_num_bits(modulus) + 7) / 8)
    }

    deinit { BN_free(modulus) }

    /// Reads a number, most significant byte first; `nil` when it is not below the prime.
    package func element(_ bytes: [UInt8]) -> FieldElement? {
        let number = Self.number(bytes)
        guard BN_cmp(number, modulus) < 0 else {
            BN_clear_free(number)
            return nil
        }
        return FieldElement(owning: number, in: self)
    }

    /// The remainder of a number of any size, most significant byte first.
    package func element(reducing bytes: [UInt8]) -> FieldElement {
        let number = Self.number(bytes)
        defer { BN_clear_free(number) }
        return NumberContexts.shared.with { reduced(number, $0) }
    }

    package func element(_ number: Int) -> FieldElement {
        let magnitude = element(reducing: withUnsafeBytes(of: number.magnitude.bigEndian) { Array($0) })
        return number < 0 ? -magnitude : magnitude
    }

    package var zero: FieldElement { element(0) }

    package var one: FieldElement { element(1) }

    /// The coefficients of the product of two polynomials, all lowest degree first. Each coefficient is divided by the prime
    /// once, which makes this several times as fast as to multiply and add the coefficients one by one; zeros in `other` cost
    /// nothing.
    package func product(_ one: [FieldElement], _ other: [FieldElement]) -> [FieldElement] {
        guard !one.isEmpty, !other.isEmpty else { return [] }
        return NumberContexts.shared.with { context in
            BN_CTX_start(context)
            defer { BN_CTX_end(context) }
            guard let term = BN_CTX_get(context), let sum = BN_CTX_get(context) else {
                preconditionFailure("no memory to compute")
            }
            let isPresent = other.map { !$0.isZero }
            return (0..<one.count + other.count - 1).map { degree in
                BN_zero_ex(sum)
                for index in max(0, degree - other.count + 1)...min(degree, one.count - 1)
                where isPresent[degree - index] {
                    succeed(BN_mul(term, one[index].number, other[degree - index].number, context))
                    succeed(BN_uadd(sum, sum, term))
                }
                return reduced(sum, context)
            }
        }
    }

    private func reduced(_ number: OpaquePointer, _ context: OpaquePointer) -> FieldElement {
        FieldElement(in: self) { succeed(BN_nnmod($0, number, modulus, context)) }
    }

    private static func number(_ bytes: [UInt8]) -> OpaquePointer {
        guard let number = BN_bin2bn(bytes, Int32(clamping: bytes.count), nil) else {
            preconditionFailure("no memory for a number")
        }
        return number
    }
}

/// For calls with operands that are known to be good, which only a lack of memory makes fail.
func succeed(_ result: Int32) {
    precondition(result == 1, "no memory to compute")
}

/// A number of a prime field. Two of them that meet are of the same field.
///
/// `@unchecked Sendable`: owns a number of OpenSSL, which is never changed after it was made.
package final class FieldElement: @unchecked Sendable {
    let number: OpaquePointer
    package let field: PrimeField

    init(owning number: OpaquePointer, in field: PrimeField) {
        (self.number, self.field) = (number, field)
    }

    /// - Parameter fill: gives the new number its value.
    init(in field: PrimeField, _ fill: (OpaquePointer) -> Void) {
        number = Self.newNumber()
        self.field = field
        fill(number)
    }

    // The number may be a secret.
    deinit { BN_clear_free(number) }

    package var isZero: Bool { BN_is_zero(number) == 1 }

    package var isOdd: Bool { BN_is_odd(number) == 1 }

    /// Most significant byte first, as many as the prime has.
    package var bytes: [UInt8] {
        let count = field.byteCount
        return [UInt8](unsafeUninitializedCapacity: count) { bytes, written in
            written = count
            precondition(
                BN_bn2binpad(number, bytes.baseAddress, Int32(count)) == count, "no memory for a number")
        }
    }

    /// `nil` for zero. Takes a time that tells something of the number.
    package var inverse: FieldElement? {
        guard !isZero else { return nil }
        return FieldElement(in: field) { result in
            NumberContexts.shared.with { context in
                precondition(
                    BN_mod_inverse(result, number, field.modulus, context) != nil, "no memory to compute")
            }
        }
    }

    /// One of the two square roots; `nil` for a number that is no square.
    package var squareRoot: FieldElement? {
        let root = Self.newNumber()
        let found = NumberContexts.shared.with { BN_mod_sqrt(root, number, field.modulus, $0) }
        guard found != nil else {
            ERR_clear_error()
            BN_free(root)
            return nil
        }
        return FieldElement(owning: root, in: field)
    }

    /// - Parameter exponent: most significant byte first; no secret.
    package func raised(to exponent: [UInt8]) -> FieldElement {
        guard let power = BN_bin2bn(exponent, Int32(clamping: exponent.count), nil) else {
            preconditionFailure("no memory for a number")
        }
        defer { BN_free(power) }
        return FieldElement(in: field) { result in
            NumberContexts.shared.with { succeed(BN_mod_exp(result, number, power, field.modulus, $0)) }
        }
    }

    /// Zero, the caller's own to be freed.
    static func newNumber() -> OpaquePointer {
        guard let number = BN_new() else { preconditionFailure("no memory for a number") }
        return number
    }

    package static func + (one: FieldElement, other: FieldElement) -> FieldElement {
        FieldElement(in: one.field) {
            succeed(BN_mod_add_quick($0, one.number, other.number, one.field.modulus))
        }
    }

    package static func - (one: FieldElement, other: FieldElement) -> FieldElement {
        FieldElement(in: one.field) {
            succeed(BN_mod_sub_quick($0, one.number, other.number, one.field.modulus))
        }
    }

    package static func * (one: FieldElement, other: FieldElement) -> FieldElement {
        FieldElement(in: one.field) { result in
            NumberContexts.shared.with {
                succeed(BN_mod_mul(result, one.number, other.number, one.field.modulus, $0))
            }
        }
    }

    package static prefix func - (element: FieldElement) -> FieldElement {
        element.field.zero - element
    }
}

extension FieldElement: Equatable {
    /// Takes the same time wherever the numbers differ.
    package static func == (one: FieldElement, other: FieldElement) -> Bool {
        constantTimeEqual(one.bytes, other.bytes)
    }
}
