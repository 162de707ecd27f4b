/// What a new credential comes with. Source: Web Authentication Level 3 §6.5.4.
package struct AttestationObject: Sendable, Equatable {
    package let format: String
    /// A map; an array when the format is `compound`.
    package let statement: CBOR
    package let authenticatorData: [UInt8]

    /// - Throws: ``CBORError``, or ``AttestationObjectError`` when a member is missing. Other members are ignored.
    package init(_ bytes: [UInt8]) throws {
        let value = try CBORDecoder.decode(bytes)
        guard let format = value["fmt"]?.text, let statement = value["attStmt"],
            let data = value["authData"]?.bytes
        else { throw AttestationObjectError(got: Self.summary(value)) }
        (self.format, self.statement, authenticatorData) = (format, statement, data)
    }

    package init(format: String, statement: CBOR, authenticatorData: [UInt8]) {
        (self.format, self.statement, self.authenticatorData) = (format, statement, authenticatorData)
    }

    package var encoded: [UInt8] {
        CBOR.map([
            CBOREntry(.text("fmt"), .text(format)), CBOREntry(.text("attStmt"), statement),
            CBOREntry(.text("authData"), .bytes(authenticatorData)),
        ]).encoded
    }

    private static func summary(_ value: CBOR) -> String {
        guard let entries = value.map else { return value.summary }
        return "a map of "
            + entries.map { "\($0.key.text?.shortened ?? $0.key.summary): \($0.value.summary)" }
            .prefix(8).joined(separator: ", ")
    }
}

/// What stands in the place of an attestation object.
package struct AttestationObjectError: Error, Equatable {
    package let got: String
}
