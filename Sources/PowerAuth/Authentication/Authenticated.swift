/// Who sent a request that was authenticated.
struct Authenticated: Sendable, Equatable {
    /// After the check; it is active.
    let activation: Activation
    let application: Application
    /// Factors of the code, or those with which the token was made.
    let type: SignatureType
    /// What the request speaks.
    let version: ProtocolVersion
}
