import Essentials
package import HTTP
package import PlatformKit
package import SQLite

/// The one call of Twilio's API by which a back end sends a text message, for the outbox: its codes and links are found as those of mails are.
///
/// It keeps nothing of its own and is served only where `--twilio` asks for it. Not emulated: Verify, media, templates, WhatsApp and other channels, schedules,
/// status callbacks, lists of messages, subaccounts and every other resource. Who calls for those is told so.
///
/// Source: Twilio's reference of the Message resource (2010-04-01), of API responses and of test credentials; its error dictionary.
package struct Twilio: Platform {
    package struct Fixtures: Codable, Sendable {}

    package static let name = "twilio"
    package static let title = "Twilio (text messages)"
    package static let migrations: [SQL] = []

    package static let mounts = [Mount(name, routes)]

    private static let routes: [Route<Twilio>] = [
        Route(
            .post, "/2010-04-01/Accounts/:account/Messages.json", bodyLimit: bodyBytes, Twilio.createMessage
        ).for(.backEnd),
        Route(.post, "/2010-04-01/Accounts/:account/Messages", bodyLimit: bodyBytes, Twilio.refuseXML).for(
            .backEnd),
        .post("/v2/Services/:service/Verifications", Twilio.refuseVerify).for(.backEnd),
        .post("/v2/Services/:service/VerificationCheck", Twilio.refuseVerify).for(.backEnd),
    ]

    /// Bytes of a form: a text of 1,600 characters, each three bytes in four letters, and the rest.
    private static let bodyBytes = 64 * 1024

    package let world: World

    package init(_ world: World) { self.world = world }

    package static func load(_: Fixtures, into _: Connection) throws {}
    package static func export(from _: Connection) throws -> Fixtures { Fixtures() }

    package static func response(for error: any Error) throws -> Response {
        switch error {
        case let refusal as TwilioRefusal: return refusal.response
        case let unknown as RouteUnknown:
            let code = unknown.allowed.isEmpty ? 20404 : 20004
            var response = TwilioRefusal(
                unknown.status, code,
                unknown.allowed.isEmpty
                    ? "The requested resource \(unknown.path) was not found" : "Method not allowed", ""
            ).response
            response.headers["Allow"] = unknown.allow
            return response
        case is RequestMalformed:
            return TwilioRefusal(.badRequest, 20001, "Bad request", "").response
        default: return TwilioRefusal(.internalServerError, 20500, "Internal Server Error", "").response
        }
    }

    package static func errorResponse(_ status: Status) throws -> Response {
        let code = [401: 20003, 403: 20403, 404: 20404, 429: 20429, 503: 20503][status.code] ?? 20500
        return TwilioRefusal(status, code, status.reason, "").response
    }
}
