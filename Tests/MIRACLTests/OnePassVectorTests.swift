import Crypto
import Testing

@testable import MIRACL

/// Identities without a key pair, proof without a challenge of the server.
@Suite struct OnePassVectorTests {
    static let rows = Row.all("bn254cx-one-pass-permits.json")

    @Test(arguments: rows)
    func `authorities hand out the published secrets and permits`(_ row: Row) throws {
        let master = try row.master()
        let identity = MPinIdentity(try row.bytes("MPIN_ID_HEX"))
        let day = try #require(UInt32(exactly: row.number("DATE")))

        #expect(try identity.hash == row.bytes("HASH_MPIN_ID_HEX"))
        let secrets = MasterSecret.Share.allCases.map { master.clientSecret($0, for: identity) }
        #expect(try secrets.map(\.hex) == [row.text("CS1"), row.text("CS2")])
        #expect(try (secrets[0] + secrets[1]).hex == row.text("CLIENT_SECRET"))
        let permits = MasterSecret.Share.allCases.map { master.timePermit($0, for: identity, day: day) }
        #expect(try permits.map(\.hex) == [row.text("TP1"), row.text("TP2")])
        #expect(try (permits[0] + permits[1]).hex == row.text("TIME_PERMIT"))
        #expect(try Client(identity, master: master, pin: row.number("PIN1")).token.hex == row.text("TOKEN"))
        #expect(try (master.sum * G2Point.generator)?.bytes == row.bytes("SERVER_SECRET"))
    }

    @Test(arguments: rows)
    func `the published proofs get the published verdict`(_ row: Row) throws {
        let master = try row.master()
        let identity = MPinIdentity(try row.bytes("MPIN_ID_HEX"))
        let client = try Client(identity, master: master, pin: row.number("PIN1"))
        let commitment = try row.permittedCommitment()
        let time = try #require(UInt32(exactly: row.number("TimeValue")))

        let challenge = commitment.challenge(timestamp: time, message: [])
        #expect(try challenge == row.scalar("Y"))
        let x = try row.scalar("X")
        #expect(client.commitment(x, day: commitment.permitted?.day) == commitment)
        let (pin, permit) = try (row.number("PIN2"), row.point("TIME_PERMIT"))
        #expect(client.proof(x, challenge: challenge, pin: pin, permit: permit).hex == (try row.text("SEC")))
        let proof = try MPinProof(
            identity: identity, commitment: commitment, challenge: challenge, v: row.point("SEC"))
        #expect(try master.verifies(proof) == row.isGood())
        #expect(try master.pinDistance(of: proof, limit: 10_000) == pin - row.number("PIN1"))
    }
}
