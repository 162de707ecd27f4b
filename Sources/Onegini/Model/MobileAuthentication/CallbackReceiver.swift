/// A URL that may be told of results, and how the server proves itself there: by HTTP Basic, when a user name is given.
///
/// Source: Token Server documentation, topic «mobile authentication», callback configuration.
struct CallbackReceiver: Codable, Sendable, Equatable {
    var url: String
    var username: String?
    var password: String?
}
