import Essentials

/// A push as the two services would carry it.
///
/// Source: documentation of the PowerAuth Push Server and of the Mobile Token SDKs; public documents of APNs and FCM.
struct PushForms: Sendable {
    let message: PushMessage

    /// The payload that an app on iOS gets.
    var apns: JSONValue {
        var aps: [String: JSONValue] = [:]
        if message.isSilent {
            aps["content-available"] = 1
        } else {
            var alert: [String: JSONValue] = [:]
            alert["title"] = message.title.map(JSONValue.string)
            alert["body"] = message.body.map(JSONValue.string)
            aps["alert"] = .object(alert)
            aps["sound"] = message.sound.map(JSONValue.string)
        }
        return .object(message.extras.merging(["aps": .object(aps)]) { _, own in own })
    }

    /// The message that FCM is given; its `data` has texts alone.
    var fcm: JSONValue {
        var form: [String: JSONValue] = [:]
        if !message.extras.isEmpty {
            form["data"] = .object(message.extras.mapValues { .string($0.string ?? $0.text) })
        }
        if !message.isSilent {
            var notification: [String: JSONValue] = [:]
            notification["title"] = message.title.map(JSONValue.string)
            notification["body"] = message.body.map(JSONValue.string)
            form["notification"] = .object(notification)
            if let sound = message.sound {
                form["android"] = ["notification": ["sound": .string(sound)]]
            }
        }
        return .object(form)
    }
}

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
