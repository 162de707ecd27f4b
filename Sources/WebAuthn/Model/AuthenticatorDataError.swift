/// What is wrong with authenticator data.
package struct AuthenticatorDataError: Error, Equatable {
    package enum Part: Sendable, Equatable {
        case layout, credentialIDLength, publicKey
    }

    package let part: Part
    package let expected: String
    package let got: String
}
