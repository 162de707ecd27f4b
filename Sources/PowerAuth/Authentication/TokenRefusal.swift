import Essentials
import PlatformKit

/// A MAC token header that is an error, not just an invalid token, with the error code of the management API.
struct TokenRefusal: Refusal, Equatable {
    let code: ManagementCode
    let explanation: String

    static func tooOld(seconds: Int, limit: Int) -> Self {
        Self(
            code: .tokenTooOld,
            explanation:
                "The timestamp of the token header is \(seconds) s old, \(limit) s are allowed; compare the clocks."
        )
    }

    static func tooFarAhead(seconds: Int, limit: Int) -> Self {
        Self(
            code: .tokenTooFarAhead,
            explanation:
                "The timestamp of the token header is \(seconds) s in the future, \(limit) s are allowed; "
                + "compare the clocks.")
    }

    static func replayed(tokenID id: String) -> Self {
        Self(
            code: .invalidRequest,
            explanation:
                "This header of the token \(id) was presented before: each may be verified once. A gateway and a "
                + "service that both verify it run into this.")
    }
}
