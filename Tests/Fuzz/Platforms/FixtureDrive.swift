import Essentials
import HTTP
import PlatformKit
import Platforms

/// What people do in a world whose fixtures were taken: whatever they say, no answer is a 5xx that no platform declares, and nothing is a
/// bug of ours.
struct FixtureDrive {
    let house: FuzzHouse
    let world: World
    /// `/w/NAME`, or nothing.
    let place: String
    /// Bodies that clients sent, some of which are sent here.
    let samples: [BodySample]

    /// - Parameter names: of the sections that were changed.
    func run(_ names: Set<String>, _ random: inout SplitMix64) throws(Violation) {
        for section in Platforms.sections { try look(section) }
        for platform in Platforms.all where names.contains(platform.name) {
            try visit(platform)
        }
        for _ in 0..<24 where !samples.isEmpty {
            let sample = random.pick(samples)
            var headers: Headers = [:]
            for header in sample.headers { headers[header.name] = header.value }
            switch sample.body {
            case .json(let tree): try send(sample.method, sample.target, headers, tree.text)
            case .form(let fields): try send(sample.method, sample.target, headers, Form.encode(fields))
            }
        }
        try signUpAtHanko()
        try logInAtOnegini()
        try authenticateOnMobile()
        try beginWithMIRACL()
        try beginWithNextAuth()
        try beginWithPowerAuth()
    }
}

// What the console shows and offers.
extension FixtureDrive {
    private func look(_ section: any Section.Type) throws(Violation) {
        let name = section.name
        try hold("\(name): records") {
            guard let keeper = world.ask(section, (any KeepsRecords).self) else { return }
            for record in try keeper.records() { _ = try keeper.record(record.id) }
        }
        try hold("\(name): new records") {
            _ = try world.ask(section, (any MakesRecords).self)?.newRecords()
        }
        try hold("\(name): transactions") {
            _ = try world.ask(section, (any HoldsTransactions).self)?.transactions()
        }
        try hold("\(name): configurations") {
            _ = try world.ask(section, (any ConfiguresApps).self)?.appConfigurations()
        }
        for caller in Setup.Caller.allCases {
            try hold("\(name): setup for \(caller)") {
                _ = try world.ask(section, (any SetsUpCallers).self)?.setup(
                    for: Setup.Place(caller) { [house, place] in house.origin + place + "/" + $0 })
            }
        }
    }

    /// What a platform refuses, it says why.
    private func hold(_ what: String, _ body: () throws -> Void) throws(Violation) {
        do {
            try body()
        } catch let error where !(error is any Refusal) {
            throw Violation("\(what): \(error)")
        } catch {
            return
        }
    }

    /// Every page and list.
    private func visit<P: Platform>(_: P.Type) throws(Violation) {
        for mount in P.mounts {
            for route in mount.routes where route.method == .get {
                let path =
                    "/" + mount.path
                    + route.pattern.replacing(/[:*](\w+)/) { Self.values[String($0.1)] ?? "none" }
                try send(.get, path, Self.credentials[mount.path] ?? [:])
            }
        }
    }

    private static let values = [
        "application": "my-app", "user": "eva", "userId": "ada", "userid": "ada@example.com",
        "serverid": "NP3zfIyXOwwzWEIfcetxjQ==", "project": "understudy", "client_id": "backend",
        "type": "push",
    ]

    private static let credentials: [String: Headers] = [
        "powerauth-cloud": ["Authorization": basic("admin:admin-secret")],
        "oauth": ["Authorization": basic("backend:backend-secret")],
        "api": ["Authorization": basic("backend:backend-secret")],
        "nextauth": ["X-apikey": "nextauth-api-key", "X-nonce": "0123456789abcdef"],
    ]

    private static func basic(_ account: String) -> String {
        "Basic " + Data(account.utf8).base64EncodedString()
    }
}

// The main flow of each platform, as far as it goes without a device.
extension FixtureDrive {
    private func signUpAtHanko() throws(Violation) {
        let made = try post("/hanko/users", ["email": "drive@example.com"])
        let user = made["id"] ?? made["user_id"]
        let begun = try post(
            "/hanko/passcode/login/initialize", ["user_id": user ?? "0d0f7b5e-6c1a-4a53-9a51-6f2b8f0c7a11"])
        guard let id = begun["id"] else { return }
        var query = OutboxStore.Query()
        query.hasCode = true
        let code: String
        do { code = try world.outbox.newest(query)?.message.code ?? "000000" } catch {
            throw Violation("the outbox: \(error)")
        }
        let done = try send(
            .post, "/hanko/passcode/login/finalize", Self.json, #"{"id":\#(id.text),"code":"\#(code)"}"#)
        if let token = done.headers["X-Auth-Token"] {
            try send(.get, "/hanko/me", ["Authorization": "Bearer " + token])
        }
        for flow in ["login", "registration"] { try send(.post, "/hanko/" + flow, Self.json, "{}") }
    }

    /// An authorization request of each client of the built-in cast, and the login of its page.
    private func logInAtOnegini() throws(Violation) {
        for (client, back) in [("web-app", "http://localhost:3000/callback"), ("mobile-app", "/app")] {
            let query =
                "response_type=code&client_id=\(client)&redirect_uri=\(back.percentEncoded)&scope=openid&state=s&nonce=n&code_challenge=\(String(repeating: "a", count: 43))&code_challenge_method=S256"
            for path in ["/oauth/v1/authorize", "/oauth/authorize"] {
                let page = try Self.text(send(.get, path + "?" + query))
                guard let form = page.firstMatch(of: /name="interaction" value="([^"]+)"/),
                    let guardian = page.firstMatch(of: /name="csrf" value="([^"]+)"/)
                else { continue }
                let fields = [("interaction", String(form.1)), ("csrf", String(guardian.1)), ("user", "ada")]
                try send(.post, "/oauth/login", Self.form, Form.encode(fields))
            }
        }
        let token = try send(
            .post, "/oauth/v1/token", Self.backEnd, "grant_type=client_credentials&scope=openid")
        try send(
            .post, "/oauth/v1/token/introspect", Self.backEnd,
            "token=" + Self.text(token).prefix(40).description.percentEncoded)
    }

    /// A back end asks for a login on the mobile; the sample app's portal does so by itself, over the network.
    private func authenticateOnMobile() throws(Violation) {
        for type in ["push", "push-with-pin", "otp", "qr-code", "sms"] {
            try send(
                .post, "/oauth/api/v4/authenticate/user", Self.backEnd,
                "type=\(type)&user_id=ada&message=Log+in&callback_uri=http%3A%2F%2Flocalhost%3A1%2Fcallback")
        }
        let begun = try send(.post, "/app/portal/login", Self.form)
        if let next = begun.headers["Location"], let path = next.firstRange(of: "/app/") {
            try send(.get, String(next[path.lowerBound...]), ["Cookie": begun.headers["Set-Cookie"] ?? ""])
        }
        for page in ["/app/portal", "/app/passkeys", "/app/miracl"] { try send(.get, page) }
        for user in ["eva", "grace"] { try post("/app/login/init", ["user": .string(user)]) }
    }

    private func beginWithMIRACL() throws(Violation) {
        try post("/miracl/registration", ["userId": "ada@example.com", "deviceName": "Drive"])
        try post(
            "/miracl/rps/v2/user", ["userId": "ada@example.com", "deviceName": "Drive", "mobile": 0], .put)
        try post("/miracl/verification/email", ["userId": "ada@example.com", "projectId": "understudy"])
        try post("/miracl/rps/v2/session", ["projectId": "understudy", "userId": "ada@example.com"])
        try send(
            .get,
            "/miracl/authorize?client_id=miracl-app&redirect_uri=http%3A%2F%2Flocalhost%3A3000%2Flogin&response_type=code&scope=openid&state=s"
        )
    }

    private func beginWithNextAuth() throws(Violation) {
        let server = "/nextauth/servers/NP3zfIyXOwwzWEIfcetxjQ=="
        let session: JSONValue = ["announceinfo": ["ip": "192.0.2.1"]]
        for kind in ["login", "enrol"] {
            try send(.post, server + "/sessions/qr/" + kind, Self.nextAuth, session.text)
            try send(.post, server + "/sessions/html/" + kind, Self.nextAuth, session.text)
        }
        try send(.post, server + "/users/ada%40example.com/provokelogin", Self.nextAuth, session.text)
    }

    private func beginWithPowerAuth() throws(Violation) {
        let registered = try send(
            .post, "/powerauth-cloud/v2/registrations", Self.office, #"{"userId":"eva","appId":"my-app"}"#)
        let id = (try? JSONValue(parsing: registered.bytes))?["registrationId"]?.string ?? "none"
        try send(.get, "/powerauth-cloud/v2/registrations/" + id, Self.office)
        for template in ["login", "payment", "approval"] {
            let operation = try send(
                .post, "/powerauth-cloud/v2/operations", Self.office,
                #"{"template":"\#(template)","userId":"eva","parameters":{"amount":"1","currency":"EUR"}}"#)
            let id = (try? JSONValue(parsing: operation.bytes))?["operationId"]?.string ?? "none"
            try send(.get, "/powerauth-cloud/v2/operations/" + id, Self.office)
            try send(
                .get, "/powerauth-cloud/v2/operations/\(id)/offline/qr?registrationId=none", Self.office)
        }
        try send(
            .post, "/powerauth-java-server/rest/v3/activation/init", Self.json,
            #"{"requestObject":{"userId":"eva","applicationId":"my-app"}}"#)
    }

    private static let json: Headers = ["Content-Type": "application/json"]
    private static let form: Headers = ["Content-Type": "application/x-www-form-urlencoded"]
    private static let backEnd: Headers = [
        "Content-Type": "application/x-www-form-urlencoded", "Authorization": basic("backend:backend-secret"),
    ]
    private static let office: Headers = [
        "Content-Type": "application/json", "Authorization": basic("back-office:back-office-secret"),
    ]
    private static let nextAuth: Headers = [
        "Content-Type": "application/json", "X-apikey": "nextauth-api-key", "X-nonce": "0123456789abcdef",
    ]
}

// Requests.
extension FixtureDrive {
    private static func text(_ response: Response) -> String {
        String(decoding: response.bytes, as: UTF8.self)
    }

    @discardableResult
    private func post(_ path: String, _ body: JSONValue, _ method: Request.Method = .post) throws(Violation)
        -> JSONValue
    {
        let answer = try send(method, path, Self.json, body.text)
        return (try? JSONValue(parsing: answer.bytes)) ?? .null
    }

    @discardableResult
    private func send(
        _ method: Request.Method, _ target: String, _ headers: Headers = [:], _ body: String = ""
    ) throws(Violation) -> Response {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        var headers = headers
        headers["Host"] = house.authority
        var request = Request(
            method, place + (parts.first ?? "/"), query: parts.count > 1 ? parts[1] : nil, headers: headers,
            body: Array(body.utf8))
        request.peer = house.peer
        var response = house.dispatcher.respond(to: request)
        if case .waiting = response.body { response = Response(status: .noContent) }
        if let report = house.takeReports().first { throw Violation(report) }
        let text = String(decoding: response.bytes.prefix(500), as: UTF8.self)
        guard response.status.code < 500 || BodiesSubject.mayFail(response.status.code, text) else {
            throw Violation("\(method.rawValue) \(target): \(response.status.code) \(text)")
        }
        return response
    }
}
