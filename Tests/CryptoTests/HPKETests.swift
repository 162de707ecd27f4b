import Crypto
import Testing

struct HPKETests {
    struct Vector: Decodable {
        let curve: String
        let info, ephemeral, recipient, encapsulated, context, exported: HexBytes
    }

    @Test(arguments: vectors(Vector.self, "crypto/rfc9180.json"))
    func `both sides export what RFC 9180 does`(_ vector: Vector) throws {
        let curve = try #require(Curve(rawValue: vector.curve))
        let recipient = try PrivateKey(curve, scalar: vector.recipient.bytes)
        let count = vector.exported.bytes.count

        let sent = try HPKE(curve).send(
            to: CurvePoint(recipient.publicKey),
            ephemeral: PrivateKey(curve, scalar: vector.ephemeral.bytes), info: vector.info.bytes,
            exporting: vector.context.bytes, count: count)
        #expect(sent.encapsulated == vector.encapsulated.bytes)
        #expect(sent.secret == vector.exported.bytes)
        let received = try HPKE(curve).receive(
            CurvePoint(curve, x962: sent.encapsulated), by: recipient, info: vector.info.bytes,
            exporting: vector.context.bytes, count: count)
        #expect(received == vector.exported.bytes)
    }

    @Test func `a key of another curve is an error`() throws {
        let (own, other) = (try PrivateKey.generate(.ec(.p384)), try PrivateKey.generate(.ec(.p256)))

        #expect(throws: CryptoError.self) {
            try HPKE(.p384).send(
                to: CurvePoint(other.publicKey), ephemeral: own, info: [], exporting: [], count: 48)
        }
    }
}
