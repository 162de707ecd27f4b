/// An authentication code that was not right, and what there is to find out why.
struct WrongCode: Sendable, Equatable {
    /// Of another version of the application, or of another application.
    struct Secret: Sendable, Equatable {
        let application: String
        let version: String
        let text: String
    }

    let activation: String
    let code: String
    /// As claimed, the likeliest first; of an online code the only one.
    let types: [SignatureType]
    let format: AuthenticationCodeFormat
    let keys: FactorKeys
    /// What was expected before the check.
    let counter: HashCounter
    let counterNumber: Int
    let lookAhead: Int
    /// What the code should cover, in each form that would have been right.
    let claims: [SignedData]
    /// Where the counter was once; nil when nothing is known of before.
    let mark: CounterMark?
    let otherSecrets: [Secret]
    /// Resources for which codes were right in this world.
    let seenResources: [String]
}
