import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import MIRACL

/// Requests that name no project while there are several: what they bring along says which one is meant.
@Suite struct ImpliedProjectTests {
    private let bench: TestBench<MIRACL>
    private static let user = "ada@example.com"

    init() throws { bench = try .shop() }

    /// An activation token of the second project, as its back end gets one.
    private func token() throws -> String {
        let begun = try bench.post(
            "/miracl/activate/initiate", ["userId": Self.user],
            headers: ["Authorization": "Bearer bank-token"])
        return try text(begun.members, "actToken")
    }

    private func register(_ token: String) throws -> Response {
        try bench.post(
            "/miracl/registration",
            [
                "userId": Self.user, "deviceName": "phone", "activationToken": token,
                "publicKey": Hex.encode(G2Point.generator.bytes),
            ])
    }

    @Test func `the activation token says the project, for both ways to register`() throws {
        let begun = try bench.put(
            "/miracl/rps/v2/user", ["userId": Self.user, "activateCode": token()])
        #expect(begun.status == .ok, "\(begun.text)")
        #expect(begun.members["projectId"] == "bank")
        #expect(begun.members["active"] == true)
        #expect(try register(token()).members["projectId"] == "bank")
    }

    @Test func `a registration that is begun anew is of the project of its identity`() throws {
        let begun = try bench.put(
            "/miracl/rps/v2/user", ["userId": Self.user, "activateCode": token()]
        ).members
        let again = try bench.put(
            "/miracl/rps/v2/user/" + text(begun, "mpinId"),
            ["userId": Self.user, "regOTT": text(begun, "regOTT")])
        #expect(again.members["projectId"] == "bank", "\(again.text)")
    }

    @Test func `the token of a signing key says the project`() throws {
        let phone = try Phone(on: bench, user: Self.user, project: "bank")
        let token = try #require(
            phone.authenticate(scope: ["dvs-reg"]).members["dvsRegister"]?["token"]?.string)
        let made = try bench.post(
            "/miracl/rps/v2/dvsregister",
            ["publicKey": Hex.encode(G2Point.generator.bytes), "dvsRegisterToken": token])
        #expect(made.status == .ok, "\(made.text)")
    }

    @Test(arguments: [
        String(repeating: "0a", count: 16), "123456", "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJpbnQifQ.c2ln",
    ])
    func `an unknown token is an invalid one, whatever the project`(_ token: String) throws {
        let invalid = refusal("INVALID_ACTIVATION_TOKEN", "Invalid activation token")
        #expect(try register(token).json == invalid)
        let begun = try bench.put("/miracl/rps/v2/user", ["userId": Self.user, "activateCode": token])
        #expect(begun.json == invalid)
        #expect(bench.explanation?.contains("activateCode") == true, "\(bench.explanation ?? "")")
        #expect(bench.misshapenExplanations.isEmpty)
    }

    @Test(arguments: ["00", "D7A1B2C3-0000-4000-8000-0123456789AB", "nonsense"])
    func `a text that is no token by its shape is a malformed parameter of the registration`(
        _ token: String
    ) throws {
        let refused = try register(token)
        #expect(refused.isRefusal(of: "activationToken"), "\(refused.text)")
        #expect(bench.explanation?.contains("32 hexadecimal digits") == true, "\(bench.explanation ?? "")")
        // The older way knows one answer.
        let begun = try bench.put("/miracl/rps/v2/user", ["userId": Self.user, "activateCode": token])
        #expect(begun.json == refusal("INVALID_ACTIVATION_TOKEN", "Invalid activation token"))
    }

    @Test func `wrong digits without a project are counted against those of every project`() throws {
        let phone = try Phone(on: bench, user: Self.user, project: "bank")
        let code = try text(phone.authenticate(scope: ["reg-code"]).members, "otp")
        for _ in 1...5 { _ = try register(code == "000000" ? "000001" : "000000") }
        #expect(try register(code).status == .forbidden)
        #expect(bench.explanation?.contains("already used") == true, "\(bench.explanation ?? "")")
    }

    @Test func `a request that says nothing of a project still has to name one, or there is a default`()
        throws
    {
        let refused = try bench.put("/miracl/rps/v2/user", ["userId": Self.user])
        #expect(refused.isRefusal(.forbidden, "FORBIDDEN", "Unknown project"))
        #expect(bench.explanation?.contains("\"default\": true") == true)
        let other = try TestBench<MIRACL>.shop(project: "\"default\": true,")
        let begun = try other.put("/miracl/rps/v2/user", ["userId": Self.user])
        #expect(begun.members["projectId"] == "shop", "\(begun.text)")
        let named = try other.put(
            "/miracl/rps/v2/user", ["userId": Self.user], headers: ["X-MIRACL-CID": "bank"])
        #expect(named.members["projectId"] == "bank")
    }

    @Test(arguments: ["ada", "ada@", "@example.com", "ada @example.com", "a@b@c"])
    func `where users are mail addresses, an id that is none is refused`(_ userID: String) throws {
        let refused = bench.call(.put, "/rps/v2/user", ["userId": .string(userID)])
        #expect(refused.isRefusal(of: "userId"), "\(refused.text)")
        #expect(bench.explanation?.contains("is not an email address") == true)
        let mail = bench.call(.post, "/verification/email", ["userId": .string(userID), "deviceName": "x"])
        #expect(mail.isRefusal(of: "userId"))
        let other = try TestBench<MIRACL>.shop(project: "\"identity_type\": \"alphanumeric\",")
        #expect(other.call(.put, "/rps/v2/user", ["userId": .string(userID)]).status == .ok)
    }

    @Test func `an M-Pin id that is not hexadecimal is called so`() throws {
        let point = G1Point(mapping: [1]).hex
        let pass = try bench.post("/miracl/rps/v2/pass1", ["mpin_id": "zz", "U": point])
        #expect(pass.json == refusal("EXPIRED_MPINID", "The identity has expired"))
        let sentence =
            "The M-Pin id “zz” is not hexadecimal: it is the text of its bytes in hexadecimal digits"
        #expect(bench.explanation?.hasPrefix(sentence) == true, "\(bench.explanation ?? "")")
        #expect(bench.get("/miracl/rps/v2/signature/zz?regOTT=1").status == .notFound)
        #expect(bench.explanation?.hasPrefix(sentence) == true)
        let infinite = try bench.post("/miracl/rps/v2/pass1", ["mpin_id": "7b7d", "U": "00"])
        #expect(infinite.isRefusal(of: "U"))
        #expect(bench.explanation?.contains("the point at infinity") == true)
        #expect(bench.misshapenExplanations.isEmpty)
    }
}
