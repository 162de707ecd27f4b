import HTTP
import Phone
import PlatformKit

extension Console {
    /// `GET /phones/NAME`: one phone, as its owner sees it, and what a developer wants to know of it.
    func phone(_ world: World, _ request: Request) throws -> Page {
        try phone(world, request, said: nil)
    }

    /// `POST /phones/NAME` with `action=…`, as a form of the page sends it: has the phone do something.
    ///
    /// - Response: `303` to its page; the page with what it said, such as a code, or why it was refused.
    func actOnPhoneFromForm(_ world: World, _ request: Request) throws -> Response {
        let (form, name) = (request.form, request.parameter("name"))
        let inputs = RecordForm.values(form)
        let id = form["id"]
        func typed(_ name: String) -> String? { inputs[name].flatMap { $0.isEmpty ? nil : $0 } }
        // A form about an app names it; that of a new account has a field for it.
        let (platform, account) = (form["platform"], form["account"] ?? typed("account"))
        switch form["action"] {
        case let action? where Self.answers[action] != nil:
            let (verdict, way) = Self.answers[action] ?? (.approve, nil)
            let answer = PhoneAnswer(
                verdict, by: way, pin: action == "approve" ? typed("pin") : nil,
                fault: typed("fault").flatMap(PhoneAnswer.Fault.init(rawValue:)), at: platform,
                as: account)
            let delay = min(max(typed("after").flatMap { Int($0) } ?? 0, 0), PhonePlan.delays.upperBound)
            return try send(name, world, request) { try $0.answer(id, answer, after: delay) }
        case "scan":
            let text = inputs["text"] ?? ""
            var input = TypedIn()
            (input.pin, input.otp, input.puk) = (typed("pin"), typed("otp"), typed("puk"))
            return try send(name, world, request) { [input] in
                try $0.scan(text, input, as: account)
            }
        case "enrol":
            var input = TypedIn()
            (input.provider, input.user) = (typed("provider"), typed("user"))
            return try send(name, world, request) { [input] in
                try $0.enrol(platform, input, as: account)
            }
        case "do":
            let verb = form["verb"] ?? ""
            return try send(name, world, request) {
                try $0.perform(verb, inputs, at: platform, as: account)
            }
        case "refresh":
            return try send(name, world, request) { session in
                _ = try session.pending()
                return nil
            }
        case "settings": try set(inputs, on: name, world, request)
        case "delete":
            try knowing { try Phones(world).delete(name) }
            return Self.seeOther(request.mount + "/phones")
        default:
            let page = try phone(
                world, request, said: .init(sentence: "There is no such button.", isRefusal: true))
            return render(page, request, in: world)
        }
        return Self.seeOther(request.mount + "/phones/" + name)
    }

    /// What the buttons of a request say.
    private static let answers: [String: (PhoneAnswer.Verdict, PhoneAnswer.Way?)] = [
        "approve": (.approve, .pin), "biometry": (.approve, .biometry), "possession": (.approve, .possession),
        "wrong-pin": (.approve, .wrongPIN), "decline": (.decline, nil),
    ]

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
        _ name: String, _ world: World, _ request: Request,
        _ work: @escaping @Sendable (PhoneSession) throws -> PhoneReport?
    ) throws -> Response {
        try knowing {
            try phones.answer(by: name, in: world, at: request.ownURL, work) { outcome in
                do {
                    guard let report = try outcome.get(), report.code != nil || report.kind == "scheduled"
                    else {
                        return Self.seeOther(request.mount + "/phones/" + name)
                    }
                    let said = PhonePage.Said(sentence: report.sentence, isRefusal: false)
                    return render(try phone(world, request, said: said), request, in: world)
                } catch let refusal as PhoneRefusal {
                    var page = try phone(
                        world, request, said: .init(sentence: refusal.sentence, isRefusal: true))
                    page.status = refusal.kind == .refused ? .conflict : Self.status(of: refusal)
                    return render(page, request, in: world)
                }
            }
        }
    }

    private func phone(_ world: World, _ request: Request, said: PhonePage.Said?) throws -> Page {
        let name = request.parameter("name")
        let session = try knowing { try phones.look(at: name, in: world) }
        let mark = Handset.mark(name)
        let entries = world.journal.entries().filter { $0.correlation?.hasPrefix(mark) ?? false }
        let page = PhonePage(
            base: request.mount, session: session, enrollable: try session.enrollableApps(),
            codes: try shownCodes(world), now: world.clock.now,
            pushes: try pushes(to: session, world),
            groups: Array(EntryGroup.groups(of: entries).prefix(20)), said: said)
        return Page(title: "Phone \(name)", tab: .phones, hasForms: true, main: page.html)
    }

    /// The newest, newest first.
    private func pushes(to session: PhoneSession, _ world: World) throws -> [SentMessage] {
        let sent = try session.pushAddresses.flatMap { address in
            var query = OutboxStore.Query()
            (query.to, query.limit) = (address, 5)
            return try world.outbox.messages(query)
        }
        return sent.filter { !$0.message.subject.isEmpty }.sorted { $0.sentAt > $1.sentAt }.prefix(5).map(
            \.self)
    }

    private func knowing<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let refusal as PhoneRefusal where refusal.kind == .absent {
            throw PageMissing(sentence: refusal.explanation)
        }
    }
}
