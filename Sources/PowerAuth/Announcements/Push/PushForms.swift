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
            let look = message.look
            var alert: [String: JSONValue] = [:]
            alert["title"] = message.title.map(JSONValue.string)
            alert["title-loc-key"] = look.titleKey.map(JSONValue.string)
            alert["title-loc-args"] = look.titleArguments.map { JSONValue($0) }
            alert["body"] = message.body.map(JSONValue.string)
            alert["loc-key"] = look.bodyKey.map(JSONValue.string)
            alert["loc-args"] = look.bodyArguments.map { JSONValue($0) }
            aps["alert"] = .object(alert)
            aps["sound"] = message.sound.map(JSONValue.string)
            aps["badge"] = look.badge.map(JSONValue.integer)
            aps["category"] = look.category.map(JSONValue.string)
            aps["thread-id"] = look.collapseKey.map(JSONValue.string)
        }
        return .object(message.extras.merging(["aps": .object(aps)]) { _, own in own })
    }

    /// Header fields of the request to APNs, where they are not its standard. `apns-expiration` is in seconds since 1970.
    var apnsHeaders: [String: JSONValue] {
        var fields: [String: JSONValue] = [:]
        fields["apns-priority"] = message.delivery.isUnhurried ? "5" : nil
        fields["apns-expiration"] = message.delivery.validUntil.map {
            .string(String($0.unixMilliseconds / 1000))
        }
        return fields
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
            form["android"] = android.isEmpty ? nil : .object(android)
        }
        return .object(form)
    }

    private var android: [String: JSONValue] {
        let look = message.look
        var shown: [String: JSONValue] = [:]
        shown["sound"] = message.sound.map(JSONValue.string)
        shown["icon"] = look.icon.map(JSONValue.string)
        shown["tag"] = look.category.map(JSONValue.string)
        shown["title_loc_key"] = look.titleKey.map(JSONValue.string)
        shown["title_loc_args"] = look.titleArguments.map { JSONValue($0) }
        shown["body_loc_key"] = look.bodyKey.map(JSONValue.string)
        shown["body_loc_args"] = look.bodyArguments.map { JSONValue($0) }
        var members: [String: JSONValue] = [:]
        members["notification"] = shown.isEmpty ? nil : .object(shown)
        members["collapse_key"] = look.collapseKey.map(JSONValue.string)
        members["priority"] = message.delivery.isUnhurried ? "NORMAL" : nil
        return members
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
    /// Only for devices whose activation is active.
    var isPersonal = false
    var look = Look()
    /// How services deliver it; nil for their standard.
    var delivery = Delivery()
    /// Custom data, such as `messageType` and `operationId`.
    var extras: [String: JSONValue] = [:]

    struct Delivery: Sendable, Equatable {
        /// Whether the device may sleep on; the standard is no.
        var isUnhurried = false
        /// When it is not worth delivering any more.
        var validUntil: Date?
    }

    /// What a back end says of how it is shown beside its texts.
    struct Look: Sendable, Equatable {
        /// Of a text in the app.
        var titleKey: String?
        var titleArguments: [String]?
        var bodyKey: String?
        var bodyArguments: [String]?
        var badge: Int?
        var icon: String?
        var category: String?
        /// Of those that one replaces or that stand together.
        var collapseKey: String?
    }
}
