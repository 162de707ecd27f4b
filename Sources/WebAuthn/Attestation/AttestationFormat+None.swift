extension AttestationFormat {
    /// Source: Web Authentication Level 3 §8.7.
    static func verifyNone(_ statement: CBOR) throws(WebAuthnRefusal) -> AttestationEvidence {
        guard statement.map?.isEmpty == true else {
            throw WebAuthnRefusal(
                .attestationStatement, "§8.7", expected: "an empty map for the format none",
                got: statement.summary)
        }
        return AttestationEvidence(.none, .none)
    }
}
