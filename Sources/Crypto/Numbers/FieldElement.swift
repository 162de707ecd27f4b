import COpenSSL

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
