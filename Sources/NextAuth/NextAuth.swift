import Crypto
import Essentials
package import HTTP
package import PlatformKit
package import SQLite

/// nextAuth (formerly n-Auth): virtual servers, users and accounts, logins by code, push and AppLogin, transactions; the server API
/// that back ends call, and an open device protocol in the place of the vendor's closed one.
///
/// Sources: the published API descriptions 2.2 and 0.0.3 of the nextAuth Server; the vendor's published documentation of the Server
/// SDK, the REST API and the Mobile SDK, first of all its quick start “AppLogin”.
///
/// The wire format between the vendor's Mobile SDK and its server is closed. `/device/v1` is an open rendering of what the SDK shows
/// to an app: everything below that path is ours, so that a stub with the SDK's class names can play every documented sequence,
/// failures included. Its signed text is six lines, each with a line feed behind it: `understudy-nextauth-1`, the id of the flow,
/// its type, the challenge, the account id or the new key (SPKI), and `1` or `0` for an approval; what a line has nothing for is
/// empty. Outside of a flow (`/instance/pin`, `/accounts/{id}`) the id is the instance's and the type `CHANGE_PIN` or
/// `DELETE_ACCOUNT`. A biometric key signs the same text as the account's.
///
/// Beyond the documents: an enrolment code is spent when its flow is done, so a cancelled scan costs nothing. A second AppLogin
/// replaces the one that runs. `appLoginTimeout` ends an AppLogin that long after its start. A code that the console makes names no
/// base address: it is read by an app that knows one. The numbers 42 to 46 of the device's errors name what has no number in the SDK:
/// an ended session, an unknown message, an unknown path, a wrong method, a cancelled flow.
///
/// The server API fills gaps of its description: refusals are 401, 403, 404 and 400 with `{"error": {"code", "message"}}`; a GET that
/// has a body is also a POST; times are seconds since 1970; attributes are a JSON object in their text. `provokelogin` without
/// anybody to push to, `registeruser` and `transactions` without a login are 403. The older API below `/api` is the present one in
/// other clothes: a user of a realm is `USERID@REALM`, its `/nauth` answers 501. The WebSocket stands at `/ws` and `/ns/sigmai`.
///
/// Not emulated: push delivery (messages are pulled, and shown in the outbox), the vendor's signed configuration string, transactions
/// that a device starts.
package struct NextAuth: Platform, TellsExpiries, TracesMessages {
    package typealias Fixtures = NextAuthFixtures

    package static let name = Vendor.name
    package static let title = Vendor.title

    package static let mounts = [Mount(name, routes)]

    static let routes: [Route<NextAuth>] = serverRoutes + deviceRoutes

    package static let migrations: [SQL] =
        Server.migrations + User.migrations + Account.migrations + APIKey.migrations + Grant.migrations
        + WebSession.migrations + SignTransaction.migrations + Code.migrations + Instance.migrations
        + Flow.migrations + DeviceSession.migrations + DeviceEvent.migrations + PushMessage.migrations
        + Signal.migrations

    package static let records: [any Record.Type] = [
        Server.self, User.self, Account.self, APIKey.self, Grant.self, WebSession.self,
        SignTransaction.self, Code.self, Instance.self, Flow.self, DeviceSession.self,
        DeviceEvent.self, PushMessage.self, Signal.self,
    ]

    package static let expiring = [
        Expiring(
            "code",
            "SELECT expires_at AS at, coalesce(user, kind) AS about FROM nextauth_code WHERE used_at IS NULL"),
        Expiring(
            "flow",
            "SELECT expires_at AS at, type AS about FROM nextauth_flow WHERE result IS NULL AND failure IS NULL"
        ),
        Expiring(
            "push message",
            "SELECT expires_at AS at, kind AS about FROM nextauth_message WHERE used_at IS NULL"),
    ]

    package let world: World

    package init(_ world: World) { self.world = world }

    var announcements: Announcements { Announcements(world) }
    var accounts: Accounts { Accounts(world) }
    var flows: Flows { Flows(world) }
    var logins: Logins { Logins(world) }

    package static func subjects(of message: WebSocketMessage) -> [Subject] {
        let words = (message.text ?? "").split(separator: " ", maxSplits: 3)
        guard words.count == 3, Base64URL.decode(String(words[1]))?.count == 32 else { return [] }
        return [Subject(.session, secret: String(words[1]))]
    }

    package static func response(for error: any Error) throws -> Response {
        switch error {
        case let refusal as any NextAuthRefusal: refusal.response
        case let unknown as RouteUnknown: refusal(of: unknown).response
        case let malformed as RequestMalformed: BackEndRefusal.inputInvalid(malformed.reason).response
        default: BackEndRefusal.broken.response
        }
    }

    /// In the shape of the API whose path it is.
    private static func refusal(of unknown: RouteUnknown) -> any NextAuthRefusal {
        if unknown.path.contains("/device/") {
            return unknown.allow.map { DeviceRefusal.methodUnknown(allow: $0) } ?? DeviceRefusal.pathUnknown
        }
        return unknown.allow.map { BackEndRefusal.methodUnknown(allow: $0) } ?? BackEndRefusal.pathUnknown
    }
}
