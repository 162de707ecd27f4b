import Crypto
import PostQuantum
import Testing

/// The heads are those of RFC 9935 and RFC 9881.
struct SubjectPublicKeyInfoTests {
    @Test(arguments: [
        (MLKEM.mlkem768, "308204b2300b0609608648016503040402038204a100"),
        (.mlkem1024, "30820632300b06096086480165030404030382062100"),
    ])
    func `a key of ML-KEM carries its algorithm`(_ set: MLKEM, _ head: String) throws {
        let key = try MLKEM.DecapsulationKey(set, seed: MLKEMTests.seed).encapsulationKey
        let der = key.subjectPublicKeyInfo

        #expect(der == (try #require(Hex.decode(head))) + key.bytes)
        #expect(der.count == set.subjectPublicKeyInfoCount)
        #expect(try MLKEM.EncapsulationKey(set, subjectPublicKeyInfo: der) == key)
        for bent in bent(der, head.count / 2) {
            #expect(throws: PostQuantumError.self) {
                try MLKEM.EncapsulationKey(set, subjectPublicKeyInfo: bent)
            }
        }
    }

    @Test(arguments: [
        (MLDSA.mldsa65, "308207b2300b0609608648016503040312038207a100"),
        (.mldsa87, "30820a32300b060960864801650304031303820a2100"),
    ])
    func `a key of ML-DSA carries its algorithm`(_ set: MLDSA, _ head: String) throws {
        let key = try MLDSA.SigningKey(set, seed: MLDSATests.seed).verificationKey
        let der = key.subjectPublicKeyInfo

        #expect(der == (try #require(Hex.decode(head))) + key.bytes)
        #expect(der.count == set.subjectPublicKeyInfoCount)
        #expect(try MLDSA.VerificationKey(set, subjectPublicKeyInfo: der) == key)
        for bent in bent(der, head.count / 2) {
            #expect(throws: PostQuantumError.self) {
                try MLDSA.VerificationKey(set, subjectPublicKeyInfo: bent)
            }
        }
    }

    private func bent(_ der: [UInt8], _ headCount: Int) -> [[UInt8]] {
        let others = (0..<headCount).map { place in
            var other = der
            other[place] ^= 1
            return other
        }
        return others + [[], Array(der.dropLast()), der + [0]]
    }
}
