package import Essentials
package import PlatformKit

/// The client's side of one platform on a phone: what the vendor's SDK and the app around it do.
///
/// A value does one errand: it is made of what was kept, asks its platform over HTTP, and is kept again. Errands of one phone follow each
/// other, so that an app needs no lock.
package protocol PhoneApp: AnyObject, SendableMetatype {
    /// What it writes down from one errand to the next.
    associatedtype Kept: Codable

    /// Name of the platform.
    static var platform: String { get }
    /// What people call it.
    static var title: String { get }

    /// What it takes from a camera, a link or the keyboard, for a sentence: `activation codes`.
    static var scans: String { get }

    /// Kinds of ``PhoneRequest/kind`` that it knows, for policies.
    static var kinds: [String] { get }
    /// Whether the person may log in at a provider in the place of a code.
    static var logsIn: Bool { get }
    /// What it can get wrong on purpose.
    static var faults: [PhoneAnswer.Fault] { get }

    /// Generations of the vendor's SDK that it can be built with, the usual one first; none where there is no choice.
    static var sdks: [String] { get }

    /// Whether what a camera saw, a link says or somebody typed is for this app, by its content alone.
    static func recognises(_ text: String) -> Bool

    /// Whether only an app that is enrolled can do something with what it recognises.
    static func needsEnrolment(_ text: String) -> Bool

    /// - Parameter kept: what was ``written`` last; nil when it was installed just now.
    init(_ kept: Kept?, on handset: Handset)

    var handset: Handset { get }
    /// As it is now.
    var kept: Kept? { get set }

    /// What is to be written down; nil as long as there is nothing.
    var written: Kept? { get }

    /// Whether somebody is known to the platform by this app.
    static func isEnrolled(_ kept: Kept) -> Bool

    /// What the SDK calls it that nobody is enrolled; nil where it has no word for it.
    var notEnrolledError: String? { get }

    /// Whether the platform has still to let it in, which the app asks for now and then.
    var isWaiting: Bool { get }

    /// Enrols the person, or shows what the code asks.
    ///
    /// - Throws: ``PhoneRefusal``, as all that follow.
    func scan(_ text: String, _ typed: TypedIn) throws -> PhoneReport

    /// Enrols the person: with a code that a clerk makes, or as the person would without one.
    func enrol(_ user: String, _ typed: TypedIn, office: BackOffice) throws -> PhoneReport

    /// Asks the platform what waits; also after a push.
    func refresh() throws

    /// What waits for an answer, as the app knows it.
    var requests: [PhoneRequest] { get }

    func answer(_ id: String, _ answer: PhoneAnswer) throws -> PhoneReport

    /// Header fields with which a back end of the app's believes a request.
    func sign(_ order: SigningOrder) throws -> [(name: String, value: String)]

    /// The inbox, newest first.
    func messages() throws -> [PhoneMessage]
    /// Opens a message, which is read then.
    func message(_ id: String) throws -> PhoneMessage

    /// What it holds, for people; facts without a value are left out.
    func facts(of kept: Kept) -> [ConsoleRecord.Fact]

    /// What the person can do in it beside answering, as it is now: begin an AppLogin, log out.
    var actions: [ConsoleRecord.Action] { get }

    /// - Parameter inputs: what the action asks for, by name.
    func perform(_ action: String, _ inputs: [String: String]) throws -> PhoneReport

    /// A push of the platform has come; ``refresh()`` follows.
    func receive(_ push: Message) throws

    /// When it has something to do by itself, such as a ping, by the world's clock.
    var dueAt: Date? { get }

    /// Does what is due; ``dueAt`` is later then, also when this throws.
    func keepUp() throws
}

extension PhoneApp {
    /// - Parameter state: what ``keep()`` told last.
    static func open(_ state: JSONValue?, on handset: Handset) throws -> Self {
        Self(try state.map { try JSONDecoder().decode(Kept.self, from: Data($0.bytes)) }, on: handset)
    }

    /// Nil as long as there is nothing to keep.
    func keep() throws -> JSONValue? {
        try written.map { try JSONValue(parsing: [UInt8](JSONEncoder().encode($0))) }
    }

    /// Whether it is what ``keep()`` tells, as a fixture brings it.
    static func isKept(_ state: JSONValue) -> Bool {
        // Why it is not would be a sentence of the decoder's that helps nobody.
        (try? JSONDecoder().decode(Kept.self, from: Data(state.bytes))) != nil
    }

    package var written: Kept? { kept }
    package var isEnrolled: Bool { kept.map(Self.isEnrolled) ?? false }
    package var facts: [ConsoleRecord.Fact] {
        guard let kept else { return [] }
        return facts(of: kept).filter { !$0.value.isEmpty }
    }

    package static var scans: String { "its codes" }
    package static var logsIn: Bool { false }
    package static var sdks: [String] { [] }
    package static func needsEnrolment(_ text: String) -> Bool { false }
    package var notEnrolledError: String? { nil }
    package var isWaiting: Bool { false }
    package var actions: [ConsoleRecord.Action] { [] }
    package var dueAt: Date? { nil }

    package func perform(_ action: String, _ inputs: [String: String]) throws -> PhoneReport {
        throw unknown(action)
    }

    package func sign(_ order: SigningOrder) throws -> [(name: String, value: String)] {
        throw PhoneRefusal.signsNothing(Self.title)
    }

    package func messages() throws -> [PhoneMessage] { [] }
    package func message(_ id: String) throws -> PhoneMessage { throw PhoneRefusal.messageUnknown(id) }
    package func receive(_ push: Message) throws {}
    package func keepUp() throws {}
}

/// The patience of an app that waits to be let in: it asks every second at first, every five later, and no more after a quarter of an
/// hour. By the world's clock.
struct Patience: Codable {
    let since: Date
    var askedAt: Date?

    var dueAt: Date? {
        let last = askedAt ?? since
        let waited = last.timeIntervalSince(since)
        return waited < 900 ? last.addingTimeInterval(waited < 10 ? 1 : 5) : nil
    }
}

/// What the person types when the app asks, and how the app is set up.
package struct TypedIn: Sendable {
    /// The PIN that the app is locked with; nil for ``standardPIN``.
    package var pin: String?
    /// A second secret that came by another way.
    package var otp: String?
    /// What goes with a recovery code.
    package var puk: String?
    /// The OpenID Connect provider at which the person logs in, in the place of a code.
    package var provider: String?
    /// Whether biometry is set up too.
    package var usesBiometry = true
    /// Version of the platform's protocol, where it has several; nil for the newest.
    package var version: String?
    /// The application, where the code does not tell.
    package var application: String?
    /// Who enrols, by the user's id at the platform; nil for the phone's owner.
    package var user: String?

    package static let standardPIN = "2580"

    package init() {}
}

/// What an app did, for people and tests.
package struct PhoneReport: Sendable, Equatable {
    /// `activation` or `enrolment`, the kind of a request that waits from now on, `approved`, `declined`, `scheduled`, `login`, `done`.
    package let kind: String
    /// Of the request or the enrolment.
    package let id: String
    /// What the person reads from the phone and types elsewhere.
    package var code: String?
    package let sentence: String

    init(_ kind: String, _ id: String, code: String? = nil, _ sentence: String) {
        (self.kind, self.id, self.code, self.sentence) = (kind, id, code, sentence)
    }
}

/// An app as the phone shows it.
package struct ShownApp: Sendable, Equatable {
    package let platform: String
    /// Of several of one platform; nil for the first.
    package var account: String?
    package let title: String
    package let isEnrolled: Bool
    package let facts: [ConsoleRecord.Fact]
    /// What can be begun in it.
    package let actions: [ConsoleRecord.Action]
    /// Whether its owner may log in at a provider to be enrolled.
    package var logsIn = false
}

/// Something that waits for an answer on a phone.
package struct PhoneRequest: Sendable, Equatable {
    package let id: String
    package let platform: String
    /// Of several of the app's; nil for the first.
    package var account: String?
    /// `operation`, `offline`, `login`, `transaction`, `signature`, `otp`, `push`.
    package let kind: String
    package let title: String
    package let message: String
    package let details: [ConsoleRecord.Fact]
    /// How it can be approved.
    package let ways: [PhoneAnswer.Way]
}

/// A request of an app to a back end of its own, which is to be signed.
package struct SigningOrder: Sendable {
    package let method: String
    /// The name of the resource that app and back end agreed upon.
    package let uriID: String
    /// Of a GET, the query.
    package let body: [UInt8]
    package let way: PhoneAnswer.Way
    /// What the owner types; nil for the PIN that was set up.
    package let pin: String?
    /// Name of a token to be used in the place of a code; it is made when there is none.
    package let token: String?

    package init(
        method: String, uriID: String, body: [UInt8], by way: PhoneAnswer.Way, pin: String? = nil,
        token: String? = nil
    ) {
        (self.method, self.uriID, self.body, self.way) = (method, uriID, body, way)
        (self.pin, self.token) = (pin, token)
    }
}

/// A message of an app's inbox.
package struct PhoneMessage: Sendable, Equatable {
    package let id: String
    package let platform: String
    /// Of several of the app's; nil for the first.
    package var account: String?
    package let subject: String
    package let summary: String
    /// Nil in a list.
    package let body: String?
    package let isRead: Bool
}

extension PhoneApp {
    var name: AppName { AppName(Self.platform, handset.account) }

    func unknown(_ action: String) -> PhoneRefusal {
        .actionUnknown(action, of: Self.title, known: actions.map(\.name))
    }
}
