import Crypto
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing
import WebAuthn

@testable import PasskeyAPI

/// Two tenants, a back end with the key of each, and phones.
struct PasskeyAPIBench {
    static let blue = "b1be0000-0000-4000-8000-000000000001"
    static let red = "4ed00000-0000-4000-8000-000000000002"
    static let key = "blue-api-key"
    static let origin = "https://shop.example"

    /// - Parameter more: members of the tenant `blue`.
    static func fixtures(_ more: String = "") -> String {
        """
        {"passkeyapi": {"tenants": [
            {"id": "\(blue)", "display_name": "Blue", "api_keys": ["\(key)"], \(more)
             "relying_party": {"id": "shop.example", "display_name": "Shop", "origins": ["\(origin)"]}},
            {"id": "\(red)", "api_keys": ["red-api-key"],
             "relying_party": {"id": "red.example", "origins": ["https://red.example"]}}
        ]}}
        """
    }

    let bench: TestBench<PasskeyAPI>

    init(_ more: String = "") throws { bench = try TestBench(PasskeyAPI.self, fixtures: Self.fixtures(more)) }

    static func device(seed: UInt64 = 1, _ change: (inout SoftwareBehaviour) -> Void = { _ in })
        -> SoftwareAuthenticator
    {
        var behaviour = SoftwareBehaviour(origin: origin)
        change(&behaviour)
        let entropy = Entropy.seeded(seed)
        return SoftwareAuthenticator(behaviour, entropy: .init(bytes: { entropy.bytes($0, "device") }))
    }

    /// A call below a tenant; with its key unless another is given.
    func post(
        _ path: String, _ body: String = "", key: String? = key, tenant: String = blue
    ) -> Response {
        var headers: Headers = ["Content-Type": "application/json"]
        headers["apiKey"] = key
        return bench.send(.post, "/passkeyapi/\(tenant)\(path)", body: Array(body.utf8), headers: headers)
    }

    func get(_ path: String, key: String? = key, tenant: String = blue) -> Response {
        bench.get("/passkeyapi/\(tenant)\(path)", headers: key.map { ["apiKey": $0] } ?? [:])
    }

    /// Ada's new credential on the device.
    @discardableResult
    func register(
        _ device: inout SoftwareAuthenticator, mfa: Bool = false, user: String = "ada"
    ) throws -> JSONValue {
        let place = (mfa ? "/mfa" : "") + "/registration"
        let begun = post(
            place + "/initialize", "{\"user_id\": \"\(user)\", \"username\": \"\(user)@example.com\"}")
        try #require(begun.status == .ok, "\(begun.text)")
        let made = try device.create(begun.bytes)
        let ended = post(place + "/finalize", String(decoding: made, as: UTF8.self))
        try #require(ended.status == .ok, "\(ended.text) \(bench.explanation ?? "")")
        return try claims(ended)
    }

    /// What the token of an answer says, checked by the tenant's keys.
    func claims(_ response: Response, tenant: String = blue) throws -> JSONValue {
        let token = try #require(try response.json(JSONValue.self)["token"]?.string)
        let keys = try get("/.well-known/jwks.json", key: nil, tenant: tenant).json(JSONValue.self)["keys"]
        let parts = token.split(separator: ".").map { Base64URL.decode(String($0)) ?? [] }
        let header = try JSONValue(parsing: parts[0])
        #expect(header["alg"] == "RS256")
        #expect(keys?.array?.contains { $0["kid"] == header["kid"] } == true)
        return try JSONValue(parsing: parts[1])
    }
}
