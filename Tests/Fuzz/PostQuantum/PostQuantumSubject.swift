import PostQuantum

/// Keys, ciphertexts and signatures that were changed on their way: none is taken for what it was, and none does harm.
///
/// An input is a byte that names the case and bytes that replace a part of what was sent: two of where, then what.
struct PostQuantumSubject: Subject {
    static let name = "pqc"
    static let memoryMiB: Int? = 64

    let corpus: [[UInt8]] = (0..<16).map { [UInt8($0), 0, 0, 1, 2, 3] }
    let dictionary: [[UInt8]] = [
        [0xFF, 0xFF, 0xFF], [0, 0, 0], [0x01, 0x0D, 0xD0], [4, 0x30], [9, 0x60], [12, 0xE0], [0x80],
    ]

    private let exchanges: [Exchange]
    private let signatures: [Signed]

    private struct Exchange {
        let pair: MLKEM.DecapsulationKey
        let told: MLKEM.Encapsulated
    }

    private struct Signed {
        let pair: MLDSA.SigningKey
        let signature: [UInt8]
    }

    init() {
        exchanges = MLKEM.allCases.compactMap { set in
            guard let pair = try? MLKEM.DecapsulationKey(set, seed: [UInt8](0..<64)),
                let told = try? pair.encapsulationKey.encapsulate(message: [UInt8](0..<32))
            else { return nil }
            return Exchange(pair: pair, told: told)
        }
        signatures = MLDSA.allCases.compactMap { set in
            guard let pair = try? MLDSA.SigningKey(set, seed: [UInt8](0..<32)),
                let signature = try? pair.sign(Self.message)
            else { return nil }
            return Signed(pair: pair, signature: signature)
        }
    }

    private static let message = [UInt8]("fuzz".utf8)

    func check(_ input: [UInt8], _ random: inout SplitMix64) throws(Violation) {
        guard let choice = input.first, exchanges.count == 2, signatures.count == 2 else {
            if input.isEmpty { return }
            throw Violation("there are no keys")
        }
        let patch = input.dropFirst()
        switch choice % 6 {
        case 0: try checkCiphertext(exchanges[Int(choice / 6) % 2], patch)
        case 1: try checkEncapsulationKey(exchanges[Int(choice / 6) % 2], patch)
        case 2: try checkPair(exchanges[Int(choice / 6) % 2], patch)
        case 3: try checkSignature(signatures[Int(choice / 6) % 2], patch)
        case 4: try checkVerificationKey(signatures[Int(choice / 6) % 2], patch)
        default: try checkInfo(signatures[Int(choice / 6) % 2], patch)
        }
    }

    private func checkCiphertext(_ exchange: Exchange, _ patch: ArraySlice<UInt8>) throws(Violation) {
        let bent = Self.patched(exchange.told.ciphertext, patch)
        guard let secret = try? exchange.pair.decapsulate(bent) else {
            return try Self.expectOtherSize(bent, exchange.told.ciphertext)
        }
        guard (secret == exchange.told.secret) == (bent == exchange.told.ciphertext) else {
            throw Violation("a changed ciphertext tells the same secret")
        }
    }

    private func checkEncapsulationKey(_ exchange: Exchange, _ patch: ArraySlice<UInt8>) throws(Violation) {
        let bent = Self.patched(exchange.pair.encapsulationKey.bytes, patch)
        guard let key = try? MLKEM.EncapsulationKey(exchange.pair.set, bent),
            let told = try? key.encapsulate(message: [UInt8](0..<32))
        else { return }
        guard (told == exchange.told) == (bent == exchange.pair.encapsulationKey.bytes) else {
            throw Violation("a changed key makes the same of a message")
        }
    }

    private func checkPair(_ exchange: Exchange, _ patch: ArraySlice<UInt8>) throws(Violation) {
        let bent = Self.patched(exchange.pair.bytes, patch)
        guard let pair = try? MLKEM.DecapsulationKey(exchange.pair.set, expanded: bent) else { return }
        guard (try? pair.decapsulate(exchange.told.ciphertext)) != nil else {
            throw Violation("a key pair that was taken decapsulates nothing")
        }
        // The hash binds the public half; the secret vector and what takes a secret's place are the owner's own.
        guard pair.encapsulationKey == exchange.pair.encapsulationKey else {
            throw Violation("a changed public half was taken")
        }
    }

    private func checkSignature(_ signed: Signed, _ patch: ArraySlice<UInt8>) throws(Violation) {
        let bent = Self.patched(signed.signature, patch)
        let isValid = signed.pair.verificationKey.isValid(bent, for: Self.message)
        guard isValid == (bent == signed.signature) else { throw Violation("a changed signature is valid") }
    }

    private func checkVerificationKey(_ signed: Signed, _ patch: ArraySlice<UInt8>) throws(Violation) {
        let bent = Self.patched(signed.pair.verificationKey.bytes, patch)
        guard let key = try? MLDSA.VerificationKey(signed.pair.set, bent) else {
            return try Self.expectOtherSize(bent, signed.pair.verificationKey.bytes)
        }
        guard key.isValid(signed.signature, for: Self.message) == (key == signed.pair.verificationKey) else {
            throw Violation("a signature is another key's as well")
        }
    }

    private func checkInfo(_ signed: Signed, _ patch: ArraySlice<UInt8>) throws(Violation) {
        let bent = Self.patched(signed.pair.verificationKey.subjectPublicKeyInfo, patch)
        guard let key = try? MLDSA.VerificationKey(signed.pair.set, subjectPublicKeyInfo: bent) else {
            return
        }
        guard key.subjectPublicKeyInfo == bent else { throw Violation("a key has two spellings") }
    }

    private static func expectOtherSize(_ bent: [UInt8], _ whole: [UInt8]) throws(Violation) {
        guard bent.count != whole.count else { throw Violation("bytes of the right length were refused") }
    }

    /// Two bytes of `patch` say where its others go. The highest bit of the place lets them make the whole longer instead of taking the place of
    /// what was there.
    private static func patched(_ whole: [UInt8], _ patch: ArraySlice<UInt8>) -> [UInt8] {
        guard patch.count > 2, let first = patch.first else { return whole }
        let place = (Int(first) << 8 | Int(patch[patch.startIndex + 1])) % 0x8000 % whole.count
        let bytes = patch.dropFirst(2)
        var bent = whole
        if first & 0x80 != 0 {
            bent.insert(contentsOf: bytes, at: place)
        } else {
            bent.replaceSubrange(place..<min(whole.count, place + bytes.count), with: bytes)
        }
        return bent
    }
}
