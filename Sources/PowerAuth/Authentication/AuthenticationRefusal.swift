import PlatformKit

/// Why a request of a device was not authenticated. Every API says it in its own words.
struct AuthenticationRefusal: Refusal, Equatable {
    private let sentence: String
    /// What was checked, in place of the sentence; it may take milliseconds to explain.
    private var outcome: AuthenticationOutcome?
    /// Whether it is the type that is not accepted here: refused before anything was checked.
    private(set) var isOfType = false

    private init(_ sentence: String) { self.sentence = sentence }

    var explanation: String { outcome?.explanation ?? sentence }
}

extension AuthenticationRefusal {
    static func headerMissing(_ name: String) -> Self { Self("The header \(name) is missing.") }

    static func headerMalformed(_ refusal: HeaderRefusal) -> Self { Self(refusal.explanation) }

    /// Refused before anything was checked; nothing is counted.
    static func typeNotAllowed(_ type: SignatureType, allowed: Set<SignatureType>) -> Self {
        var refusal = Self(
            "This endpoint does not accept \(type.rawValue), only "
                + allowed.map(\.rawValue).sorted().joined(separator: ", ")
                + "; the code was not checked and costs no attempt.")
        refusal.isOfType = true
        return refusal
    }

    /// Refused before anything was checked; nothing is counted.
    static func versionOutOfPlace(_ version: RequestVersion, expected generation: Int) -> Self {
        Self(
            "The header speaks version \(version.rawValue), and this path is one of protocol \(generation); the code was not checked "
                + "and costs no attempt.")
    }

    static func invalid(_ outcome: AuthenticationOutcome) -> Self {
        var refusal = Self("The request was not authenticated.")
        refusal.outcome = outcome
        return refusal
    }

    /// Of a MAC token alone.
    static func token(_ refusal: TokenRefusal) -> Self { Self(refusal.explanation) }
}
