package import Essentials

/// What an activation tells the app beside what it keeps.
package struct ActivationResult: Sendable, Equatable {
    package let activationID: String
    /// Eight digits, to be compared with those that the server shows.
    package let fingerprint: String
    package let recovery: RecoveryCode?
    /// Claims of the person; nil when the server tells none.
    package let userInfo: JSONValue?
    package let customAttributes: JSONValue?
}

/// A code with which a lost device is replaced, and its PUK of ten digits.
package struct RecoveryCode: Sendable, Equatable {
    package let code: String
    package let puk: String
}
