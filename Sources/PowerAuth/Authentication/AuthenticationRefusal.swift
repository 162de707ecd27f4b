import PlatformKit

/// Why a request of a device was not authenticated. Every API says it in its own words.
struct AuthenticationRefusal: Refusal, Equatable {
    enum Cause: Sendable, Equatable {
        case headerMissing(String)
        case headerMalformed(HeaderRefusal)
        /// Refused before anything was checked; nothing is counted.
        case typeNotAllowed(SignatureType, allowed: Set<SignatureType>)
        case invalid(AuthenticationOutcome)
        /// Of a MAC token alone.
        case token(TokenRefusal)
    }

    let cause: Cause

    init(_ cause: Cause) { self.cause = cause }

    var explanation: String {
        switch cause {
        case .headerMissing(let name): "The header \(name) is missing."
        case .headerMalformed(let refusal): refusal.explanation
        case .typeNotAllowed(let type, let allowed):
            "This endpoint does not accept \(type.rawValue), only "
                + allowed.map(\.rawValue).sorted().joined(separator: ", ")
                + "; the code was not checked and costs no attempt."
        case .invalid(let outcome): outcome.explanation
        case .token(let refusal): refusal.explanation
        }
    }
}
