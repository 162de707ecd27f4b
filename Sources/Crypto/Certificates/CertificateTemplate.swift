package import Essentials

/// What a certificate is to say, for development authorities. Source: RFC 5280 §4.1.
package struct CertificateTemplate: Sendable {
    /// In the order in which they are written; a country as PrintableString, the others as UTF8String.
    package var subject: [NameAttribute]
    /// Most significant byte first.
    package var serialNumber: [UInt8]
    package var notBefore: Date
    package var notAfter: Date
    package var isAuthority: Bool
    /// How many authorities may follow below an authority; nil says nothing. Source: RFC 5280 §4.2.1.9.
    package var pathLength: UInt8?
    /// Beside the basic constraints, by object identifier.
    package var extensions: [(type: String, value: Certificate.Extension)]

    package init(
        subject: [NameAttribute], serialNumber: [UInt8], notBefore: Date, notAfter: Date,
        isAuthority: Bool = false, pathLength: UInt8? = nil,
        extensions: [(type: String, value: Certificate.Extension)] = []
    ) {
        (self.subject, self.serialNumber) = (subject, serialNumber)
        (self.notBefore, self.notAfter) = (notBefore, notAfter)
        (self.isAuthority, self.pathLength, self.extensions) = (isAuthority, pathLength, extensions)
    }

    /// A certificate of version 3 for `key`, signed by the issuer's key with `algorithm` (ES256, ES384, RS256 or EdDSA).
    ///
    /// - Parameter issuer: nil for a certificate that signs itself.
    package func issue(
        for key: PublicKey, by issuerKey: PrivateKey, with algorithm: SignatureAlgorithm,
        issuer: Certificate? = nil
    ) throws -> Certificate {
        let identifier = try Self.identifier(of: algorithm)
        let subject = try Self.name(subject)
        let content = DER.sequence([
            DER.element(.context(0), DER.unsigned([2])),
            DER.unsigned(serialNumber),
            identifier,
            try issuer?.subjectDER ?? subject,
            DER.sequence([try Self.time(notBefore), try Self.time(notAfter)]),
            subject,
            try key.der(),
            DER.element(.context(3), DER.sequence(try allExtensions())),
        ])
        var signature = try issuerKey.sign(content, with: algorithm)
        if case .ec(let curve) = issuerKey.kind {
            signature = try ECSignature.der(fromRaw: signature, curve)
        }
        return try Certificate(der: DER.sequence([content, identifier, DER.bitString(signature)]))
    }

    private func allExtensions() throws -> [[UInt8]] {
        let length = isAuthority ? pathLength.map { [DER.unsigned([$0])] } ?? [] : []
        let constraints = DER.sequence((isAuthority ? [DER.element(.boolean, [0xFF])] : []) + length)
        let all = [("2.5.29.19", Certificate.Extension(isCritical: true, value: constraints))] + extensions
        return try all.map { type, value in
            DER.sequence(
                [try DER.objectIdentifier(type)]
                    + (value.isCritical ? [DER.element(.boolean, [0xFF])] : [])
                    + [DER.octetString(value.value)])
        }
    }

    private static func name(_ attributes: [NameAttribute]) throws -> [UInt8] {
        DER.sequence(
            try attributes.map { attribute in
                let value =
                    attribute.type == NameAttribute.country
                    ? DER.printableString(attribute.value) : DER.utf8String(attribute.value)
                return DER.set([DER.sequence([try DER.objectIdentifier(attribute.type), value])])
            })
    }

    /// RFC 5280 §4.1.2.5: two digits of the year until 2049, four afterwards.
    private static func time(_ date: Date) throws -> [UInt8] {
        let text = date.formatted(.iso8601)
        let digits = text.filter(\.isNumber)
        guard digits.count == 14, let year = Int(digits.prefix(4)), year >= 1950 else {
            throw CryptoError(call: "certificate", message: "the time \(text) is out of range")
        }
        return year < 2050
            ? DER.element(.utcTime, Array((digits.dropFirst(2) + "Z").utf8))
            : DER.element(.generalizedTime, Array((digits + "Z").utf8))
    }

    /// RFC 5758 §3.2, RFC 4055 §5, RFC 8410 §3.
    private static func identifier(of algorithm: SignatureAlgorithm) throws -> [UInt8] {
        switch algorithm {
        case .es256: DER.sequence([try DER.objectIdentifier("1.2.840.10045.4.3.2")])
        case .es384: DER.sequence([try DER.objectIdentifier("1.2.840.10045.4.3.3")])
        case .rs256:
            DER.sequence([
                try DER.objectIdentifier("1.2.840.113549.1.1.11"),
                DER.element(DERTag(.universal, 5), []),
            ])
        case .eddsa: DER.sequence([try DER.objectIdentifier("1.3.101.112")])
        default:
            throw CryptoError(
                call: "certificate", message: "certificates are not signed with \(algorithm.rawValue) here")
        }
    }
}
