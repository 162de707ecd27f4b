import HTTPClient
import PlatformKit

/// Where a recording is played.
struct ComparisonPlace {
    let worlds: Worlds
    /// Base URL of the server, without a slash at its end.
    let server: String
    /// The control token; nil where none is asked for.
    var token: String?
    var trust = HTTPClient.Trust.system
}
