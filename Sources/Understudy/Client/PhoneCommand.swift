import Essentials
import HTTP
import HTTPClient

/// `phone`: simulated phones, from the terminal.
enum PhoneCommand {
    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        let (action, arguments) = try invocation.action()
        let phone = PhoneCommand.Caller(
            api: try ControlAPI(invocation, terminal, timeout: 40), invocation: invocation,
            terminal: terminal,
            path: "/phones" + (arguments.first.map { "/" + $0.percentEncoded } ?? ""))
        let second = arguments.count > 1 ? arguments[1] : nil
        switch action {
        case "create":
            try phone.make([
                ("name", arguments.first), ("owner", try phone.owner),
                ("model", invocation.text(.phoneModel)),
                ("mail", invocation.text(.phoneMail)), ("sdks", try phone.sdks),
            ])
        case "show": try phone.show()
        case "scan":
            let text = ("text", try phone.picture ?? second)
            let secrets = [("otp", invocation.text(.phoneOTP)), ("puk", invocation.text(.phonePUK))]
            try phone.tell("scan", [text, phone.account, phone.pin] + secrets)
        case "enrol":
            try phone.tell(
                "enrol",
                [
                    phone.platform, phone.account, ("user", invocation.text(.phoneUser)), phone.pin,
                    ("otp", invocation.text(.phoneOTP)),
                    ("protocol", invocation.text(.phoneProtocol)),
                    ("provider", invocation.text(.phoneProvider)),
                ])
        case "do": try phone.begin(arguments)
        case "pending": try phone.pending()
        case "approve", "decline":
            let way = ("with", invocation.text(.phoneWay))
            let fault = ("fault", invocation.text(.phoneFault))
            try phone.tell(
                action,
                [("id", second), phone.platform, phone.account, way, phone.pin, fault, try phone.after],
                waits: true)
        case "policy": try phone.follow(second ?? "")
        case "sdk": try phone.update(to: second ?? "")
        case "network": try phone.change([("network", second)])
        case "sign": try phone.sign(second)
        case "delete": try phone.delete(arguments[0])
        default: try phone.list()
        }
        return 0
    }

    struct Caller {
        let api: ControlAPI
        let invocation: Invocation
        let terminal: Terminal
        let path: String

        var platform: (String, String?) { ("platform", invocation.text(.phonePlatform)) }
        var account: (String, String?) { ("account", invocation.text(.phoneAccount)) }
        var pin: (String, String?) { ("pin", invocation.text(.phonePIN)) }

        /// Of a new phone.
        var owner: String? {
            get throws {
                let (owner, user) = (invocation.text(.phoneOwner), invocation.text(.phoneUser))
                if let owner, let user, owner != user {
                    throw UsageError("--owner names “\(owner)”, but --user “\(user)”; leave one of them out")
                }
                return owner ?? user
            }
        }

        /// The file of `--picture` as a data URL.
        var picture: String? {
            get throws {
                guard let path = invocation.text(.phonePicture) else { return nil }
                let bytes = try BoundedFile.bytes(at: path, limit: Self.pictureLimit, of: "a picture")
                let kind = bytes.starts(with: Array("<".utf8)) ? "svg+xml" : "png"
                return "data:image/\(kind);base64," + Data(bytes).base64EncodedString()
            }
        }

        /// Bytes; a picture of a code has some thousands.
        private static let pictureLimit = 4 << 20

        /// An object, of `--sdk`.
        var sdks: String? {
            get throws {
                guard let text = invocation.text(.phoneSDK) else { return nil }
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else {
                    throw UsageError("--sdk expects NAME=GENERATION, such as powerauth=2.x, not “\(text)”")
                }
                return Self.object(String(parts[0]), String(parts[1]))
            }
        }

        private static func object(_ name: String, _ value: String) -> String {
            "{" + JSONText.value(name) + ":" + JSONText.value(value) + "}"
        }

        /// The app has another SDK from now on, as after an update.
        func update(to sdk: String) throws {
            try change([("sdks", Self.object(invocation.text(.phonePlatform) ?? "powerauth", sdk))]) {
                phone in
                let names = phone.sdks.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
                return "\(phone.name) has the SDK of \(names.joined(separator: ", "))"
            }
        }

        /// A number, in the place of a text.
        var after: (String, String?) {
            get throws {
                (
                    "after",
                    try invocation.seconds(.phoneAfter).map {
                        String(Int(saturating: $0, .toNearestOrAwayFromZero))
                    }
                )
            }
        }

        /// A policy for the phone, for one app or for one kind of its requests.
        func follow(_ policy: String) throws {
            guard let platform = invocation.text(.phonePlatform) else {
                guard invocation.text(.phoneKind) == nil else {
                    throw Failure("--kind needs --platform: say whose requests you mean.")
                }
                return try change([("policy", policy)])
            }
            let scope = platform + (invocation.text(.phoneKind).map { "/" + $0 } ?? "")
            let word = policy == "default" ? "null" : JSONText.value(policy)
            try change([("policies", "{" + JSONText.value(scope) + ":" + word + "}")])
        }

        func make(_ members: [(String, String?)]) throws {
            let response = try call(.post, "/phones", members)
            if invocation.flag(.json) { return terminal.print(response.text) }
            terminal.print(try api.read(Phone.self, response).name)
        }

        func change(_ members: [(String, String?)], telling sentence: ((Phone) -> String)? = nil) throws {
            let response = try call(.patch, path, members)
            if invocation.flag(.json) { return terminal.print(response.text) }
            let phone = try api.read(Phone.self, response)
            let usual = "\(phone.name) is \(phone.network), its policy is \(words(phone))"
            terminal.print(Columns.plain(sentence?(phone) ?? usual))
        }

        /// `"approve", for powerauth/offline "ignore"`
        func words(_ phone: Phone) -> String {
            let others = phone.policies.sorted { $0.key < $1.key }.map { ", for \($0.key) “\($0.value)”" }
            return "“\(phone.policy)”" + others.joined()
        }

        func delete(_ name: String) throws {
            _ = try call(.delete, path)
            terminal.print("deleted \(name)")
        }

        /// Has it do something, and prints the code that comes of it, or else what it did.
        func tell(_ action: String, _ members: [(String, String?)], waits: Bool = false) throws {
            let wait = waits ? try invocation.seconds(.phoneWait) ?? 0 : 0
            let response = try call(.post, path + "/" + action, members, waiting: wait)
            if invocation.flag(.json) { return terminal.print(response.text) }
            terminal.print(Columns.plain(try api.read(Report.self, response).detail))
        }

        /// - Parameter arguments: phone, action, and inputs as `NAME=VALUE`.
        func begin(_ arguments: [String]) throws {
            let inputs = try arguments.dropFirst(2).map { text in
                let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else {
                    throw UsageError("phone do expects NAME=VALUE, not “\(text)”")
                }
                return JSONText.value(String(parts[0])) + ":" + JSONText.value(String(parts[1]))
            }
            let members = [platform, account, ("action", arguments.dropFirst().first)].compactMap {
                name, value in
                value.map { JSONText.value(name) + ":" + JSONText.value($0) }
            }
            let body =
                "{"
                + (members + ["\"inputs\":{" + inputs.joined(separator: ",") + "}"])
                .joined(separator: ",") + "}"
            try show(report: api.answer(.post, path + "/do", query: [], json: Array(body.utf8), waiting: 0))
        }

        private func show(report response: ClientResponse) throws {
            guard (200..<300).contains(response.status.code) else { throw refusal(response, path) }
            if invocation.flag(.json) { return terminal.print(response.text) }
            let report = try api.read(Report.self, response)
            terminal.print(Columns.plain(report.detail))
        }

        func sign(_ uriID: String?) throws {
            let members = [
                platform, account, ("uriId", uriID), ("method", invocation.text(.phoneMethod)),
                ("body", invocation.text(.phoneBody)), ("with", invocation.text(.phoneWay)), pin,
                ("token", invocation.text(.phoneToken)),
            ]
            let response = try call(.post, path + "/sign", members)
            if invocation.flag(.json) { return terminal.print(response.text) }
            for (name, value) in try api.read(Signed.self, response).headers.sorted(by: { $0.key < $1.key }) {
                terminal.print("\(name): \(value)")
            }
        }

        /// Members that are no texts.
        private static let plain: Set<String> = ["after", "policies", "sdks"]

        /// - Throws: ``Failure`` with the SDK's name of the error in front, where there is one.
        func call(
            _ method: HTTP.Request.Method, _ path: String, _ members: [(String, String?)]? = nil,
            waiting: Double = 0
        ) throws -> ClientResponse {
            let body = members.map { members in
                "{"
                    + members.compactMap { name, value in
                        value.map {
                            JSONText.value(name) + ":" + (Self.plain.contains(name) ? $0 : JSONText.value($0))
                        }
                    }.joined(separator: ",") + "}"
            }
            let query = [("wait", waiting > 0 ? String(min(60, waiting)) : nil)]
            let response = try api.answer(
                method, path, query: query, json: body.map { Array($0.utf8) }, waiting: waiting)
            if (200..<300).contains(response.status.code) { return response }
            throw refusal(response, path)
        }

        private func refusal(_ response: ClientResponse, _ path: String) -> Failure {
            let plain = api.refusal(response, path)
            // Not every answer comes from us.
            guard response.status == .unprocessableContent,
                let title = try? response.json(Problem.self).title, title != response.status.reason
            else { return plain }
            return Failure(title + ": " + plain.message)
        }
    }
}
