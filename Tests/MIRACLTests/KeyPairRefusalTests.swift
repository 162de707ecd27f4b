import Crypto
import Testing

@testable import MIRACL

/// Each starts from a good proof of an identity with a key pair and changes one thing.
struct KeyPairRefusalTests {
    @Test func `a proof holds for its own key and its own master secret alone`() throws {
        let (master, id) = (try someMaster(), Array("id".utf8))
        let (key, otherKey) = try (Client.publicKey(for: number("z")), Client.publicKey(for: number("o")))
        let identity = MPinIdentity(id, publicKey: key)
        let client = Client(identity, master: master, pin: 1234, secretExponent: number("z"))
        let (commitment, y) = (client.commitment(number("x")), number("y"))
        let v = client.proof(number("x"), challenge: y, pin: 1234)
        func verdict(
            _ master: MasterSecret, _ identity: MPinIdentity, _ v: G1Point
        ) -> Bool {
            master.verifies(MPinProof(identity: identity, commitment: commitment, challenge: y, v: v))
        }

        #expect(verdict(master, identity, v))
        #expect(!verdict(master, MPinIdentity(id, publicKey: otherKey), v))
        #expect(!verdict(master, MPinIdentity(id), v))
        #expect(!verdict(try MasterSecret(first: number("a"), second: number("b")), identity, v))
        #expect(!verdict(master, identity, -v))
        // What the server could compute for an identity without a key.
        #expect(!verdict(master, identity, -master.sum * (commitment.u + y * identity.point)))
        // With the right secret exponent and the wrong PIN.
        #expect(!verdict(master, identity, client.proof(number("x"), challenge: y, pin: 1235)))
    }

    @Test func `the pairing is bilinear and tells points apart`() throws {
        let (point, a, b) = (someIdentity.point, number("a"), number("b"))
        let multiple = b * G2Point.generator
        let key = try #require(multiple)

        #expect(Pairing.productIsOne([(a * point, key), (-(a * b) * point, .generator)]))
        #expect(Pairing.productIsOne([(point, key), (-point, key)]))
        #expect(!Pairing.productIsOne([(point, .generator)]))
        #expect(!Pairing.productIsOne([(point, .generator), (point, .generator)]))
        #expect(!Pairing.productIsOne([(a * point, key), (-(a * b + Scalar(1)) * point, .generator)]))
        #expect(!Pairing.productIsOne([(point - point, .generator)]))
    }
}
