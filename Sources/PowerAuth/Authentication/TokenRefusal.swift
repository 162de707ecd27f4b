import Essentials
import PlatformKit

/// A MAC token header that is an error, not just an invalid token.
enum TokenRefusal: Refusal, Equatable {
    /// `ERR0030`
    case tooOld(seconds: Int, limit: Int)
    /// `ERR0044`
    case tooFarAhead(seconds: Int, limit: Int)
    /// `ERR0024`
    case replayed(tokenID: String)

    var explanation: String {
        switch self {
        case .tooOld(let seconds, let limit):
            "The timestamp of the token header is \(seconds) s old, \(limit) s are allowed; compare the clocks."
        case .tooFarAhead(let seconds, let limit):
            "The timestamp of the token header is \(seconds) s in the future, \(limit) s are allowed; compare the clocks."
        case .replayed(let id):
            "This header of the token \(id) was presented before: each may be verified once. A gateway and a service that both "
                + "verify it run into this."
        }
    }
}
