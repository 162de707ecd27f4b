import Crypto

/// Source: TCG TPM 2.0 Library, part 1 §16 (names) and part 2 (structures); TCG EK Credential Profile §3.2.9.
extension AttestationWriter {
    /// §8.3. The signature is bare and no `TPMT_SIGNATURE`: so the standard's own example and Windows have it, and so relying parties take it.
    func tpm() throws -> CBOR {
        let area = try Self.publicArea(of: attestedKey)
        let info = certification(of: area)
        let path = try path(
            for: authority.batchKey.publicKey, subject: has(.certificate) ? [Self.maker] : [],
            Self.extensions())
        return .map([
            CBOREntry(.text("ver"), .text("2.0")), Self.algorithm(.es256), try batchSignature(of: info),
            CBOREntry(.text("certInfo"), .bytes(info)), CBOREntry(.text("pubArea"), .bytes(area)),
            Self.certificates(path),
        ])
    }

    /// `TPMT_PUBLIC`, part 2 §12.2.4: a key that signs, whatever it is given, and never leaves the TPM.
    private static func publicArea(of key: PublicKey) throws -> [UInt8] {
        // fixedTPM, fixedParent, sensitiveDataOrigin, userWithAuth, sign; §8.3.
        let attributes = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 18
        let null = number(TPMAlgorithm.null, 2)
        func head(_ type: Int) -> [UInt8] {
            // No authPolicy; symmetric and scheme are null for a key that is not restricted.
            number(type, 2) + number(TPMAlgorithm.sha256, 2) + number(attributes, 4) + sized([]) + null + null
        }
        guard case .ec(let curve) = key.kind else {
            let numbers = try key.rsaNumbers()
            // An exponent of zero is the usual one. §12.2.3.5.
            let exponent =
                numbers.exponent == [1, 0, 1] ? 0 : numbers.exponent.reduce(0) { $0 << 8 | Int($1) }
            return head(TPMAlgorithm.rsa) + number(numbers.modulus.count * 8, 2) + number(exponent, 4)
                + sized(numbers.modulus)
        }
        let point = try key.point()
        return head(TPMAlgorithm.ecc) + number(TPMAlgorithm.number(curve), 2) + null + sized(point.x)
            + sized(point.y)
    }

    /// `TPMS_ATTEST` of the type certify, part 2 §10.12.8.
    private func certification(of area: [UInt8]) -> [UInt8] {
        let magic = has(.properties) ? 0 : TPMCertification.magic
        let extra = nonce(Digest.sha256(subject.signed))
        let name = Self.name(area)
        // Clock and resets of §10.11.1, in a safe state, and a firmware: no relying party knows them.
        let clock = Self.number(1 << 32, 8) + Self.number(1, 4) + Self.number(0, 4) + [1]
        let parent = Self.name(Array("Understudy primary key".utf8))
        return Self.number(magic, 4) + Self.number(TPMCertification.certify, 2) + Self.sized(parent)
            + Self.sized(extra) + clock + Self.number(1 << 48, 8) + Self.sized(name)
            // Part 1 §16: a qualified name is that of the parent and the object's own.
            + Self.sized(Self.name(parent + name))
    }

    private static func name(_ bytes: [UInt8]) -> [UInt8] {
        number(TPMAlgorithm.sha256, 2) + Digest.sha256(bytes)
    }

    /// §8.3.1: the names of the TPM, critical because there is no subject (RFC 5280 §4.2.1.6), and the purpose.
    private static func extensions() throws -> AttestationAuthority.Extensions {
        // Relying parties compare the manufacturer with the TCG's list of vendors; this is Microsoft's, whose TPM in software is the
        // reference.
        let attributes = [
            ("2.23.133.2.1", "id:4D534654"), ("2.23.133.2.2", "Understudy"), ("2.23.133.2.3", "id:00010000"),
        ]
        let name = DER.sequence(
            try attributes.map { type, value in
                DER.set([DER.sequence([try DER.objectIdentifier(type), DER.utf8String(value)])])
            })
        let names = DER.sequence([DER.element(.context(4), name)])
        let usage = DER.sequence([try DER.objectIdentifier(AttestationFormat.tpmKeyUsage)])
        return [
            (type: "2.5.29.17", value: Certificate.Extension(isCritical: true, value: names)),
            (type: "2.5.29.37", value: Certificate.Extension(isCritical: false, value: usage)),
        ]
    }

    private static func number(_ number: Int, _ count: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0.suffix(count)) }
    }

    private static func sized(_ bytes: [UInt8]) -> [UInt8] { number(bytes.count, 2) + bytes }
}
