import Crypto
import Testing
import WebAuthn

@Suite struct CompoundTests {
    let forge: Forge
    let part: CBOR

    init() throws {
        forge = try Forge()
        let signature = try Forge.sign(forge.signed(), forge.key)
        part = Forge.map([
            ("fmt", .text("packed")),
            ("attStmt", Forge.map([("alg", CBOR(-7)), ("sig", .bytes(signature))])),
        ])
    }

    func refusal(_ statement: CBOR) -> WebAuthnCheck? {
        #expect(throws: WebAuthnRefusal.self) { try forge.verify("compound", statement) }?.check
    }

    @Test func `all statements of a compound one are verified`() throws {
        let none = Forge.map([("fmt", .text("none")), ("attStmt", .map([]))])
        let registration = try forge.verify("compound", .array([part, none]))

        #expect(registration.attestation.type == .compound)
        #expect(registration.attestation.parts.map(\.format) == [.packed, .none])
        #expect(registration.trust == .selfAttested)
    }

    @Test func `fewer than two, a nested one, a wrong one and what is no list are refused`() throws {
        let nested = Forge.map([("fmt", .text("compound")), ("attStmt", .array([part, part]))])
        let wrong = Forge.map([
            ("fmt", .text("packed")),
            ("attStmt", Forge.map([("alg", CBOR(-7)), ("sig", .bytes([0]))])),
        ])
        #expect(refusal(.array([part])) == .attestationStatement)
        #expect(refusal(.map([])) == .attestationStatement)
        #expect(refusal(.array([part, .null])) == .attestationStatement)
        #expect(refusal(.array([part, nested])) == .attestationFormat)
        #expect(refusal(.array([part, wrong])) == .attestationSignature)
        #expect(refusal(.array(Array(repeating: part, count: 9))) == .attestationStatement)
    }
}
