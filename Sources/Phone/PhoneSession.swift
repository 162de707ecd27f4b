import Essentials
import PlatformKit

/// A phone while it does one errand.
package final class PhoneSession {
    package let phone: Phone
    let phones: Phones
    private let center: PhoneCenter
    private let base: String
    /// What the apps had kept before.
    private let installed: [AppName: InstalledApp]
    /// Of each platform those with the first account in front.
    private(set) var apps: [any PhoneApp] = []
    /// Whether answers were planned.
    var hasPlanned = false
    /// It does what was due by itself, and nobody used it.
    var isRinging = false

    /// - Parameter base: where the platforms of the world are.
    init(_ name: String, of world: World, base: String, _ center: PhoneCenter) throws {
        phones = Phones(world)
        phone = try phones.phone(name)
        (self.base, self.center) = (base, center)
        installed = Dictionary(try phones.installed(on: name).map { ($0.name, $0) }) { $1 }
        apps = try PhoneCenter.apps.flatMap { type in
            try installed.keys.filter { $0.platform == type.platform }.map(\.account).sorted().map {
                try open(type, $0)
            }
        }
    }

    /// Of installed apps.
    package var requests: [PhoneRequest] { apps.flatMap(Self.requests) }

    static func requests(of app: any PhoneApp) -> [PhoneRequest] {
        app.requests.map { request in
            var request = request
            request.account = app.handset.account.isEmpty ? nil : app.handset.account
            return request
        }
    }

    /// Apps that the owner could be enrolled in, those of platforms that nothing can be built for left out.
    package func enrollableApps() throws -> [ShownApp] {
        try PhoneCenter.apps.filter { type in
            try !apps.contains { $0.name == AppName(type.platform, "") && $0.isEnrolled }
                && !center.configurations(of: type.platform, in: phones.world).isEmpty
        }.map {
            ShownApp(
                platform: $0.platform, title: $0.title, isEnrolled: false, facts: [], actions: [],
                logsIn: $0.logsIn)
        }
    }

    /// Where pushes for it go.
    package var pushAddresses: [String] {
        Set(apps.map(\.handset.account) + [""]).sorted().map {
            Handset.pushToken(of: phone.name, $0)
        }
    }
    package var shownApps: [ShownApp] {
        // What cannot be read says so where it is used.
        let passkeys = try? Passkeys.shown(on: phone.name, in: phones.world)
        return apps.map { app in
            let type = Swift.type(of: app)
            let account = app.handset.account
            return ShownApp(
                platform: type.platform, account: account.isEmpty ? nil : account, title: type.title,
                isEnrolled: app.isEnrolled, facts: app.facts, actions: app.actions)
        } + [passkeys].compactMap(\.self)
    }
    /// When the first of the apps has something to do by itself, by the world's clock.
    var dueAt: Date? { apps.compactMap(\.dueAt).min() }

    private func open(_ type: any PhoneApp.Type, _ account: String) throws -> any PhoneApp {
        let handset = Handset(
            phone: phone, account: account,
            configurations: try center.configurations(of: type.platform, in: phones.world),
            base: base, explainKey: center.explainKey, world: phones.world,
            newRSAKey: { [center, phone, world = phones.world] in
                try center.newRSAKey(for: phone.name, in: world, title: type.title)
            })
        return try type.open(installed[AppName(type.platform, account)]?.state, on: handset)
    }

    /// The app, which is installed when it is not yet.
    ///
    /// - Parameter account: nil for the first that there is.
    private func app(_ type: any PhoneApp.Type, _ account: String?) throws -> any PhoneApp {
        let own = apps.filter { Swift.type(of: $0) == type }
        if let app = own.first(where: { account == nil || $0.handset.account == account }) { return app }
        try AppName.check(account: account ?? "")
        guard own.count < AppName.limit else {
            throw PhoneRefusal.tooManyAccounts(type.title, limit: AppName.limit)
        }
        let app = try open(type, account ?? "")
        apps.append(app)
        return app
    }

    static func type(of platform: String?) throws -> any PhoneApp.Type {
        let known = PhoneCenter.apps
        guard let found = platform.map({ name in known.first { $0.platform == name } }) ?? known.first else {
            throw PhoneCenter.noApp(platform ?? "")
        }
        return found
    }

    /// The app of a platform, enrolled: when it is needed, where the phone does that.
    private func ready(_ platform: String?, _ account: String?) throws -> any PhoneApp {
        let app = try app(Self.type(of: platform), account)
        if app.isEnrolled { return app }
        if !app.handset.account.isEmpty {
            throw PhoneRefusal.accountAbsent(app.handset.account, Swift.type(of: app).title, phone)
        }
        guard phone.enrolsAtFirstUse else {
            throw PhoneRefusal.notEnrolled(phone, sdkError: app.notEnrolledError)
        }
        _ = try enrol(platform, TypedIn(), as: account)
        return app
    }

    /// At the first use of a phone that does that, enrols the owner wherever the world has an application.
    ///
    /// - Throws: ``PhoneRefusal`` of the first app, when none could be enrolled; the journal hears of others.
    func beginUse() throws {
        guard phone.enrolsAtFirstUse, apps.isEmpty else { return }
        var refusals: [PhoneRefusal] = []
        for enrollable in try phone.owner == nil ? [] : enrollableApps() {
            do {
                _ = try enrol(enrollable.platform, TypedIn())
            } catch let refusal as PhoneRefusal {
                refusals.append(refusal)
                note("phone failed", "Phone “\(phone.name)”: \(refusal.explanation)")
            }
        }
        if let first = refusals.first, !apps.contains(where: \.isEnrolled) { throw first }
    }

    /// Whether the app is enrolled by itself when it is needed: once, and not again after the platform has thrown it out.
    private func isFirstUse(_ app: any PhoneApp) -> Bool {
        phone.enrolsAtFirstUse && app.handset.account.isEmpty && installed[app.name] == nil
    }

    /// Writes down what the apps keep, if that is new; also after an errand that failed.
    ///
    /// - Returns: whether something is due at another time than before.
    func keep() throws -> Bool {
        let kept = try apps.compactMap { app -> InstalledApp? in
            let before = installed[app.name]
            guard let state = try app.keep() else { return nil }
            let now = InstalledApp(
                phone.name, app.name, revision: before?.revision ?? 0, state: state,
                dueAt: app.dueAt, rings: isRinging ? before?.rings ?? 0 : 0)
            return before?.says(now) == true ? nil : now
        }
        if !kept.isEmpty { try phones.keep(kept) }
        return hasPlanned || kept.contains { $0.dueAt != nil }
    }

    func note(_ event: String, _ sentence: String) {
        phones.world.services.journal.event(event, about: phone.owner, sentence)
    }
}

extension PhoneSession {
    /// - Parameter account: of the app that the code is for; nil for the first that it has.
    package func scan(_ text: String, _ typed: TypedIn, as account: String? = nil) throws -> PhoneReport {
        let text = try ScannedPicture.text(in: text)
        guard let type = PhoneCenter.apps.first(where: { $0.recognises(text) }) else {
            throw PhoneRefusal.nothingRecognises(
                text, known: PhoneCenter.apps.map { "\($0.title) takes \($0.scans)." })
        }
        let app = try app(type, account)
        if isFirstUse(app), type.needsEnrolment(text) {
            _ = try enrol(type.platform, TypedIn(), as: account)
        }
        return try told("phone scanned", app.scan(text, typed))
    }

    /// Begins something in an app, as its owner would.
    ///
    /// - Parameters:
    ///   - platform: nil for the first app of the phone that can do it.
    ///   - account: of that app; nil for the first.
    package func perform(
        _ action: String, _ inputs: [String: String], at platform: String?, as account: String? = nil
    ) throws -> PhoneReport {
        let own = apps.filter { (account ?? $0.handset.account) == $0.handset.account }
        let able = own.first { app in app.actions.contains { $0.name == action } }
        // What the phone has says better what it lacks than an app of which nobody spoke.
        if platform == nil, able == nil, let enrolled = own.first(where: \.isEnrolled) {
            throw enrolled.unknown(action)
        }
        let named = try platform.map { try self.app(Self.type(of: $0), account) } ?? able
        let isAble = named?.actions.contains { $0.name == action } ?? false
        let app = try isAble ? named ?? ready(platform, account) : ready(platform, account)
        guard app.actions.contains(where: { $0.name == action }) else {
            throw app.unknown(action)
        }
        return try told("phone used", app.perform(action, inputs))
    }

    /// - Parameters:
    ///   - platform: nil for the first that phones have an app for.
    ///   - account: a further one of the app; nil for the first.
    package func enrol(
        _ platform: String?, _ typed: TypedIn, as account: String? = nil
    ) throws -> PhoneReport {
        let type = try Self.type(of: platform)
        guard let user = typed.user ?? phone.owner else { throw PhoneRefusal.ownerless(phone) }
        let office = try center.backOffice(of: type.platform, in: phones.world)
        return try told("phone enrolled", app(type, account ?? "").enrol(user, typed, office: office))
    }

    /// What waits on the phone, asked for anew.
    package func pending() throws -> [PhoneRequest] {
        try refresh { _ in true }
        return requests
    }

    /// One app that cannot does not keep the others from it; that none can is told.
    func forAll(_ apps: [any PhoneApp], _ body: (any PhoneApp) throws -> Void) throws {
        var failures: [PhoneRefusal] = []
        for app in apps {
            do {
                try body(app)
            } catch let refusal as PhoneRefusal {
                failures.append(refusal)
            }
        }
        if let first = failures.first, failures.count == apps.count { throw first }
        for failure in failures { note("phone failed", "Phone “\(phone.name)”: \(failure.sentence)") }
    }

    /// A push has come, and is for the app of the platform that sent it.
    func receive(_ push: Message, as account: String) throws {
        guard !phone.ignores(push.source) else { return }
        try apps.first { $0.name == AppName(push.source, account) }?.receive(push)
    }

    /// Has the apps do what is due at this time.
    func keepUp() throws {
        let now = phones.world.clock.now
        let due = apps.filter { app in app.dueAt.map { $0 <= now } ?? false }
        try forAll(due) { try $0.keepUp() }
        follow(due.flatMap(Self.requests))
    }

    package func sign(
        _ platform: String?, _ order: SigningOrder, as account: String? = nil
    ) throws -> [(name: String, value: String)] {
        try ready(platform, account).sign(order)
    }

    package func messages() throws -> [PhoneMessage] {
        try beginUse()
        return try apps.filter(\.isEnrolled).flatMap { app in
            try app.messages().map { message in
                var message = message
                message.account = app.handset.account.isEmpty ? nil : app.handset.account
                return message
            }
        }
    }

    package func message(_ id: String, as account: String? = nil) throws -> PhoneMessage {
        try ready(nil, account).message(id)
    }

    func told(_ event: String, _ report: PhoneReport) -> PhoneReport {
        note(event, "Phone “\(phone.name)”: \(report.sentence)")
        return report
    }
}
