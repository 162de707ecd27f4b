import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// `POST /v2/messages/send`: a push to the devices of a user, which ends in the outbox.
    ///
    /// - Request: `{"userId", "registrationId"?, "title"?, "message"?, "sound"?, "silent"?, "extras"?}`.
    /// - Response: `200 {"status": "OK"}`, whether or not the user has a device.
    /// - Errors: `ERROR_REQUEST`, `ERROR_REGISTRATION_NOT_FOUND`, `ERROR_PUSH_MESSAGE` for a message without content.
    /// - Source: PowerAuth Cloud documentation, messages; the response is *assumed*.
    func sendMessage(_ request: Request) throws -> Response {
        let user = try requireBackOffice(request)
        let input = try Members(request)
        var message = PushMessage(user: try input.text("userId"))
        message.activation = try input.optionalText("registrationId")
        message.title = try input.optionalText("title", 0...1024)
        message.body = try input.optionalText("message", 0...4096)
        message.sound = try input.optionalText("sound")
        message.isSilent = try input.optionalBoolean("silent") ?? false
        message.extras = try input.optionalObject("extras") ?? [:]
        try input.check()
        message.applications = user.applications
        guard message.isSilent || message.title != nil || message.body != nil else {
            throw CloudRefusal(
                .pushMessage, "The message is empty.",
                "A push that is not silent needs a title or a message.")
        }
        let push = message
        try change { turn in
            if let id = push.activation {
                let activation = try requireRegistration(id, of: user, in: turn)
                guard activation.user == push.user else {
                    throw CloudRefusal.registrationUnknown(
                        id,
                        "The registration \(id) is of the user “\(activation.user)”, not of “\(push.user)”."
                    )
                }
            }
            try Announcements(world).push(push, isAskedFor: true, in: turn)
        }
        return .cloudOK
    }
}
