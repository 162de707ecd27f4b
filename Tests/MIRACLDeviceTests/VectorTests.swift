import Crypto
import Testing

@testable import MIRACLDevice

/// What a client computes, against the vectors of the Apache Milagro Crypto Library and of the library inside the Trust SDK.
@Suite struct VectorTests {
    @Test(arguments: Row.all("bn254cx-two-pass-plain.json"))
    func `proofs in two passes are the published ones`(_ row: Row) throws {
        let token = try token(row)
        let (x, y) = try (scalar(row, "X"), scalar(row, "Y"))

        #expect(token.token == (try row.text("TOKEN")))
        #expect(try Hex.encode(token.commitment(x).x962) == row.text("U"))
        let v = try token.answer(x, y, pin: String(row.number("PIN2")))
        #expect(try Hex.encode(v.x962) == row.text("V"))
    }

    @Test(arguments: Row.all("bn254cx-two-pass-permits.json"))
    func `proofs with a permit are the published ones`(_ row: Row) throws {
        let token = try token(row)
        let (x, y) = try (scalar(row, "X"), scalar(row, "Y"))
        let day = try #require(UInt32(exactly: row.number("DATE")))
        let permit = try MPinCurve.point(hex: row.text("TP1")) + MPinCurve.point(hex: row.text("TP2"))

        #expect(token.token == (try row.text("TOKEN")))
        #expect(try Hex.encode(token.permittedCommitment(x, day: day).x962) == row.text("UT"))
        let v = try token.answer(x, y, pin: String(row.number("PIN2")), permit: permit)
        #expect(try Hex.encode(v.x962) == row.text("V"))
    }

    @Test(arguments: Row.all("bn254cx-one-pass-permits.json"))
    func `signatures are the published ones`(_ row: Row) throws {
        let token = try token(row)
        let x = try scalar(row, "X")
        let day = try #require(UInt32(exactly: row.number("DATE")))
        let time = try #require(UInt32(exactly: row.number("TimeValue")))
        let permit = try MPinCurve.point(hex: row.text("TP1")) + MPinCurve.point(hex: row.text("TP2"))

        // With a permit its commitment stands in the place of the plain one.
        let y = try MPinToken.challenge(time, token.permittedCommitment(x, day: day), [])
        #expect(try y == scalar(row, "Y"))
        let v = try token.answer(x, y, pin: String(row.number("PIN2")), permit: permit)
        #expect(try Hex.encode(v.x962) == row.text("SEC"))
    }

    @Test(arguments: Row.all("bn254cx-key-pair.json"))
    func `key pairs, their tokens and challenges are the published ones`(_ row: Row) throws {
        let key = try TwistKey(secret: scalar(row, "Z"))
        #expect(try key.publicText == row.text("PUBLIC_KEY"))
        #expect(try token(row, key: key).token == row.text("TOKEN"))
        let time = try #require(UInt32(exactly: row.number("SIGN_TIME")))
        let u = try MPinCurve.point(hex: row.text("SIGN_U"))
        #expect(try MPinToken.challenge(time, u, row.bytes("SIGN_MESSAGE")) == scalar(row, "SIGN_Y"))
    }

    @Test func `what is no point, number or PIN is told from what is`() throws {
        let row = try #require(Row.all("bn254cx-two-pass-plain.json").first)
        let share = try row.text("CS1")
        let changed = String(share.dropLast()) + (share.hasSuffix("0") ? "1" : "0")
        for text in ["", "00", "zz", changed, String(share.dropLast(2)), "02" + share.dropFirst(2)] {
            #expect(throws: (any Error).self) { try MPinCurve.point(hex: text) }
        }
        for text in ["", String(repeating: "0", count: 64), String(repeating: "f", count: 64), "0a"] {
            #expect(throws: (any Error).self) { try MPinCurve.scalar(hex: text) }
        }
        let token = try token(row)
        for pin in ["", "12 4", "-123", "1234567", "١٢٣٤"] {
            #expect(throws: (any Error).self) {
                try token.answer(scalar(row, "X"), scalar(row, "Y"), pin: pin)
            }
        }
    }

    private func token(_ row: Row, key: TwistKey? = nil) throws -> MPinToken {
        let shares = try ["CS1", "CS2"].map { try MPinCurve.point(hex: row.text($0)) }
        return try MPinToken(
            mpinID: row.text("MPIN_ID_HEX"), dtas: "", shares: shares, key: key,
            pin: String(row.number("PIN1")))
    }

    private func scalar(_ row: Row, _ name: String) throws -> FieldElement {
        try MPinCurve.scalar(hex: row.text(name))
    }
}
