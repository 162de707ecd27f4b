import Crypto
import Testing

@testable import MIRACL

/// Identities with a key pair: interactive proof and document signature.
@Suite struct KeyPairVectorTests {
    static let rows = Row.all("bn254cx-key-pair.json")

    @Test(arguments: rows)
    func `authorities hand out the published secrets`(_ row: Row) throws {
        let (master, z) = try (row.master(), row.scalar("Z"))
        let identity = try Self.identity(row)

        #expect(try Client.publicKey(for: z).bytes == row.bytes("PUBLIC_KEY"))
        #expect(try identity.hash == row.bytes("HASH_ID_PK_HEX"))
        let secrets = MasterSecret.Share.allCases.map { master.clientSecret($0, for: identity) }
        #expect(try secrets.map(\.hex) == [row.text("CS1"), row.text("CS2")])
        let client = try Client(identity, master: master, pin: row.number("PIN1"), secretExponent: z)
        #expect(try client.token.hex == row.text("TOKEN"))
    }

    @Test(arguments: rows)
    func `the published proofs get the published verdict`(_ row: Row) throws {
        let proof = try MPinProof(
            identity: Self.identity(row), commitment: Commitment(u: row.point("AUTH_U")),
            challenge: row.scalar("AUTH_Y"), v: row.point("AUTH_V"))

        #expect(try row.master().verifies(proof) == row.flag("ACCEPT"))
        #expect(try row.flag("ACCEPT") == (row.number("PIN1") == row.number("PIN2")))
        let distance = try row.number("PIN2") - row.number("PIN1")
        #expect(try row.master().pinDistance(of: proof, limit: 10_000) == distance)
    }

    @Test(arguments: rows)
    func `the published signatures get the published verdict`(_ row: Row) throws {
        let commitment = Commitment(u: try row.point("SIGN_U"))
        let time = try #require(UInt32(exactly: row.number("SIGN_TIME")))

        let challenge = commitment.challenge(timestamp: time, message: try row.bytes("SIGN_MESSAGE"))
        #expect(try challenge == row.scalar("SIGN_Y"))
        #expect(try Self.verdict(row, commitment, challenge) == row.flag("ACCEPT"))
    }

    @Test(arguments: rows.prefix(2))
    func `a signature holds for its document and its time alone`(_ row: Row) throws {
        let commitment = Commitment(u: try row.point("SIGN_U"))
        let time = try #require(UInt32(exactly: row.number("SIGN_TIME")))
        let message = try row.bytes("SIGN_MESSAGE")

        let verdicts = try [(time, message), (time + 1, message), (time, message + [0])].map {
            try Self.verdict(row, commitment, commitment.challenge(timestamp: $0.0, message: $0.1))
        }
        #expect(verdicts == [true, false, false])
    }

    private static func verdict(
        _ row: Row, _ commitment: Commitment, _ challenge: Scalar
    ) throws -> Bool {
        let proof = MPinProof(
            identity: try identity(row), commitment: commitment, challenge: challenge,
            v: try row.point("SIGN_V"))
        return try row.master().verifies(proof)
    }

    private static func identity(_ row: Row) throws -> MPinIdentity {
        try MPinIdentity(row.bytes("MPIN_ID_HEX"), publicKey: G2Point(hex: row.text("PUBLIC_KEY")))
    }
}
