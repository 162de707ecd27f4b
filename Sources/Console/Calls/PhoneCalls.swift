import Crypto
import HTTP
import Phone
import PlatformKit

/// Simulated phones: made, looked at, and told what to do. What a phone does takes a while; nobody holds a thread meanwhile.
extension Console {
    struct PhonesOutput: Encodable {
        let phones: [PhoneShape]
    }

    struct RequestsOutput: Encodable {
        let requests: [PhoneShape.Request]
    }

    struct HeadersOutput: Encodable {
        /// By the names of header fields.
        let headers: [String: String]
    }

    struct PhoneMessagesOutput: Encodable {
        let messages: [PhoneMessageShape]
    }

    /// `GET /phones`: the phones of the world, in the order in which they were made.
    func listPhones(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let shapes = try Phones(world).all().map { PhoneShape(try phones.look(at: $0.name, in: world)) }
        return try .json(PhonesOutput(phones: shapes))
    }

    /// `POST /phones`: makes one.
    ///
    /// - Request: `{"name", "owner"?, "mail"?, "model"?, "network"?, "clockSkew"?, "policy"?, "enrolsAtFirstUse"?, "keepsAlive"?}`.
    /// - Response: `201` with the phone; `Location` is the call that shows it.
    /// - Errors: 400; 409 when the name is taken or there are 100 already.
    func makePhone(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let body = try JSONBody(
            request, "name", "owner", "mail", "model", "network", "clockSkew", "policy",
            "enrolsAtFirstUse", "keepsAlive")
        guard let name = try body.value("name", String.self, expected: "a text") else {
            throw ControlError.parameter("name", expected: "the name of the phone", given: "nothing")
        }
        var phone = Phone(name)
        try phone.change(body)
        try Phones(world).add(phone)
        var response = try Response.json(PhoneShape(phones.look(at: name, in: world)), status: .created)
        response.headers["Location"] =
            WorldAddresses(request, info).base(of: world.name) + Self.root + "/phones/" + name
        return response
    }

    /// `GET /phones/NAME`: a phone with what its apps hold, as it knew it last.
    func showPhone(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        return try .json(PhoneShape(phones.look(at: request.parameter("name"), in: world)))
    }

    /// `PATCH /phones/NAME`: changes owner, model, network, clock or policy, which holds for what waits already too.
    ///
    /// - Response: `200` with the phone.
    func changePhone(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let name = request.parameter("name")
        let body = try JSONBody(
            request, "owner", "mail", "model", "network", "clockSkew", "policy", "enrolsAtFirstUse",
            "keepsAlive")
        let phone = try Phones(world).change(name) { try $0.change(body) }
        if phone.network != .offline, body.has("policy") || body.has("network") {
            phones.wake(name, in: world, at: request.ownURL)
        }
        return try .json(PhoneShape(phones.look(at: name, in: world)))
    }

    /// `DELETE /phones/NAME`: 204. Its keys are gone with it; the platforms are not told.
    func deletePhone(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        try Phones(world).delete(request.parameter("name"))
        return .noContent
    }

    /// `POST /phones/NAME/scan`: what a camera saw, a link says, or somebody typed.
    ///
    /// - Request: `{"text", "pin"?, "otp"?, "biometry"?, "protocol"?, "application"?}`.
    /// - Response: `200 {"kind": "activation" or what waits for an answer now, "id", "code"?, "detail"}`.
    /// - Errors: 422, whose title is the SDK's error.
    func scanWithPhone(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let body = try JSONBody(request, "text", "pin", "otp", "biometry", "protocol", "application")
        guard let text = try body.value("text", String.self, expected: "a text"), !text.isEmpty else {
            throw ControlError.parameter("text", expected: "what the code says", given: "nothing")
        }
        let typed = try TypedIn(body)
        return try report(by: world, request) { try $0.scan(text, typed) }
    }

    /// `POST /phones/NAME/enrol`: enrols the owner, with a code that the console makes.
    ///
    /// - Request: `{"platform"?, "pin"?, "otp"?, "biometry"?, "protocol"?, "application"?}`.
    /// - Response: as for ``scanWithPhone(_:_:)``.
    func enrolPhone(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let body = try JSONBody(request, "platform", "pin", "otp", "biometry", "protocol", "application")
        let platform = try body.value("platform", String.self, expected: "the name of a platform")
        let typed = try TypedIn(body)
        return try report(by: world, request) { try $0.enrol(platform, typed) }
    }

    /// `POST /phones/NAME/do`: begins something in an app, as its owner would: an AppLogin, a one-time password.
    ///
    /// - Request: `{"action", "platform"?, "inputs"?}`: an action that the phone has for an app, and texts by name as it asks for them.
    /// - Response: `200 {"kind": "done" or what waits for an answer now, "id", "code"?, "detail"}`.
    /// - Errors: 400 for an action that no app has now; 422, whose title is the SDK's error.
    func doOnPhone(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let body = try JSONBody(request, "action", "platform", "inputs")
        guard let action = try body.value("action", String.self, expected: "the name of an action") else {
            throw ControlError.parameter("action", expected: "the name of an action", given: "nothing")
        }
        let platform = try body.value("platform", String.self, expected: "the name of a platform")
        let inputs = try body.inputs()
        return try report(by: world, request) { try $0.perform(action, inputs, at: platform) }
    }

    /// `GET /phones/NAME/pending?wait=`: what waits for an answer, asked for anew.
    ///
    /// - Response: `200 {"requests": […]}`, as soon as there is one, or after `wait` seconds.
    func pendingOnPhone(_ world: World, _ request: Request) throws -> Response {
        let wait = try Parameters(request, "wait").wait()
        return try phones.answer(
            by: request.parameter("name"), in: world, at: request.ownURL, within: wait,
            { session in
                let requests = try session.pending()
                return requests.isEmpty ? nil : requests
            },
            with: {
                try .json(RequestsOutput(requests: ($0.get() ?? []).map(PhoneShape.Request.init)))
            })
    }

    /// `POST /phones/NAME/approve?wait=`: approves a request, or the first that there is within `wait` seconds.
    ///
    /// - Request: `{"id"?, "with"?: "pin", "biometry", "wrong-pin" or "possession", "pin"?}`.
    /// - Response: `200 {"kind": "approved", "id", "code"?, "detail"}`.
    /// - Errors: 404 when nothing waits; 422, whose title is the SDK's error.
    func approveOnPhone(_ world: World, _ request: Request) throws -> Response {
        try answerOnPhone(.approve, world, request)
    }

    /// `POST /phones/NAME/decline?wait=`: the same with `declined`.
    ///
    /// - Request: `{"id"?, "with"?, "pin"?, "reason"?}`.
    func declineOnPhone(_ world: World, _ request: Request) throws -> Response {
        try answerOnPhone(.decline, world, request)
    }

    private func answerOnPhone(
        _ verdict: PhoneAnswer.Verdict, _ world: World, _ request: Request
    ) throws -> Response {
        let wait = try Parameters(request, "wait").wait()
        let body = try JSONBody(request, "id", "with", "pin", "reason")
        let id = try body.value("id", String.self, expected: "the id of a request")
        let answer = PhoneAnswer(
            verdict, by: try body.way(), pin: try body.value("pin", String.self, expected: "a text"),
            reason: try body.value("reason", String.self, expected: "a text"))
        let name = request.parameter("name")
        return try phones.answer(by: name, in: world, at: request.ownURL, within: wait) {
            try $0.answer(id, answer)
        } with: { outcome in
            guard let report = try outcome.get() else {
                throw ControlError.absent("Nothing waits for an answer on the phone \"\(name)\".")
            }
            return try .json(PhoneReportShape(report))
        }
    }

    /// `POST /phones/NAME/sign`: header fields with which an app's request to its own back end is believed.
    ///
    /// - Request: `{"platform"?, "method"?, "uriId", "body"?, "with"?, "token"?}`; which of them an app needs, is its own; the body as text, of a GET the query.
    /// - Response: `200 {"headers": {"X-PowerAuth-Authorization": "PowerAuth …"}}`; the next request needs another one.
    func signWithPhone(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let body = try JSONBody(request, "platform", "method", "uriId", "body", "with", "token")
        let token = try body.value("token", String.self, expected: "the name of a token")
        let uriID = try body.value("uriId", String.self, expected: "a text")
        let order = SigningOrder(
            method: try body.value("method", String.self, expected: "a method") ?? "POST", uriID: uriID ?? "",
            body: Array((try body.value("body", String.self, expected: "a text") ?? "").utf8),
            by: try body.way() ?? (token == nil ? .pin : .possession), token: token)
        let platform = try body.value("platform", String.self, expected: "the name of a platform")
        return try phones.answer(by: request.parameter("name"), in: world, at: request.ownURL) {
            try $0.sign(platform, order)
        } with: {
            let fields = try $0.get() ?? []
            return try .json(HeadersOutput(headers: Dictionary(fields.map { ($0.name, $0.value) }) { $1 }))
        }
    }

    /// `GET /phones/NAME/messages`: the inbox of its apps, newest first.
    func listPhoneMessages(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        return try phones.answer(by: request.parameter("name"), in: world, at: request.ownURL) {
            try $0.messages()
        } with: {
            try .json(PhoneMessagesOutput(messages: ($0.get() ?? []).map(PhoneMessageShape.init)))
        }
    }

    /// `POST /phones/NAME/messages/ID/open`: opens a message, which is read then.
    func openPhoneMessage(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let id = request.parameter("id")
        return try phones.answer(by: request.parameter("name"), in: world, at: request.ownURL) {
            try $0.message(id)
        } with: { outcome in
            guard let message = try outcome.get() else {
                throw ControlError.absent("There is no such message.")
            }
            return try .json(PhoneMessageShape(message))
        }
    }

    private func report(
        by world: World, _ request: Request,
        _ work: @escaping @Sendable (PhoneSession) throws -> PhoneReport
    ) throws -> Response {
        try phones.answer(by: request.parameter("name"), in: world, at: request.ownURL) {
            try work($0)
        } with: {
            guard let report = try $0.get() else { throw ControlError.absent("The phone did nothing.") }
            return try .json(PhoneReportShape(report))
        }
    }

    static func status(of refusal: PhoneRefusal) -> Status {
        switch refusal.kind {
        case .absent: .notFound
        case .malformed: .badRequest
        case .conflict: .conflict
        case .refused: .unprocessableContent
        }
    }
}

extension JSONBody {
    fileprivate func way() throws -> PhoneAnswer.Way? {
        let known = PhoneAnswer.Way.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        return try word("with", expected: known)
    }

    /// A word of an enumeration.
    fileprivate func word<Word: RawRepresentable<String>>(_ name: String, expected: String) throws -> Word? {
        guard let text = try value(name, String.self, expected: expected) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw ControlError.parameter(name, expected: expected, given: "\"\(text)\"")
        }
        return word
    }
}

extension TypedIn {
    fileprivate init(_ body: JSONBody) throws {
        self.init()
        pin = try body.value("pin", String.self, expected: "a text")
        otp = body.has("otp") ? try body.value("otp", String.self, expected: "a text") : nil
        usesBiometry = try body.value("biometry", Bool.self, expected: "true or false") ?? true
        version = try body.value("protocol", String.self, expected: "a version such as \"3.3\"")
        application = try body.value("application", String.self, expected: "the id of an application")
    }
}

extension Phone {
    /// What the members of a body say; null takes the owner away.
    fileprivate mutating func change(_ body: JSONBody) throws {
        if let owner = try body.value("owner", String.self, expected: Self.ownerRule) {
            guard 1...255 ~= owner.unicodeScalars.count else {
                throw ControlError.parameter("owner", expected: Self.ownerRule, given: "\"\(owner)\"")
            }
            self.owner = owner
        }
        if body.isNull("owner") { owner = nil }
        if let mail = try body.value("mail", String.self, expected: Self.mailRule) {
            guard 3...255 ~= mail.unicodeScalars.count, mail.contains("@") else {
                throw ControlError.parameter("mail", expected: Self.mailRule, given: "\"\(mail)\"")
            }
            self.mail = mail
        }
        if body.isNull("mail") { mail = nil }
        model = try body.word("model", expected: "\"ios\" or \"android\"") ?? model
        network = try body.word("network", expected: "\"online\", \"offline\" or \"slow\"") ?? network
        policy = try body.word("policy", expected: PhonePolicy.forms) ?? policy
        let seconds = "whole seconds from \(Phone.clockSkews.lowerBound) to \(Phone.clockSkews.upperBound)"
        if let skew = try body.value("clockSkew", Int.self, expected: seconds) {
            guard Phone.clockSkews.contains(skew) else {
                throw ControlError.parameter("clockSkew", expected: seconds, given: String(skew))
            }
            clockSkew = skew
        }
        enrolsAtFirstUse =
            try body.value("enrolsAtFirstUse", Bool.self, expected: "true or false") ?? enrolsAtFirstUse
        keepsAlive = try body.value("keepsAlive", Bool.self, expected: "true or false") ?? keepsAlive
    }

    private static let mailRule = "a mail address, 3 to 255 characters"
    private static let ownerRule = "the id of a user, 1 to 255 characters"
}
