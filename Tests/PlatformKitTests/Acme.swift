import Essentials
import HTTP
import PlatformKit
import SQLite

/// An imaginary platform: a shelf of notes. It does what the tests of the kit need, and nothing else.
struct Acme: Platform, AllowsOrigins {
    static let name = "acme"
    static let title = "Acme"
    static let migrations: [SQL] = [
        "CREATE TABLE acme_note (id TEXT PRIMARY KEY, body TEXT NOT NULL, written_at INTEGER NOT NULL) STRICT"
    ]

    struct Fixtures: Codable {
        var greeting: String?
        var notes: [Note]?
    }

    struct Note: Codable, RowDecodable {
        let id: String
        let body: String
        var written: Date?

        init(row: Row) throws {
            id = try row.text("id")
            body = try row.text("body")
            written = try row.date("written_at")
        }
    }

    static let mounts = [Mount(name, routes)]

    static let routes: [Route<Acme>] = [
        .get("/notes/:id", Acme.note),
        .post("/notes", Acme.addNote),
        .post("/send/:to", Acme.send),
        .get("/break", Acme.breakDown),
        .get("/await/:id", Acme.awaitNote),
        .get("/where", Acme.whereAmI),
        .get("/world", Acme.whereIsMyWorld),
        .get("/called", Acme.whereBackEndsCall),
        .get("/page", Acme.whereThePageIs),
        .post("/call", Acme.call),
        .get("/socket", Acme.socket),
    ]

    enum Refused: Refusal {
        case noteUnknown(String)
        var explanation: String {
            switch self {
            case .noteUnknown(let id): "There is no note \"\(id)\"."
            }
        }
    }

    struct Unmapped: Error {}

    let world: World

    init(_ world: World) { self.world = world }

    static func response(for error: any Error) throws -> Response {
        switch error {
        case is Refused: .text("no such note", status: .notFound)
        case let error as RouteUnknown: .text("no such place", status: error.status)
        case is RequestMalformed: .text("what?", status: .badRequest)
        default: .text("broken", status: .internalServerError)
        }
    }

    func crossOriginPolicy(for _: Request) throws -> CrossOriginPolicy {
        CrossOriginPolicy(allowedOrigins: ["http://page.example"], exposedHeaders: ["X-Acme"])
    }

    static func load(_ fixtures: Fixtures, into db: Connection) throws {
        for (index, note) in (fixtures.notes ?? []).enumerated() {
            guard note.body != "forbidden" else {
                throw FixtureProblem(at: ["notes", String(index), "body"], "expected another word")
            }
            let written = note.written ?? Date(timeIntervalSince1970: 0)
            try db.execute("INSERT INTO acme_note VALUES (\(note.id), \(note.body), \(written))")
        }
    }

    static func export(from db: Connection) throws -> Fixtures {
        Fixtures(notes: try db.all(Note.self, "SELECT * FROM acme_note ORDER BY id"))
    }

    func note(_ request: Request) throws -> Response {
        let id = request.parameter("id")
        let note = try database.read { try $0.first(Note.self, "SELECT * FROM acme_note WHERE id = \(id)") }
        guard let note else { throw Refused.noteUnknown(id) }
        return .text(note.body)
    }

    func addNote(_ request: Request) throws -> Response {
        let id = services.entropy.identifier(for: "acme.note")
        let body = String(decoding: request.body, as: UTF8.self)
        try database.write { db in
            try db.execute("INSERT INTO acme_note VALUES (\(id), \(body), \(services.clock.now()))")
        }
        services.journal.event("note added", about: id, "Somebody wrote a note of \(body.count) characters.")
        return .text(id, status: .created)
    }

    func send(_ request: Request) throws -> Response {
        try services.outbox.deliver(
            Message(
                kind: "otp", from: .init("acme@example.com"), to: .init(request.parameter("to")),
                subject: "Your code", text: "123456", code: "123456", source: Acme.name))
        return .noContent
    }

    func call(_ request: Request) throws -> Response {
        let url = String(decoding: request.body, as: UTF8.self)
        services.callbacks.send(Callback(url: url, body: Array("hello".utf8), purpose: "greeting"))
        return .noContent
    }

    /// With `?wait` waits up to 30 s for a note; the one that is called `broken` cannot be read.
    func awaitNote(_ request: Request) throws -> Response {
        let id = request.parameter("id")
        let seconds = request.query == "wait" ? 30.0 : 0
        return try services.changes.occasion(about: id).answer(within: seconds) {
            try database.read { try $0.first(Note.self, "SELECT * FROM acme_note WHERE id = \(id)") }
        } with: { note in
            guard let note else { throw Refused.noteUnknown(id) }
            if note.id == "broken" { throw Unmapped() }
            return .text(note.body)
        }
    }

    func breakDown(_ request: Request) throws -> Response {
        if request.queryItems["really"] == "yes" { throw Unmapped() }
        return .noContent
    }

    /// Keeps each message as a note and tells its number of notes.
    func socket(_ request: Request) throws -> Response {
        try request.webSocket(
            protocols: ["notes"], opened: { $0.send("welcome") },
            received: { message, sender in
                switch message.text {
                case "refuse": throw Refused.noteUnknown("socket")
                case "break": throw Unmapped()
                case "leave": sender.close(.goingAway, "as you wish")
                default: sender.send("\(try keep(message.text ?? ""))")
                }
            },
            closed: { close, _ in
                services.journal.event("left", about: nil, "Somebody left with \(close.code.rawValue).")
            })
    }

    private func keep(_ text: String) throws -> Int {
        try database.write { db in
            try db.execute(
                "INSERT INTO acme_note VALUES (\(services.entropy.identifier(for: "acme.note")), \(text), 0)")
            return try db.all(Note.self, "SELECT * FROM acme_note").count
        }
    }

    func whereAmI(_ request: Request) throws -> Response { .text(request.baseURL) }

    func whereIsMyWorld(_ request: Request) throws -> Response { .text(request.worldURL) }

    func whereBackEndsCall(_ request: Request) throws -> Response { .text(request.backChannelURL) }

    func whereThePageIs(_ request: Request) throws -> Response { .text(request.askedOrigin + request.mount) }
}
