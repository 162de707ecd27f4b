import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

typealias JSON = Essentials.JSONValue

/// Drives a flow as an app does: takes the address of an action from the last answer, and sends its token back.
struct FlowClient {
    let bench: TestBench<Hanko>
    var headers: Headers
    private(set) var response: Response
    private(set) var body: JSON

    /// Begins a flow at `path`, such as `/login`.
    init(_ bench: TestBench<Hanko>, _ path: String, headers: Headers = [:]) throws {
        self.bench = bench
        self.headers = headers
        response = bench.send(.post, "/hanko" + path, headers: headers)
        body = try Self.body(of: response)
    }

    /// Metadata may lie in it, which are as deep as a client may write.
    private static func body(of response: Response) throws -> JSON {
        try JSONDecoder().decode(JSON.self, from: Data(response.bytes))
    }

    var state: String { body["name"]?.string ?? "" }
    var status: Int { response.status.code }
    var token: String { body["csrf_token"]?.string ?? "" }
    var error: String? { body["error"]?["code"]?.string }
    var payload: JSON { body["payload"] ?? .null }
    /// Names of what is offered, sorted.
    var actions: [String] { (body["actions"]?.object ?? [:]).keys.sorted() }

    func inputs(of action: String) -> JSON { body["actions"]?[action]?["inputs"] ?? .null }
    func input(_ name: String, of action: String) -> JSON { inputs(of: action)[name] ?? .null }
    /// Code of the error at an input.
    func inputError(_ name: String, of action: String) -> String? {
        input(name, of: action)["error"]?["code"]?.string
    }

    /// Address of an action as the answer gave it.
    func href(_ action: String) throws -> String {
        try #require(body["actions"]?[action]?["href"]?.string, "\(action) is not offered: \(response.text)")
    }

    @discardableResult
    mutating func run(_ action: String, _ inputs: JSON? = nil) throws -> JSON {
        try post(href(action), token: token, inputs)
    }

    /// Sends anything, also what no app would.
    @discardableResult
    mutating func post(_ href: String, token: String?, _ inputs: JSON? = nil) throws -> JSON {
        var members: [String: JSON] = [:]
        members["csrf_token"] = token.map(JSON.string)
        members["input_data"] = inputs
        response = bench.post("/hanko" + href, raw: JSON.object(members).text, headers: headers)
        body = try Self.body(of: response)
        return body
    }

    /// Says what the device can do: nothing, if not told otherwise.
    mutating func preflight(webauthn: Bool = false, conditional: Bool = false, platform: Bool = false) throws
    {
        try run(
            "register_client_capabilities",
            [
                "webauthn_available": .boolean(webauthn),
                "webauthn_conditional_mediation_available": .boolean(conditional),
                "webauthn_platform_authenticator_available": .boolean(platform),
            ])
    }

    /// The code of the newest mail.
    func code() throws -> String { try #require(try bench.messages.first?.message.code) }
}

extension TestBench where P == Hanko {
    /// A flow past `preflight`.
    func flow(
        _ path: String, webauthn: Bool = false, conditional: Bool = false, headers: Headers = [:]
    ) throws -> FlowClient {
        var client = try FlowClient(self, path, headers: headers)
        try client.preflight(webauthn: webauthn, conditional: conditional)
        return client
    }
}
