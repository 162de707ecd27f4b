import Testing

@testable import MIRACL

extension Row {
    func point(_ name: String) throws -> G1Point { try G1Point(hex: text(name)) }

    func scalar(_ name: String) throws -> Scalar { try Scalar(hex: text(name)) }

    func master() throws -> MasterSecret {
        try MasterSecret(first: scalar("MS1"), second: scalar("MS2"))
    }

    /// The commitment of the files with time permits.
    func permittedCommitment() throws -> Commitment {
        let day = try #require(UInt32(exactly: number("DATE")))
        return try Commitment(u: point("U"), permitted: Commitment.Permitted(ut: point("UT"), day: day))
    }
}
