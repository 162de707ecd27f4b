import Crypto

extension COSEKey {
    /// Labels of a COSE_Key. Source: RFC 9052 §7.1, RFC 9053 §7.1 and §7.2, RFC 8230 §4.
    enum Label {
        static let type = 1
        static let algorithm = 3
        static let curve = -1
        static let x = -2
        static let y = -3
        static let modulus = -1
        static let exponent = -2
    }

    /// Reads a key on record.
    ///
    /// - Throws: ``COSEKeyError``, also for bytes that follow the key.
    package init(_ bytes: [UInt8]) throws(COSEKeyError) {
        do {
            try self.init(CBORDecoder.decode(bytes), bytes: bytes)
        } catch let error as COSEKeyError {
            throw error
        } catch {
            throw COSEKeyError(expected: "a COSE_Key", got: "no CBOR: \(error)")
        }
    }

    /// - Parameter bytes: the same in CBOR, as it came.
    init(_ value: CBOR, bytes: [UInt8]) throws(COSEKeyError) {
        guard value.map != nil else { throw COSEKeyError(expected: "a map", got: value.summary) }
        let number = try value.integer(Label.algorithm, "an algorithm (label 3)")
        guard let algorithm = COSEAlgorithm(rawValue: number), algorithm != .rs1 else {
            throw COSEKeyError(
                expected: "an algorithm for credentials", got: COSEAlgorithm.summary(number))
        }
        let numbers = try Self.numbers(value, algorithm)
        let key: VerificationKey
        do {
            key = try Self.key(numbers, algorithm)
        } catch let error as COSEKeyError {
            throw error
        } catch {
            throw COSEKeyError(expected: "a key of \(algorithm.name)", got: "\(error)")
        }
        (self.algorithm, self.numbers, self.key, self.bytes) = (algorithm, numbers, key, bytes)
    }

    private static func numbers(_ value: CBOR, _ algorithm: COSEAlgorithm) throws(COSEKeyError) -> Numbers {
        let type = try value.integer(Label.type, "a key type (label 1)")
        switch algorithm.parameters {
        case .ec(let curve, let identifier):
            try expect(type, 2, "key type EC2 (2) for \(algorithm.name)")
            try value.expectCurve(identifier, algorithm)
            return .ec(
                curve, x: try value.bytes(Label.x, curve.coordinateCount, "x"),
                y: try value.bytes(Label.y, curve.coordinateCount, "y"))
        case .okp(let identifier, let count):
            try expect(type, 1, "key type OKP (1) for \(algorithm.name)")
            try value.expectCurve(identifier, algorithm)
            return .okp(try value.bytes(Label.x, count, "x"))
        case .rsa:
            try expect(type, 3, "key type RSA (3) for \(algorithm.name)")
            return try rsa(value)
        }
    }

    private static func rsa(_ value: CBOR) throws(COSEKeyError) -> Numbers {
        guard let modulus = value[Label.modulus]?.bytes, let exponent = value[Label.exponent]?.bytes else {
            throw COSEKeyError(expected: "n (label -1) and e (label -2) as bytes", got: value.labels)
        }
        // RFC 8230 §4: no leading zeros.
        guard let first = modulus.first, first != 0 else {
            throw COSEKeyError(expected: "n without a leading zero", got: modulus.shortHex)
        }
        guard let last = exponent.last, last & 1 == 1, exponent.count > 1 || last >= 3,
            exponent.count <= WebAuthnLimits.rsaExponentBytes
        else {
            throw COSEKeyError(
                expected: "an odd e of 3 or more in at most \(WebAuthnLimits.rsaExponentBytes) bytes",
                got: exponent.shortHex)
        }
        return .rsa(modulus: modulus, exponent: exponent)
    }

    private static func key(_ numbers: Numbers, _ algorithm: COSEAlgorithm) throws -> VerificationKey {
        switch numbers {
        case .ec(let curve, let x, let y): return try VerificationKey(curve, x: x, y: y)
        case .okp(let bytes):
            return try algorithm == .ed448 ? VerificationKey(ed448: bytes) : VerificationKey(ed25519: bytes)
        case .rsa(let modulus, let exponent):
            let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
            guard WebAuthnLimits.rsaBits ~= bits else {
                let (least, most) = (WebAuthnLimits.rsaBits.lowerBound, WebAuthnLimits.rsaBits.upperBound)
                throw COSEKeyError(expected: "an RSA key of \(least) to \(most) bits", got: "\(bits) bits")
            }
            return try VerificationKey(modulus: modulus, exponent: exponent)
        }
    }

    private static func expect(_ got: Int, _ wanted: Int, _ sentence: String) throws(COSEKeyError) {
        guard got == wanted else { throw COSEKeyError(expected: sentence, got: "\(got)") }
    }
}

extension COSEAlgorithm {
    fileprivate enum Parameters {
        /// The curve and its number in COSE.
        case ec(NamedCurve, Int)
        /// The number of the curve, and the size of a key.
        case okp(Int, Int)
        case rsa
    }

    /// Web Authentication Level 3 §5.8.5 binds each algorithm to one curve.
    fileprivate var parameters: Parameters {
        switch self {
        case .es256, .esp256: .ec(.p256, 1)
        case .es384, .esp384: .ec(.p384, 2)
        case .es512, .esp512: .ec(.p521, 3)
        case .es256k: .ec(.secp256k1, 8)
        case .eddsa, .ed25519: .okp(6, 32)
        case .ed448: .okp(7, 57)
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .rs1: .rsa
        }
    }
}

extension CBOR {
    fileprivate func integer(_ label: Int, _ name: String) throws(COSEKeyError) -> Int {
        guard let number = self[label]?.integer else { throw COSEKeyError(expected: name, got: labels) }
        return number
    }

    fileprivate func bytes(_ label: Int, _ count: Int, _ name: String) throws(COSEKeyError) -> [UInt8] {
        guard let bytes = self[label]?.bytes, bytes.count == count else {
            // A y that is a sign alone, for a compressed point, is not allowed in WebAuthn either.
            throw COSEKeyError(
                expected: "\(name) (label \(label)) of \(count) bytes", got: self[label]?.summary ?? labels)
        }
        return bytes
    }

    fileprivate func expectCurve(_ number: Int, _ algorithm: COSEAlgorithm) throws(COSEKeyError) {
        let got = try integer(COSEKey.Label.curve, "a curve (label -1)")
        guard got == number else {
            throw COSEKeyError(expected: "curve \(number) for \(algorithm.name)", got: "curve \(got)")
        }
    }

    /// The keys of a map that are integers, for sentences.
    fileprivate var labels: String {
        "labels " + (map ?? []).compactMap(\.key.integer).map(String.init).joined(separator: ", ")
    }
}
