package import Essentials
package import HTTP
package import SQLite

/// One emulated service. The five of them differ in everything except this.
///
/// A platform value is made for each request from the world it belongs to: it holds references, no state.
package protocol Platform: Sendable {
    /// The platform's top-level section of a fixture file.
    associatedtype Fixtures: Codable & Sendable

    /// Path segment, fixture key and name in the journal: lower case, stable, such as `"powerauth"`.
    static var name: String { get }

    /// What people call it, such as `"Wultra PowerAuth"`.
    static var title: String { get }

    /// Where its endpoints live. Most platforms have one place and only list ``routes``.
    static var mounts: [Mount<Self>] { get }

    /// Every endpoint once, so that the list reads as the platform's table of contents.
    static var routes: [Route<Self>] { get }

    /// Endpoints at the root of the server and of each world, outside of every mount: what a host says of itself in well-known
    /// places. Source: RFC 8615 §3.
    static var hostRoutes: [Route<Self>] { get }

    /// Pages to try in a browser, below the first mount; the home page links them.
    static var pages: [PageLink] { get }

    /// Schema steps, oldest first. Append to the list; a shipped step is never edited.
    static var migrations: [SQL] { get }

    /// What the rows of its tables are: a database from outside is read whole by them before it is used.
    static var records: [any Record.Type] { get }

    /// Schemas of the standards that it speaks together with other platforms; each is made once in a world, before the
    /// platforms' own.
    static var foundations: [Schema] { get }

    init(_ world: World)

    /// The only place where an error becomes bytes.
    static func response(for error: any Error) throws -> Response

    /// What the service says when it answers with a status for no reason of the request's, such as 503: what a fault answers with.
    static func errorResponse(_ status: Status) throws -> Response

    /// Whom a request names, for faults that are about one user or client.
    func names(in request: Request) throws -> RequestNames

    /// What a message of one of its web sockets is about, as far as it says so itself.
    static func subjects(of message: WebSocketMessage) -> [Subject]

    /// Which web pages of other origins may call, in this world.
    func crossOriginPolicy() throws -> CrossOriginPolicy

    /// Writes a fixture section into an empty database, inside the transaction that loads the whole file.
    ///
    /// - Throws: ``FixtureProblem`` for what the shapes cannot say: a duplicate, a reference to nothing.
    static func load(_ fixtures: Fixtures, into db: Connection) throws

    /// What a section says that changes nothing here, for `fixtures check`; it is no mistake.
    static func remarks(on fixtures: Fixtures) throws -> [FixtureProblem]
    /// What ``load(_:into:)`` takes and is surely not meant, such as a client that nobody could ever use: for a check of the file.
    static func mistakes(in fixtures: Fixtures) -> [FixtureProblem]

    /// The present state as a section that ``load(_:into:)`` turns into the same state again.
    static func export(from db: Connection) throws -> Fixtures

    /// What waits for somebody's decision, or did lately, the newest first.
    func transactions() throws -> [Transaction]

    /// Does what a device or a user would do, without one: ``Transaction/actions`` names what can be done.
    ///
    /// - Throws: ``TransactionRefusal`` or a refusal of the platform's own.
    func perform(_ action: String, on transactionID: String) throws

    /// Users, devices, credentials, sessions: what is worth looking at, the newest first.
    func records() throws -> [ConsoleRecord]

    /// The record with this id, also when the list does not reach back to it; nil when there is none.
    func record(_ id: String) throws -> ConsoleRecord?

    /// What can be made from outside, in this world.
    func newRecords() throws -> [NewRecord]

    /// Makes a record of the kind, or a transaction.
    ///
    /// - Parameter inputs: by name; those that are missing or empty were left out.
    /// - Returns: its id.
    /// - Throws: ``RecordRefusal`` or a refusal of the platform's own.
    func makeRecord(_ kind: String, _ inputs: [String: String]) throws -> String

    /// Does an action to a record: ``ConsoleRecord/actions`` names what can be done.
    ///
    /// - Throws: ``RecordRefusal`` or a refusal of the platform's own.
    func perform(_ action: String, onRecord id: String, _ inputs: [String: String]) throws

    /// What apps for it are built with, one for each application, or for each version of one.
    func appConfigurations() throws -> [AppConfiguration]

    /// What a caller of that kind is set up with, from what stands in this world; nil where no such caller speaks to it.
    func setup(for place: Setup.Place) throws -> Setup?

    /// What ends by itself, and is worth jumping behind.
    static var expiring: [Expiring] { get }

    /// Somebody who logs in here, as an entry of the fixtures; nil for one who is not there.
    ///
    /// - Throws: ``UserRefusal``.
    func user(_ id: String) throws -> JSONValue?

    /// Makes, replaces or changes one user.
    ///
    /// - Returns: the entry as it is then, and whether the user is new.
    /// - Throws: ``UserRefusal``.
    func changeUser(_ id: String, _ change: UserChange) throws -> (entry: JSONValue, isNew: Bool)

    /// Tokens that can be made without the flow that leads to them.
    static var tokenKinds: [TokenKind] { get }

    /// Makes a token of one of ``tokenKinds``. A good one is kept as if it had been issued; of one with a flaw nothing is kept, but for an
    /// opaque text, which lives in what is kept. The flaw, the claims and the key come into it where it is signed: ``TokenChanges``.
    ///
    /// - Throws: ``MintRefusal`` or a refusal of the platform's own.
    func mint(_ order: MintOrder) throws -> MintedToken
}

extension Platform {
    package static var mounts: [Mount<Self>] { [Mount(name, routes)] }

    package static var hostRoutes: [Route<Self>] { [] }

    package static var pages: [PageLink] { [] }

    package static var foundations: [Schema] { [] }
    package static var records: [any Record.Type] { [] }

    package static func remarks(on fixtures: Fixtures) throws -> [FixtureProblem] { [] }
    package static func mistakes(in _: Fixtures) -> [FixtureProblem] { [] }

    /// In the form of what the platform says to a bad request, or when it breaks.
    package static func errorResponse(_ status: Status) throws -> Response {
        var response = try Self.response(
            for: status.code < 500 ? RequestMalformed(reason: "\(status.reason).") : FaultStruck())
        response.status = status
        return response
    }

    package func names(in request: Request) throws -> RequestNames { RequestNames(request) }

    package static func subjects(of _: WebSocketMessage) -> [Subject] { [] }

    package func crossOriginPolicy() throws -> CrossOriginPolicy { .none }

    package func transactions() throws -> [Transaction] { [] }

    package func perform(_ action: String, on transactionID: String) throws {
        throw TransactionRefusal.unknown(transactionID)
    }

    package func records() throws -> [ConsoleRecord] { [] }

    package func record(_ id: String) throws -> ConsoleRecord? { try records().first { $0.id == id } }

    package func newRecords() throws -> [NewRecord] { [] }

    package func makeRecord(_ kind: String, _ inputs: [String: String]) throws -> String {
        throw RecordRefusal.kindUnknown(kind, known: [])
    }

    package func perform(_ action: String, onRecord id: String, _ inputs: [String: String]) throws {
        throw RecordRefusal.unknown(id)
    }

    package func appConfigurations() throws -> [AppConfiguration] { [] }

    package func setup(for _: Setup.Place) throws -> Setup? { nil }

    package static var expiring: [Expiring] { [] }

    package func user(_: String) throws -> JSONValue? { throw UserRefusal.notKept(platform: Self.title) }

    package func changeUser(_: String, _: UserChange) throws -> (entry: JSONValue, isNew: Bool) {
        throw UserRefusal.notKept(platform: Self.title)
    }

    package static var tokenKinds: [TokenKind] { [] }

    package func mint(_ order: MintOrder) throws -> MintedToken {
        throw MintRefusal.kindUnknown(order.kind, of: Self.title, known: [])
    }
}

/// A page for people: what it is for, and its path below the platform's first mount.
package struct PageLink: Sendable, Equatable {
    package let title: String
    package let path: String

    package init(_ title: String, _ path: String) {
        self.title = title
        self.path = path
    }
}

/// What an app for a platform is built with, as its developers get it from the vendor.
package struct AppConfiguration: Sendable, Equatable {
    /// The application, as the platform calls it: `my-app`.
    package let application: String
    /// The base path that the app is pointed at: `enrollment-server`.
    package let mount: String
    /// By the vendor's names: `mobileSdkConfig`.
    package let values: [String: String]

    package init(application: String, mount: String, values: [String: String]) {
        (self.application, self.mount, self.values) = (application, mount, values)
    }
}

/// An error that is part of the conversation: the wire form is terse, the explanation goes to the journal.
///
/// An error of any other type that leaves a handler is a bug of ours and is logged as one.
package protocol Refusal: Error {
    /// What was expected, what came, and where to look: one sentence or more, each with a capital and a full stop.
    var explanation: String { get }
}
