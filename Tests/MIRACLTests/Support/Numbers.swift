import Crypto

@testable import MIRACL

/// Hashes are as good as numbers that were drawn, and the same in every run.
func number(_ name: String) -> Scalar { Scalar(reducing: Digest.sha256(Array(name.utf8))) }

let someIdentity = MPinIdentity(Array(#"{"userID":"ada@example.com","salt":"c2FsdA"}"#.utf8))

func someMaster() throws -> MasterSecret {
    try MasterSecret(first: number("first authority"), second: number("second authority"))
}
