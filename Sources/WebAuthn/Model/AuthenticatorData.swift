import Crypto

/// What an authenticator signs. Source: Web Authentication Level 3 §6.1.
package struct AuthenticatorData: Sendable, Equatable {
    /// As it came; signatures are over these.
    package let bytes: [UInt8]
    /// 32 bytes
    package let rpIDHash: [UInt8]
    package let flags: AuthenticatorFlags
    package let signCount: UInt32
    package let credential: AttestedCredential?
    /// A map, when there are extensions.
    package let extensions: CBOR?
}

/// The part of authenticator data that a new credential is. Source: Web Authentication Level 3 §6.5.1.
package struct AttestedCredential: Sendable, Equatable {
    /// 16 bytes
    package let aaguid: [UInt8]
    package let id: [UInt8]
    package let publicKey: COSEKey

    /// As lists of authenticators write it: a UUID in lower case.
    package var aaguidText: String {
        let digits = Hex.encode(aaguid)
        let dashes = [8, 12, 16, 20]
        return digits.enumerated().map { dashes.contains($0) ? "-\($1)" : "\($1)" }.joined()
    }
}

/// What is wrong with authenticator data.
package struct AuthenticatorDataError: Error, Equatable {
    package enum Part: Sendable, Equatable {
        case layout, credentialIDLength, publicKey
    }

    package let part: Part
    package let expected: String
    package let got: String
}
