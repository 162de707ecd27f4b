import Essentials

/// Claims of an ID token that comes back as a hint.
struct HintedToken: Sendable, Equatable, Decodable {
    let iss: String?
    let sub: String
    let aud: JSONValue
    let sid: String?

    /// Ids of clients that it was made for.
    var audience: [String] { aud.strings ?? aud.string.map { [$0] } ?? [] }
}

/// Why a hint is none.
struct HintFault: Error {
    let reason: String
}
