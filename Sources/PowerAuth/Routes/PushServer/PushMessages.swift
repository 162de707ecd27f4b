import Essentials
import HTTP
import PlatformKit

/// Source of all: documentation of the PowerAuth Push Server, “Push Server API”, “Push message payload mapping”, and its published model.
extension PowerAuth {
    /// `POST /push/message/send`: a push to the devices of a user, which ends in the outbox.
    ///
    /// - Request: `{"requestObject": {"appId", "mode"?: "SYNCHRONOUS" or "ASYNCHRONOUS", "message": {"userId", "activationId"?, "priority"?,
    ///   "attributes"?: {"silent"?, "personal"?}, "body": {"title"?, "titleLocKey"?, "titleLocArgs"?, "body"?, "bodyLocKey"?, "bodyLocArgs"?,
    ///   "badge"?, "sound"?, "icon"?, "category"?, "collapseKey"?, "validUntil"?, "extras"?}}}}`.
    /// - Response: `200`, envelope with `mode` and, when it is synchronous, for `apns`, `fcm` and `hms` how many were `sent`, `failed`,
    ///   `pending`, and the `total`; also for a user without a device.
    /// - Errors: `ERROR_GENERIC` for what is missing, or an application that is not there; `ERROR_REQUEST`.
    func sendPush(_ request: Request) throws -> Response {
        let input = try pushServerInput(request)
        guard input["message"] != nil else { throw PushServerRefusal(.generic, "Message must not be empty") }
        let application = try input.text("appId", orSay: "App ID must not be null.", 1...255)
        let mode = try input.optionalChoice("mode", SendingMode.self) ?? .synchronous
        let message = try input.optionalObject("message")
        try input.check()
        return try sent([PushMessage(order: message ?? [:], to: application)], application, mode)
    }

    /// `POST /push/message/batch/send`: several of them, of which none is sent when one cannot be.
    ///
    /// - Request: `{"requestObject": {"appId", "mode"?, "batch": […]}}`, 1 to 20 messages as above.
    /// - Response: as above, all together.
    /// - Errors: as above.
    func sendPushes(_ request: Request) throws -> Response {
        let input = try pushServerInput(request)
        guard input["batch"] != nil else { throw PushServerRefusal(.generic, "Batch must not be empty") }
        let application = try input.text("appId", orSay: "App ID must not be null.", 1...255)
        let mode = try input.optionalChoice("mode", SendingMode.self) ?? .synchronous
        let batch = try input.read("batch", "a list of messages") { $0.array } ?? []
        try input.check()
        guard !batch.isEmpty else {
            throw PushServerRefusal(.generic, "There are no push messages in the batch.")
        }
        guard batch.count <= 20 else {
            throw PushServerRefusal(
                .generic,
                "Too many messages in batch - do no send more than 20 messages at once to avoid server congestion.",
                "The batch has \(batch.count) messages, 20 are allowed.")
        }
        let messages = try batch.enumerated().map { index, value in
            do {
                return try PushMessage(order: value.object ?? [:], to: application)
            } catch let refusal as PushServerRefusal where refusal.code == .generic {
                throw PushServerRefusal(
                    .generic,
                    "Push message at index: \(index) is not valid. Nested error is: \(refusal.message)")
            }
        }
        return try sent(messages, application, mode)
    }

    private func sent(
        _ messages: [PushMessage], _ application: String, _ mode: SendingMode
    ) throws -> Response {
        let services = try change { turn in
            guard try Application.find(application, in: turn.db) != nil else {
                throw PushServerRefusal.applicationMissing(application)
            }
            return try messages.flatMap { try Announcements(world).push($0, isAskedFor: true, in: turn) }
        }
        var members: [String: JSONValue] = ["mode": .string(mode.rawValue)]
        if mode == .synchronous {
            for service in PushDevice.Service.allCases {
                let count = JSONValue.integer(services.count { $0 == service })
                members[service.rawValue] = ["sent": count, "failed": 0, "pending": 0, "total": count]
            }
        }
        return .management(members)
    }
}

private enum SendingMode: String, CaseIterable {
    case synchronous = "SYNCHRONOUS"
    case asynchronous = "ASYNCHRONOUS"
}

private enum Priority: String, CaseIterable {
    case normal = "NORMAL"
    case high = "HIGH"
}

extension PushMessage {
    /// What a back end orders of the push server.
    ///
    /// - Throws: ``PushServerRefusal``.
    fileprivate init(order: [String: JSONValue], to application: String) throws {
        let input = Members(order, .collecting) {
            PushServerRefusal.violated($0.map { $0.within("message") })
        }
        let body = try input.optionalObject("body")
        try input.check()
        guard let body else {
            throw PushServerRefusal(.generic, "Push message payload (body) must not be null.")
        }
        self.init(user: try input.text("userId", orSay: "Push message must contain a user ID.", 1...255))
        activation = try input.optionalText("activationId")
        applications = [application]
        delivery.isUnhurried = try input.optionalChoice("priority", Priority.self) == .normal
        let attributes = Members(try input.optionalObject("attributes") ?? [:], .collecting) {
            PushServerRefusal.violated($0.map { $0.within("message.attributes") })
        }
        isSilent = try attributes.optionalBoolean("silent") ?? false
        isPersonal = try attributes.optionalBoolean("personal") ?? false
        try attributes.check()
        try input.check()
        try fill(
            Members(body, .collecting) { PushServerRefusal.violated($0.map { $0.within("message.body") }) })
    }

    private mutating func fill(_ input: Members) throws {
        (title, body) = (
            try input.optionalText("title", 0...1024), try input.optionalText("body", 0...4096)
        )
        sound = try input.optionalText("sound")
        extras = try input.optionalObject("extras") ?? [:]
        let limit = Int(Int32.max)
        look = Look(
            titleKey: try input.optionalText("titleLocKey"),
            titleArguments: try input.optionalTexts("titleLocArgs", 0...1024),
            bodyKey: try input.optionalText("bodyLocKey"),
            bodyArguments: try input.optionalTexts("bodyLocArgs", 0...1024),
            badge: try input.optionalInteger("badge", -limit...limit),
            icon: try input.optionalText("icon"), category: try input.optionalText("category"),
            collapseKey: try input.optionalText("collapseKey"))
        delivery.validUntil = try input.read("validUntil", "a time as in RFC 3339") {
            $0.string.flatMap(Timestamp.parseLeniently)
        }
        try input.check()
    }
}
