import Crypto
import Essentials
import Testing

@testable import Onegini

/// Examples of the vendor's topic “PIN policy”, and `pin_masking` of the device protocol's vectors.
@Suite struct PINPolicyTests {
    @Test(
        arguments: [
            ("13524", nil), ("90210", .blocked), ("12345", .sequence(step: 1)), ("13579", .sequence(step: 2)),
            ("97531", .sequence(step: -2)), ("54321", .sequence(step: -1)),
            ("11352", nil), ("11135", .similarDigits(limit: 2, found: 3)),
            ("31111", .similarDigits(limit: 2, found: 4)), ("11111", .similarDigits(limit: 2, found: 5)),
            ("1352", .length(expected: 5, found: 4)), ("135246", .length(expected: 5, found: 6)),
            ("1352a", .notDigits), ("78901", nil),
        ] as [(String, PINPolicy.Violation?)])
    func `a PIN obeys the policy or breaks one rule of it`(pin: String, expected: PINPolicy.Violation?) {
        #expect(PINPolicy().violation(of: pin) == expected)
    }

    @Test func `sequences can be allowed`() {
        var policy = PINPolicy()
        policy.allowsSequences = true

        #expect(policy.violation(of: "12345") == nil)
    }

    @Test func `a refresh token is masked by the PIN as the vectors say`() throws {
        let vector = read(Vectors.self, "device.json").pin_masking
        let salt = Digest.sha256(Array("\(vector.client_id):\(vector.profile_id)".utf8))
        let token = try #require(Hex.decode(vector.refresh_token))
        let mask = try mask(vector.pin, salt)
        let stored = zip(token, mask).map { $0 ^ $1 }

        #expect(Hex.encode(salt) == vector.salt_hex)
        #expect(Hex.encode(mask) == vector.mask_hex)
        #expect(Hex.encode(stored) == vector.stored_blob_hex)
        let wrong = zip(stored, try self.mask("13525", salt)).map { $0 ^ $1 }
        #expect(Hex.encode(wrong).uppercased() == vector.unmasked_with_wrong_pin_13525)
    }

    private func mask(_ pin: String, _ salt: [UInt8]) throws -> [UInt8] {
        try KeyDerivation.pbkdf2(
            .sha256, password: Array(pin.utf8), salt: salt, iterations: Profile.pinIterations, count: 32)
    }

    struct Vectors: Decodable {
        struct Masking: Decodable {
            let client_id: String
            let profile_id: String
            let refresh_token: String
            let pin: String
            let salt_hex: String
            let mask_hex: String
            let stored_blob_hex: String
            let unmasked_with_wrong_pin_13525: String
        }
        let pin_masking: Masking
    }
}
