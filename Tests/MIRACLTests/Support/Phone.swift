import Crypto
import Essentials
import HTTP
import TestKit
import Testing

@testable import MIRACL

/// A project with one application, as the tests of routes use it: mails at once, links.
enum TestProject {
    static func fixtures(_ settings: String = "") -> String {
        """
        { "miracl": { "projects": [ {
            "id": "blue", "name": "Blue", "backoff": 0, \(settings)
            "applications": [ { "client_id": "shop", "client_secret": "shop-secret",
                "redirect_uris": ["https://shop.example/login"] } ],
            "service_accounts": [ { "name": "back end", "token": "blue-token" } ] } ] } }
        """
    }

    static func bench(_ settings: String = "") throws -> TestBench<MIRACL> {
        try TestBench(MIRACL.self, fixtures: fixtures(settings))
    }
}

/// A phone with an identity: the client's side of registration and proof, over the routes.
struct Phone {
    let bench: TestBench<MIRACL>
    let mpinID: String
    let regOTT: String
    var client: Client
    /// Hexadecimal; empty for an identity without a key pair.
    var publicKey = ""

    static let pin = 1234

    /// Registers without a key pair, as clients of the second generation do, in a project that forces activation.
    init(on bench: TestBench<MIRACL>, user: String = "ada@example.org", device: String = "phone") throws {
        let begun = try bench.put("/miracl/rps/v2/user", ["userId": user, "deviceName": device])
        try #require(begun.status == .ok)
        mpinID = try #require(begun.members["mpinId"]?.string)
        regOTT = try #require(begun.members["regOTT"]?.string)
        self.bench = bench
        let shares = bench.get("/miracl/rps/v2/signature/\(mpinID)?regOTT=\(regOTT)")
        try #require(shares.status == .ok)
        let first = try G1Point(hex: #require(shares.members["clientSecretShare"]?.string))
        let url = try #require(shares.members["cs2url"]?.string)
        let second = try G1Point(hex: #require(bench.get(url.path).members["clientSecret"]?.string))
        client = Client(
            MPinIdentity(try #require(Hex.decode(mpinID))), secrets: (first, second), pin: Self.pin)
    }

    /// Registers with a key pair, with an activation token.
    init(
        on bench: TestBench<MIRACL>, user: String = "ada@example.org", activationToken: String,
        secretExponent z: Scalar = Scalar(77_777)
    ) throws {
        let key = Hex.encode(try Client.publicKey(for: z).bytes)
        let made = try bench.post(
            "/miracl/registration",
            ["userId": user, "deviceName": "phone", "activationToken": activationToken, "publicKey": key])
        try #require(made.status == .ok, "\(made.text)")
        let id = try #require(made.members["mpinId"]?.string)
        let urls = try #require(made.members["secretUrls"]?.strings)
        let shares = try urls.map { url in
            try G1Point(hex: #require(bench.get(url.path).members["dvsClientSecret"]?.string))
        }
        try #require(shares.count == 2)
        (self.bench, mpinID, regOTT, publicKey) = (bench, id, "", key)
        client = Client(
            MPinIdentity(try #require(Hex.decode(id)), publicKey: try G2Point(hex: key)),
            secrets: (shares[0], shares[1]), pin: Self.pin, secretExponent: z)
    }

    /// Both passes.
    ///
    /// - Returns: `authOTT`.
    func prove(
        pin: Int = pin, scope: [String] = ["oidc"], wid: String? = nil, x: Scalar = Scalar(424_242)
    ) throws -> String {
        let commitment = client.commitment(x)
        let first = try bench.post(
            "/miracl/rps/v2/pass1",
            [
                "mpin_id": .string(mpinID), "U": .string(commitment.u.hex), "UT": "",
                "publicKey": .string(publicKey), "scope": JSONValue(scope), "pass": 1,
            ] as [String: JSONValue])
        try #require(first.status == .ok, "\(first.text)")
        let y = try Scalar(hex: #require(first.members["y"]?.string))
        let v = client.proof(x, challenge: y, pin: pin)
        let second = try bench.post(
            "/miracl/rps/v2/pass2",
            [
                "mpin_id": .string(mpinID), "V": .string(v.hex), "WID": .string(wid ?? "0"), "pass": 2,
            ] as [String: JSONValue])
        try #require(second.status == .ok, "\(second.text)")
        return try #require(second.members["authOTT"]?.string)
    }

    /// Both passes and what follows.
    func authenticate(
        pin: Int = pin, scope: [String] = ["oidc"], wid: String? = nil,
        _ more: [String: JSONValue] = [:]
    ) throws -> Response {
        let authOTT = try prove(pin: pin, scope: scope, wid: wid)
        return try bench.post(
            "/miracl/rps/v2/authenticate", more.merging(["authOTT": .string(authOTT)]) { $1 })
    }
}

extension Response {
    /// Members of the JSON body; none when it is no object.
    var members: [String: JSONValue] { (try? JSONValue(parsing: bytes))?.object ?? [:] }
}

extension String {
    /// What stands behind scheme and authority of a URL.
    var path: String {
        guard let scheme = firstRange(of: "://") else { return self }
        return String(self[scheme.upperBound...].drop { $0 != "/" })
    }
}
