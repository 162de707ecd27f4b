import Essentials
import HTTP
import PlatformKit
import SQLite

/// An imaginary platform that sends what it is told to send.
struct Acme: Platform {
    static let name = "acme"
    static let title = "Acme"
    static let migrations: [SQL] = questions + devices

    struct Fixtures: Codable {
        var greeting: String?
    }

    static let pages = [PageLink("Say <hello>", "/hello")]

    static let routes: [Route<Acme>] = [.get("/hello", Acme.hello), .get("/refuse", Acme.refuse)]

    struct Refused: Refusal {
        let explanation = "it was refused, because tests want a refusal"
    }

    let database: Database
    let services: Services

    init(_ world: World) {
        database = world.database
        services = world.services
    }

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
