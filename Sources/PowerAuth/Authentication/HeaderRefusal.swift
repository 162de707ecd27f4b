import PlatformKit

/// A header that cannot be read: which parameter, what was expected, what came.
struct HeaderRefusal: Refusal, Equatable {
    let header: String
    let reason: String

    var explanation: String { "The header \(header) cannot be used: \(reason)." }
}
