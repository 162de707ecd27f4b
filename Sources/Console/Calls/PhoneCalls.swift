import Crypto
import HTTP
import Phone
import PlatformKit

/// Simulated phones: made, looked at, and told what to do. What a phone does takes a while; nobody holds a thread meanwhile.
extension Console {
    struct PhonesOutput: Encodable {
        let phones: [PhoneJSON]
    }

    struct RequestsOutput: Encodable {
        let requests: [PhoneJSON.Request]
    }

    struct HeadersOutput: Encodable {
        /// By the names of header fields.
        let headers: [String: String]
    }

    struct PhoneMessagesOutput: Encodable {
        let messages: [PhoneMessageJSON]
    }

    /// `GET /phones`: the phones of the world, in the order in which they were made.
    func listPhones(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let shapes = try Phones(world).all().map { PhoneJSON(try phones.look(at: $0.name, in: world)) }
        return try .json(PhonesOutput(phones: shapes))
    }

    /// `POST /phones`: makes one.
    ///
    /// - Request: `{"name", "owner"?, "mail"?, "model"?, "network"?, "clockSkew"?, "policy"?, "policies"?, "sdks"?, "enrolsAtFirstUse"?, "keepsAlive"?}`.
    /// - Response: `201` with the phone; `Location` is the call that shows it.
    /// - Errors: 400; 409 when the name is taken or there are 100 already.
    func makePhone(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let body = try JSONBody(
            request, "name", "owner", "mail", "model", "network", "clockSkew", "policy", "policies",
            "sdks", "enrolsAtFirstUse", "keepsAlive")
        guard let name = try body.value("name", String.self, expected: "a text") else {
            throw ControlError.parameter("name", expected: "the name of the phone", given: "nothing")
        }
        var phone = Phone(name)
        try phone.change(body)
        try Phones(world).add(phone)
        var response = try Response.json(PhoneJSON(phones.look(at: name, in: world)), status: .created)
        response.headers["Location"] =
            WorldAddresses(request, info).base(of: world.name) + Self.root + "/phones/" + name
        return response
    }

    /// `GET /phones/NAME`: a phone with what its apps hold, as it knew it last.
    func showPhone(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        return try .json(PhoneJSON(phones.look(at: request.parameter("name"), in: world)))
    }

    /// `PATCH /phones/NAME`: changes owner, model, network, clock, SDKs or policy, which holds for what waits already too.
    ///
    /// - Response: `200` with the phone.
    func changePhone(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let name = request.parameter("name")
        let body = try JSONBody(
            request, "owner", "mail", "model", "network", "clockSkew", "policy", "policies",
            "sdks", "enrolsAtFirstUse", "keepsAlive")
        let phone = try Phones(world).change(name) { try $0.change(body) }
        if phone.network != .offline, ["policy", "policies", "network"].contains(where: body.has) {
            phones.wake(name, in: world, at: request.ownURL)
        }
        return try .json(PhoneJSON(phones.look(at: name, in: world)))
    }

    /// `DELETE /phones/NAME`: 204. Its keys are gone with it; the platforms are not told.
    func deletePhone(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        try Phones(world).delete(request.parameter("name"))
        return .noContent
    }

    /// `POST /phones/NAME/scan`: what a camera saw, a link says, or somebody typed.
    ///
    /// - Request: `{"text", "account"?, "pin"?, "otp"?, "puk"?, "biometry"?, "protocol"?, "application"?}`; the text is that of the code, or a picture of it
    ///   as this program draws it, PNG or SVG, as a data URL.
    /// - Response: `200 {"kind": "activation" or what waits for an answer now, "id", "code"?, "detail"}`.
    /// - Errors: 422, whose title is the SDK's error.
    func scanWithPhone(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let body = try JSONBody(
            request, "text", "account", "pin", "otp", "puk", "biometry", "protocol", "application")
        guard let text = try body.value("text", String.self, expected: "a text"), !text.isEmpty else {
            throw ControlError.parameter("text", expected: "what the code says", given: "nothing")
        }
        let typed = try TypedIn(body)
        let account = try body.account()
        return try report(by: world, request) { try $0.scan(text, typed, as: account) }
    }

    /// `POST /phones/NAME/enrol`: enrols the owner, with a code that the console makes.
    ///
    /// - Request: `{"platform"?, "account"?, "user"?, "provider"?, "pin"?, "otp"?, "biometry"?, "protocol"?, "application"?}`; with the OpenID Connect provider at
    ///   which the owner logs in, `200 {"kind": "login", "code"}` gives the address to be opened, and the one to which it leads back is
    ///   scanned.
    /// - Response: as for ``scanWithPhone(_:_:)``.
    func enrolPhone(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let body = try JSONBody(
            request, "platform", "account", "user", "provider", "pin", "otp", "biometry", "protocol",
            "application")
        let platform = try body.value("platform", String.self, expected: "the name of a platform")
        let (typed, account) = (try TypedIn(body), try body.account())
        return try report(by: world, request) { try $0.enrol(platform, typed, as: account) }
    }

    /// `POST /phones/NAME/do`: begins something in an app, as its owner would: an AppLogin, a one-time password.
    ///
    /// - Request: `{"action", "platform"?, "account"?, "inputs"?}`: an action that the phone has for an app, and texts by name as it asks for them.
    /// - Response: `200 {"kind": "done" or what waits for an answer now, "id", "code"?, "detail"}`.
    /// - Errors: 400 for an action that no app has now; 422, whose title is the SDK's error.
    func doOnPhone(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let body = try JSONBody(request, "action", "platform", "account", "inputs")
        guard let action = try body.value("action", String.self, expected: "the name of an action") else {
            throw ControlError.parameter("action", expected: "the name of an action", given: "nothing")
        }
        let platform = try body.value("platform", String.self, expected: "the name of a platform")
        let (inputs, account) = (try body.inputs(), try body.account())
        return try report(by: world, request) { try $0.perform(action, inputs, at: platform, as: account) }
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
                try .json(RequestsOutput(requests: ($0.get() ?? []).map(PhoneJSON.Request.init)))
            })
    }

    /// `POST /phones/NAME/approve?wait=`: approves a request, or the first that there is within `wait` seconds.
    ///
    /// - Request: `{"id"?, "platform"?, "account"?, "with"?: "pin", "biometry", "wrong-pin" or "possession", "pin"?, "after"?, "fault"?}`;
    ///   `platform` and `account` are those of the app that is meant; `after` are the seconds by which it is late, by the world's clock; `fault` is what is wrong with
    ///   it, as far as the app's protocol has that: `twice`, `changed-counter`, `stolen-key`, `rooted`, `old-protocol`, `other-data` or, of
    ///   a request that is named by its id, `unasked`.
    /// - Response: `200 {"kind": "approved", "id", "code"?, "detail"}`; the kind is `scheduled` with `after`.
    /// - Errors: 404 when nothing waits; 422, whose title is the SDK's error.
    func approveOnPhone(_ world: World, _ request: Request) throws -> Response {
        try answerOnPhone(.approve, world, request)
    }

    /// `POST /phones/NAME/decline?wait=`: the same with `declined`.
    ///
    /// - Request: `{"id"?, "platform"?, "account"?, "with"?, "pin"?, "reason"?, "after"?, "fault"?}`.
    func declineOnPhone(_ world: World, _ request: Request) throws -> Response {
        try answerOnPhone(.decline, world, request)
    }

    private func answerOnPhone(
        _ verdict: PhoneAnswer.Verdict, _ world: World, _ request: Request
    ) throws -> Response {
        let wait = try Parameters(request, "wait").wait()
        let body = try JSONBody(
            request, "id", "platform", "account", "with", "pin", "reason", "after", "fault")
        let id = try body.value("id", String.self, expected: "the id of a request")
        let faults = PhoneAnswer.Fault.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", ")
        let answer = PhoneAnswer(
            verdict, by: try body.way(), pin: try body.value("pin", String.self, expected: "a text"),
            reason: try body.value("reason", String.self, expected: "a text"),
            fault: try body.word("fault", expected: faults),
            at: try body.value("platform", String.self, expected: "the name of a platform"),
            as: try body.account())
        let delays = "whole seconds from \(PhonePlan.delays.lowerBound) to \(PhonePlan.delays.upperBound)"
        let delay = try body.value("after", Int.self, expected: delays) ?? 0
        guard PhonePlan.delays.contains(delay) else {
            throw ControlError.parameter("after", expected: delays, given: String(delay))
        }
        let name = request.parameter("name")
        return try phones.answer(by: name, in: world, at: request.ownURL, within: wait) {
            try $0.answer(id, answer, after: delay)
        } with: { outcome in
            guard let report = try outcome.get() else {
                throw ControlError.absent("No request is waiting on the phone “\(name)”.")
            }
            return try .json(PhoneReportJSON(report))
        }
    }

    /// `POST /phones/NAME/sign`: header fields with which an app's request to its own back end is believed.
    ///
    /// - Request: `{"platform"?, "account"?, "method"?, "uriId", "body"?, "with"?, "pin"?, "token"?}`; which of them an app needs, is its own; the body as text, of a GET the query.
    /// - Response: `200 {"headers": {"X-PowerAuth-Authorization": "PowerAuth …"}}`; the next request needs another one.
    func signWithPhone(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let body = try JSONBody(
            request, "platform", "account", "method", "uriId", "body", "with", "pin", "token")
        let token = try body.value("token", String.self, expected: "the name of a token")
        let uriID = try body.value("uriId", String.self, expected: "a text")
        let order = SigningOrder(
            method: try body.value("method", String.self, expected: "a method") ?? "POST", uriID: uriID ?? "",
            body: Array((try body.value("body", String.self, expected: "a text") ?? "").utf8),
            by: try body.way() ?? (token == nil ? .pin : .possession),
            pin: try body.value("pin", String.self, expected: "a text"), token: token)
        let platform = try body.value("platform", String.self, expected: "the name of a platform")
        let account = try body.account()
        return try phones.answer(by: request.parameter("name"), in: world, at: request.ownURL) {
            try $0.sign(platform, order, as: account)
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
            try .json(PhoneMessagesOutput(messages: ($0.get() ?? []).map(PhoneMessageJSON.init)))
        }
    }

    /// `POST /phones/NAME/messages/ID/open?account=`: opens a message, which is read then.
    func openPhoneMessage(_ world: World, _ request: Request) throws -> Response {
        let account = try Parameters(request, "account").text("account")
        let id = request.parameter("id")
        return try phones.answer(by: request.parameter("name"), in: world, at: request.ownURL) {
            try $0.message(id, as: account)
        } with: { outcome in
            guard let message = try outcome.get() else {
                throw ControlError.absent("There is no such message.")
            }
            return try .json(PhoneMessageJSON(message))
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
            return try .json(PhoneReportJSON(report))
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
