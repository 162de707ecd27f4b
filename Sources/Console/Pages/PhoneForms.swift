import Essentials
import HTTP
import Phone
import PlatformKit

extension Console {
    /// `GET /phones/NAME?request=`: the home screen of a phone, as its owner sees it.
    func phone(_ world: World, _ request: Request) throws -> Page { try phone(.home, world, request) }

    /// `GET /phones/NAME/apps/PLATFORM?request=&do=` and `…/PLATFORM/ACCOUNT`: an app of a phone: what waits in it, what can be done, what it holds.
    func phoneApp(_ world: World, _ request: Request) throws -> Page {
        let account = request.parameters.first { $0.name == "account" }?.value
        return try phone(.app(request.parameter("platform"), account: account), world, request)
    }

    /// `GET /phones/NAME/scan?q=`: the sheet that scans, and the codes that wait elsewhere, searched.
    func phoneScanner(_ world: World, _ request: Request) throws -> Page {
        try phone(.scan, world, request)
    }

    /// `GET /phones/NAME/settings`
    func phoneSettings(_ world: World, _ request: Request) throws -> Page {
        try phone(.settings, world, request)
    }

    /// `POST /phones/NAME` with `action=…`, as a form of the page sends it: has the phone do something.
    ///
    /// - Response: `303` to the screen that the form was on; that screen with what the phone said, such as a code, or why it was refused; a question
    ///   before something is lost, until `sure=yes` comes too.
    func actOnPhoneFromForm(_ world: World, _ request: Request) throws -> Response {
        let name = request.parameter("name")
        let order = PhoneOrder(request.form)
        switch order.action {
        case "settings":
            if let refusal = skewRefusal(order.inputs) {
                let said = PhonePage.Said(sentence: refusal, isRefusal: true, typed: order.inputs)
                var page = try phone(.settings, world, request, said)
                page.status = .badRequest
                return render(page, request, in: world)
            }
            try set(order.inputs, on: name, world, request)
            return Self.seeOther(request.mount + "/phones/" + name + PhoneScreen.settings.path)
        case "delete":
            let phone = try knowing { try Phones(world).phone(name) }
            guard order.isSure else {
                return render(order.question(phone, base: request.mount).page, request, in: world)
            }
            try knowing { try Phones(world).delete(name) }
            return Self.seeOther(request.mount + "/phones")
        default: break
        }
        guard let work = order.work else {
            let said = PhonePage.Said(sentence: "There is no such button.", isRefusal: true)
            return render(try phone(order.screen, world, request, said), request, in: world)
        }
        if order.action == "do", !order.isSure, let action = try action(order, of: name, world),
            action.isFinal
        {
            let question = order.question(action, name, base: request.mount)
            return render(question.page, request, in: world)
        }
        return try send(name, world, request, order, work)
    }

    /// What the app offers that an order names.
    private func action(_ order: PhoneOrder, of name: String, _ world: World) throws -> ConsoleRecord.Action?
    {
        let session = try knowing { try phones.look(at: name, in: world) }
        return session.shownApps.first { $0.platform == order.platform && $0.account == order.account }?
            .actions.first { $0.name == order.verb }
    }

    private func skewRefusal(_ inputs: [String: String]) -> String? {
        guard let typed = inputs["clock_skew"], !typed.isEmpty else { return nil }
        if let skew = Int(typed), Phone.clockSkews.contains(skew) { return nil }
        return
            "The clock can be ahead by whole seconds from \(Phone.clockSkews.lowerBound) to \(Phone.clockSkews.upperBound), "
            + "not by “\(typed.shortened)”."
    }

    private func set(_ inputs: [String: String], on name: String, _ world: World, _ request: Request) throws {
        let phone = try knowing {
            try Phones(world).change(name) { phone in
                phone.network = inputs["network"].flatMap(Phone.Network.init(rawValue:)) ?? phone.network
                phone.policy = inputs["policy"].flatMap(PhonePolicy.init(rawValue:)) ?? phone.policy
                phone.keepsAlive = inputs["keeps_alive"].map { $0 == "yes" } ?? phone.keepsAlive
                if let skew = inputs["clock_skew"].flatMap({ Int($0) }), Phone.clockSkews.contains(skew) {
                    phone.clockSkew = skew
                }
                for platform in Phone.sdkChoices.map(\.platform) {
                    guard let name = inputs[PhonePage.sdkPrefix + platform] else { continue }
                    try phone.set(sdk: name, of: platform)
                }
                for scope in Phone.policyScopes.map(\.scope) {
                    guard let word = inputs[PhonePage.policyPrefix + scope] else { continue }
                    try phone.set(PhonePolicy(rawValue: word), for: scope)
                }
            }
        }
        if phone.network != .offline { phones.wake(name, in: world, at: request.ownURL) }
    }

    private func send(
        _ name: String, _ world: World, _ request: Request, _ order: PhoneOrder,
        _ work: @escaping @Sendable (PhoneSession) throws -> PhoneReport?
    ) throws -> Response {
        try knowing {
            try phones.answer(by: name, in: world, at: request.ownURL, work) { outcome in
                do {
                    guard let report = try outcome.get(), report.code != nil || report.kind == "scheduled"
                    else {
                        return Self.seeOther(request.mount + "/phones/" + name + order.next.path)
                    }
                    let said = PhonePage.Said(sentence: report.sentence, isRefusal: false)
                    return render(try phone(order.next, world, request, said), request, in: world)
                } catch let refusal as PhoneRefusal {
                    let said = PhonePage.Said(
                        sentence: refusal.sentence, isRefusal: true, typed: order.inputs)
                    var page = try phone(order.screen, world, request, said)
                    page.status = refusal.kind == .refused ? .conflict : Self.status(of: refusal)
                    return render(page, request, in: world)
                }
            }
        }
    }

    private func phone(
        _ screen: PhoneScreen, _ world: World, _ request: Request, _ said: PhonePage.Said? = nil
    ) throws -> Page {
        let name = request.parameter("name")
        let session = try knowing { try phones.look(at: name, in: world) }
        let query = request.method == .post ? request.form : request.queryItems
        var page = PhonePage(
            base: request.mount, screen: screen, session: session,
            enrollable: try session.enrollableApps(), now: world.clock.now)
        page.said = said
        (page.request, page.asking) = (query["request"] ?? query["id"], query["do"] ?? query["verb"])
        switch screen {
        case .home: page.pushes = try pushes(to: session, world)
        case .scan:
            page.codes = try shownCodes(world)
            (page.words, page.search) = (query["q"] ?? "", try query.search("q", isTyped: true))
        case .app:
            guard page.app != nil else {
                throw PageMissing(sentence: "The phone “\(name)” has no such app.", tab: .phones)
            }
        case .settings: break
        }
        page.groups = sent(by: name, screen, world)
        return Page(title: "Phone \(name)", tab: .phones, hasForms: true, main: page.html)
    }

    /// What the phone asked the platforms, the newest first; on the screen of an app what that app did.
    private func sent(by name: String, _ screen: PhoneScreen, _ world: World) -> [EntryGroup] {
        var query = JournalQuery()
        (query.correlationPrefix, query.kind) = (Handset.mark(name), .request)
        query.limit = 8
        // What the app holds takes the room.
        if case .app(let platform, _) = screen { (query.platform, query.limit) = (platform, 4) }
        return EntryGroup.groups(of: world.journal.entries(query))
    }

    /// The newest, newest first.
    private func pushes(to session: PhoneSession, _ world: World) throws -> [SentMessage] {
        let sent = try session.pushAddresses.flatMap { address in
            var query = OutboxStore.Query()
            (query.to, query.limit) = (address, 3)
            return try world.outbox.messages(query)
        }
        return sent.filter { !$0.message.subject.isEmpty }.sorted { $0.sentAt > $1.sentAt }.prefix(3).map(
            \.self)
    }

    private func knowing<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let refusal as PhoneRefusal where refusal.kind == .absent {
            throw PageMissing(sentence: refusal.explanation, tab: .phones)
        }
    }
}
