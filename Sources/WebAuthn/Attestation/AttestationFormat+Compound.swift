extension AttestationFormat {
    /// Several statements about one credential, all of which must be right. Source: Web Authentication Level 3 §8.9.
    static func verifyCompound(
        _ statement: CBOR, _ subject: AttestationSubject
    ) throws(WebAuthnRefusal) -> AttestationEvidence {
        guard let list = statement.array, 2...WebAuthnLimits.statements ~= list.count else {
            throw refusal("an array of 2 to \(WebAuthnLimits.statements) statements", statement.summary)
        }
        var parts: [AttestationEvidence] = []
        for element in list {
            guard let name = element["fmt"]?.text, let inner = element["attStmt"] else {
                throw refusal("maps of fmt and attStmt", element.summary)
            }
            guard let format = AttestationFormat(rawValue: name), format != .compound else {
                throw WebAuthnRefusal(
                    .attestationFormat, "§8.9", expected: "a known format other than compound",
                    got: "“\(name.shortened)”")
            }
            parts.append(try format.verify(inner, subject))
        }
        return AttestationEvidence(.compound, .compound, parts: parts, warnings: parts.flatMap(\.warnings))
    }

    private static func refusal(_ expected: String, _ got: String) -> WebAuthnRefusal {
        WebAuthnRefusal(.attestationStatement, "§8.9", expected: expected, got: got)
    }
}
