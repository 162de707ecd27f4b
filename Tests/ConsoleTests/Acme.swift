import Essentials
import HTTP
import JOSE
import PlatformKit
import SQLite

/// An imaginary platform that sends what it is told to send.
struct Acme: Platform, MintsTokens, ShowsPages {
    static let name = "acme"
    static let title = "Acme"
    static let migrations: [SQL] = questions + devices + events

    struct Fixtures: Codable {
        var greeting: String?
    }

    static let pages = [PageLink("Say <hello>", "/hello")]

    static let mounts = [Mount(name, [.get("/hello", Acme.hello), .get("/refuse", Acme.refuse)])]

    struct Refused: Refusal {
        let explanation = "it was refused, because tests want a refusal"
    }

    /// Signed tokens, and coins that nobody signs.
    static let tokenKinds = [
        TokenKind(
            "ticket", "Ticket", use: "the door", needs: [.user], optional: [.scope], reserved: ["sub"]),
        TokenKind("coin", "Coin", use: "the slot", isJWT: false, needs: []),
    ]

    func mint(_ order: MintRequest) throws -> MintedToken {
        guard order.kind == "ticket" else { return MintedToken("coin", expiresAt: nil, isRegistered: true) }
        let user = try order.required(.user)
        guard user == "ada" else { throw MintRefusal.unknown("user", user, known: ["ada"]) }
        let now = services.clock.now()
        let expiry = now + Double(order.lifetimeSeconds ?? 60)
        let text = try services.sign(
            [
                "sub": "ada", "iss": .string(order.request.baseURL),
                "exp": .integer(Int(expiry.timeIntervalSince1970)),
            ],
            SigningSubject(Self.name, "ticket", user: user), with: services.keys.signing(Self.name, .rs256))
        return MintedToken(text, expiresAt: expiry, isRegistered: order.flaw == nil)
    }

    let world: World

    init(_ world: World) { self.world = world }

    static func response(for error: any Error) throws -> Response {
        .text("no", status: (error as? RouteUnknown)?.status ?? .forbidden)
    }

    static func load(_: Fixtures, into _: Connection) throws {}
    static func export(from _: Connection) throws -> Fixtures { Fixtures() }

    func hello(_: Request) throws -> Response { .text("hello") }

    func refuse(_: Request) throws -> Response {
        services.journal.event("refusal prepared", about: "ada", "somebody asked for it")
        throw Refused()
    }
}

/// A platform by its name alone, for pages that are drawn without a world.
struct Nameplate: OffersFirstSteps {
    static let name = "hanko"
    static let title = "Hanko"
    static let mounts = [Mount<Nameplate>(name, []), Mount("hanko-admin", [])]
    static let migrations: [SQL] = []

    static let firstSteps = FirstCommands(look: "/.well-known/config") { base, email in
        #"""
        <pre class="shell" data-copy>url=\#(base)
        id=$(curl -s $url/user -H 'Content-Type: application/json' \
          -d '{"email":"\#(email)"}' | sed 's/.*"id":"\([^"]*\)".*/\1/')
        curl $url/passcode/login/initialize -H 'Content-Type: application/json' \
          -d "{\"user_id\":\"$id\"}"</pre>
        """#
    }

    struct Fixtures: Codable {}

    let world: World

    init(_ world: World) { self.world = world }

    static func response(for error: any Error) throws -> Response { throw error }
    static func load(_: Fixtures, into _: Connection) throws {}
    static func export(from _: Connection) throws -> Fixtures { Fixtures() }
}
