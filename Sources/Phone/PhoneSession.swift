import Essentials
import PlatformKit

/// A phone while it does one errand.
package final class PhoneSession {
    package let phone: Phone
    private let phones: Phones
    private let center: PhoneCenter
    private let base: String
    /// What the apps had kept before, by platform.
    private let installed: [String: InstalledApp]
    private var apps: [any PhoneApp] = []
    /// It is an alarm of the phone's own that it does the errand for.
    var isRinging = false

    /// - Parameter base: where the platforms of the world are.
    init(_ name: String, of world: World, base: String, _ center: PhoneCenter) throws {
        phones = Phones(world)
        phone = try phones.phone(name)
        (self.base, self.center) = (base, center)
        installed = Dictionary(try phones.installed(on: name).map { ($0.platform, $0) }) { $1 }
        apps = try PhoneCenter.apps.filter { installed[$0.platform] != nil }.map(open)
    }

    /// Of installed apps.
    package var requests: [PhoneRequest] { apps.flatMap(\.requests) }
    /// Apps that the owner could be enrolled in, those of platforms that nothing can be built for left out.
    package func enrollableApps() throws -> [ShownApp] {
        try PhoneCenter.apps.filter { type in
            try !apps.contains { Swift.type(of: $0) == type && $0.isEnrolled }
                && !center.configurations(of: type.platform, in: phones.world).isEmpty
        }.map {
            ShownApp(platform: $0.platform, title: $0.title, isEnrolled: false, facts: [], actions: [])
        }
    }

    /// Where pushes for it go.
    package var pushAddress: String { phone.pushToken }
    package var shownApps: [ShownApp] {
        apps.map { app in
            let type = Swift.type(of: app)
            return ShownApp(
                platform: type.platform, title: type.title, isEnrolled: app.isEnrolled, facts: app.facts,
                actions: app.actions)
        }
    }
    var isWaiting: Bool { apps.contains(where: \.isWaiting) }
    /// When the first of the apps has something to do by itself, by the world's clock.
    var dueAt: Date? { apps.compactMap(\.dueAt).min() }

    private func open(_ type: any PhoneApp.Type) throws -> any PhoneApp {
        let handset = Handset(
            phone: phone, configurations: try center.configurations(of: type.platform, in: phones.world),
            base: base, world: phones.world)
        return try type.init(installed[type.platform]?.state, on: handset)
    }

    /// The app, which is installed when it is not yet.
    private func app(_ type: any PhoneApp.Type) throws -> any PhoneApp {
        if let app = apps.first(where: { Swift.type(of: $0) == type }) { return app }
        let app = try open(type)
        apps.append(app)
        return app
    }

    private static func type(of platform: String?) throws -> any PhoneApp.Type {
        let known = PhoneCenter.apps
        guard let found = platform.map({ name in known.first { $0.platform == name } }) ?? known.first else {
            throw PhoneRefusal.noApp(platform ?? "")
        }
        return found
    }

    /// The app of a platform, enrolled: when it is needed, where the phone does that.
    private func ready(_ platform: String?) throws -> any PhoneApp {
        let app = try app(Self.type(of: platform))
        if app.isEnrolled { return app }
        guard phone.enrolsAtFirstUse else { throw PhoneRefusal.notEnrolled(phone, sdkError: nil) }
        _ = try enrol(platform, TypedIn())
        return app
    }

    /// Whether the app is enrolled by itself when it is needed: once, and not again after the platform has thrown it out.
    private func isFirstUse(_ type: any PhoneApp.Type) -> Bool {
        phone.enrolsAtFirstUse && installed[type.platform] == nil
    }

    /// At the first use of a phone that does that, enrols the owner wherever the world has an application.
    ///
    /// - Throws: ``PhoneRefusal`` of the first app, when none could be enrolled; the journal hears of others.
    private func beginUse() throws {
        guard phone.enrolsAtFirstUse, apps.isEmpty else { return }
        var refusals: [PhoneRefusal] = []
        for enrollable in try phone.owner == nil ? [] : enrollableApps() {
            do {
                _ = try enrol(enrollable.platform, TypedIn())
            } catch let refusal as PhoneRefusal {
                refusals.append(refusal)
                note("phone failed", "Phone \"\(phone.name)\": \(refusal.explanation)")
            }
        }
        if let first = refusals.first, !apps.contains(where: \.isEnrolled) { throw first }
    }

    /// Writes down what the apps keep, if that is new; also after an errand that failed.
    func keep() throws {
        let kept = try apps.compactMap { app -> InstalledApp? in
            let platform = Swift.type(of: app).platform
            let before = installed[platform]
            guard let state = try app.keep(), state != before?.state else { return nil }
            return InstalledApp(
                phone: phone.name, platform: platform, revision: before?.revision ?? 0, state: state)
        }
        if !kept.isEmpty { try phones.keep(kept) }
    }

    private func note(_ event: String, _ sentence: String) {
        phones.world.services.journal.event(event, about: phone.owner, sentence)
    }
}

extension PhoneSession {
    package func scan(_ text: String, _ typed: TypedIn) throws -> PhoneReport {
        if text.hasPrefix("\u{89}PNG") || text.hasPrefix("<svg") || text.hasPrefix("data:image/") {
            throw PhoneRefusal.picture
        }
        guard let type = PhoneCenter.apps.first(where: { $0.recognises(text) }) else {
            throw PhoneRefusal.nothingRecognises(text)
        }
        let app = try app(type)
        if isFirstUse(type), type.needsEnrolment(text) {
            _ = try enrol(type.platform, TypedIn())
        }
        return try told("phone scanned", app.scan(text, typed))
    }

    /// Begins something in an app, as its owner would.
    ///
    /// - Parameter platform: nil for the first app of the phone that can do it.
    package func perform(
        _ action: String, _ inputs: [String: String], at platform: String?
    ) throws -> PhoneReport {
        let able = apps.first { $0.actions.contains { $0.name == action } }
        let named = try platform.map { try self.app(Self.type(of: $0)) } ?? able
        let isAble = named?.actions.contains { $0.name == action } ?? false
        let app = try isAble ? named ?? ready(platform) : ready(platform)
        guard app.actions.contains(where: { $0.name == action }) else {
            throw PhoneRefusal.actionUnknown(action, of: app)
        }
        return try told("phone used", app.perform(action, inputs))
    }

    /// - Parameter platform: nil for the first that phones have an app for.
    package func enrol(_ platform: String?, _ typed: TypedIn) throws -> PhoneReport {
        let type = try Self.type(of: platform)
        guard let owner = phone.owner else { throw PhoneRefusal.ownerless(phone) }
        let clerk = try center.clerk(of: type.platform, in: phones.world)
        return try told("phone enrolled", app(type).enrol(owner, typed, clerk: clerk))
    }

    /// What waits on the phone, asked for anew.
    package func pending() throws -> [PhoneRequest] {
        try beginUse()
        try forAll(apps.filter { $0.isEnrolled || $0.isWaiting }) { try $0.refresh() }
        return requests
    }

    /// One app that cannot does not keep the others from it; that none can is told.
    private func forAll(_ apps: [any PhoneApp], _ body: (any PhoneApp) throws -> Void) throws {
        var failures: [PhoneRefusal] = []
        for app in apps {
            do {
                try body(app)
            } catch let refusal as PhoneRefusal {
                failures.append(refusal)
            }
        }
        if let first = failures.first, failures.count == apps.count { throw first }
        for failure in failures { note("phone failed", "Phone \"\(phone.name)\": \(failure.explanation)") }
    }

    /// A push has come, and is for the app of the platform that sent it.
    func receive(_ push: Message) throws {
        guard phone.policy != .ignore else { return }
        let app = apps.first { Swift.type(of: $0).platform == push.source }
        try app?.receive(push)
    }

    /// Has the apps do what is due at this time.
    func keepUp() throws {
        let now = phones.world.clock.now
        try forAll(apps.filter { app in app.dueAt.map { $0 <= now } ?? false }) { try $0.keepUp() }
    }

    /// - Parameter id: nil for the first that waits.
    /// - Returns: nil when nothing waits and no id was named.
    package func answer(_ id: String?, _ answer: PhoneAnswer) throws -> PhoneReport? {
        // What is on the screen is answered as it is; a code that was read needs no network.
        let isShown = requests.contains { request in
            id.map { $0 == request.id } ?? (request.kind == "offline")
        }
        let waiting = isShown ? requests : try pending()
        guard let wanted = id ?? waiting.last?.id else { return nil }
        guard let app = apps.first(where: { $0.requests.contains { $0.id == wanted } }) else {
            throw PhoneRefusal.requestUnknown(wanted, phone)
        }
        return try told("phone answered", app.answer(wanted, answer))
    }

    package func sign(_ platform: String?, _ order: SigningOrder) throws -> [(name: String, value: String)] {
        try ready(platform).sign(order)
    }

    package func messages() throws -> [PhoneMessage] {
        try beginUse()
        return try apps.filter(\.isEnrolled).flatMap { try $0.messages() }
    }

    package func message(_ id: String) throws -> PhoneMessage { try ready(nil).message(id) }

    private func told(_ event: String, _ report: PhoneReport) -> PhoneReport {
        note(event, "Phone \"\(phone.name)\": \(report.sentence)")
        return report
    }
}

extension PhoneSession {
    /// Follows the policy, for requests that are there.
    func followPolicy() throws {
        switch phone.policy {
        case .ignore: return
        case .manual: _ = try pending()
        case .approve: try answerAll { try self.answer($0, PhoneAnswer(.approve)) }
        case .decline: try answerAll { try self.answer($0, PhoneAnswer(.decline)) }
        case .wrongPIN(let times): try answerAll { try self.insist($0, times) }
        case .approveAfter(let seconds):
            for request in try pending() {
                center.approveLater(request.id, on: phone.name, in: phones.world, base, seconds: seconds)
            }
        }
    }

    private func answerAll(_ answer: (String) throws -> PhoneReport?) throws {
        for request in try pending() { _ = try answer(request.id) }
    }

    /// Wrong PINs, whose refusals are wanted, and then the right one.
    private func insist(_ id: String, _ times: Int) throws -> PhoneReport? {
        for _ in 0..<times {
            do {
                _ = try answer(id, PhoneAnswer(.approve, by: .wrongPIN))
            } catch let refusal as PhoneRefusal where refusal.kind == .refused {
                note("phone refused", "Phone \"\(phone.name)\", as its policy says: \(refusal.explanation)")
            }
        }
        return try answer(id, PhoneAnswer(.approve, by: .pin))
    }
}
