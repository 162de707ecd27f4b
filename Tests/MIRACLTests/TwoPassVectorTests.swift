import Crypto
import Testing

@testable import MIRACL

/// Identities without a key pair, interactive proof.
struct TwoPassVectorTests {
    @Test(arguments: Row.all("bn254cx-two-pass-plain.json") + Row.all("bn254cx-two-pass-permits.json"))
    func `authorities hand out the published secrets`(_ row: Row) throws {
        let master = try row.master()
        let identity = MPinIdentity(try row.bytes("MPIN_ID_HEX"))

        #expect(try identity.hash == row.bytes("HASH_MPIN_ID_HEX"))
        #expect(try Array(row.text("mpin_id").utf8) == row.bytes("MPIN_ID_HEX"))
        let secrets = MasterSecret.Share.allCases.map { master.clientSecret($0, for: identity) }
        #expect(try secrets.map(\.hex) == [row.text("CS1"), row.text("CS2")])
        #expect(try (secrets[0] + secrets[1]).hex == row.text("CLIENT_SECRET"))
        let client = try Client(identity, master: master, pin: row.number("PIN1"))
        #expect(try client.token.hex == row.text("TOKEN"))
        #expect(try (master.sum * G2Point.generator)?.bytes == row.bytes("SERVER_SECRET"))
    }

    @Test(arguments: Row.all("bn254cx-two-pass-permits.json"))
    func `authorities hand out the published time permits`(_ row: Row) throws {
        let master = try row.master()
        let identity = MPinIdentity(try row.bytes("MPIN_ID_HEX"))
        let day = try #require(UInt32(exactly: row.number("DATE")))

        let permits = MasterSecret.Share.allCases.map { master.timePermit($0, for: identity, day: day) }
        #expect(try permits.map(\.hex) == [row.text("TP1"), row.text("TP2")])
        #expect(try (permits[0] + permits[1]).hex == row.text("TIME_PERMIT"))
    }

    @Test(arguments: Row.all("bn254cx-two-pass-plain.json"))
    func `the published proofs without a permit get the published verdict`(_ row: Row) throws {
        let master = try row.master()
        let identity = MPinIdentity(try row.bytes("MPIN_ID_HEX"))
        let client = try Client(identity, master: master, pin: row.number("PIN1"))
        let (x, y) = try (row.scalar("X"), row.scalar("Y"))

        #expect(try client.commitment(x).u.hex == row.text("U"))
        #expect(try client.proof(x, challenge: y, pin: row.number("PIN2")).hex == row.text("V"))
        let proof = try MPinProof(
            identity: identity, commitment: Commitment(u: row.point("U")), challenge: y, v: row.point("V"))
        #expect(try master.verifies(proof) == row.isGood())
        let distance = try row.number("PIN2") - row.number("PIN1")
        #expect(master.pinDistance(of: proof, limit: 10_000) == distance)
    }

    @Test(arguments: Row.all("bn254cx-two-pass-permits.json"))
    func `the published proofs with a permit get the published verdict`(_ row: Row) throws {
        let master = try row.master()
        let identity = MPinIdentity(try row.bytes("MPIN_ID_HEX"))
        let client = try Client(identity, master: master, pin: row.number("PIN1"))
        let (x, y) = try (row.scalar("X"), row.scalar("Y"))
        let commitment = try row.permittedCommitment()

        #expect(client.commitment(x, day: commitment.permitted?.day) == commitment)
        let (pin, permit) = try (row.number("PIN2"), row.point("TIME_PERMIT"))
        #expect(client.proof(x, challenge: y, pin: pin, permit: permit).hex == (try row.text("V")))
        let proof = try MPinProof(
            identity: identity, commitment: commitment, challenge: y, v: row.point("V"))
        #expect(try master.verifies(proof) == row.isGood())
        #expect(try master.pinDistance(of: proof, limit: 10_000) == pin - row.number("PIN1"))
    }
}
