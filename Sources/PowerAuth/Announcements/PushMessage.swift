import Essentials

/// A push to the devices of a user. It is never delivered: it ends in the outbox with its APNs and FCM forms.
struct PushMessage: Sendable, Equatable {
    let user: String
    /// One device alone.
    var activation: String?
    /// Only devices of these; of any when nil.
    var applications: [String]?
    var title: String?
    var body: String?
    var sound: String?
    var isSilent = false
    /// Custom data, such as `messageType` and `operationId`.
    var extras: [String: JSONValue] = [:]
}
