import Crypto
import Essentials
import HTTP
import PlatformKit
package import TestKit
import Testing
import WebAuthn

@testable package import PasskeyAPI

@Suite struct PasskeyAPIConformanceTests {
    @Test func `the platform does what every platform must`() throws {
        try checkConformance(of: PasskeyAPI.self, fixtures: PasskeyAPIBench.fixtures())
    }

    @Test func `odd bodies come to their readers, who refuse them`() throws {
        try checkBodyReaders(of: PasskeyAPI.self)
    }
}

extension PasskeyAPI: SamplesBodies {
    package static let sampleParameters = ["tenant_id": PasskeyAPIBench.blue, "credential_id": "AQID"]

    package static let routesWithoutBody: Set = [
        "POST /passkeyapi-admin/tenants", "PUT /passkeyapi-admin/tenants/:tenant_id",
        "PUT /passkeyapi-admin/tenants/:tenant_id/config",
        "POST /passkeyapi-admin/tenants/:tenant_id/secrets/api",
        "POST /passkeyapi-admin/tenants/:tenant_id/secrets/jwk",
    ]

    package static func sampleCaller(of _: BodyRoute) throws -> SampleCaller<PasskeyAPI> {
        SampleCaller(try PasskeyAPIBench().bench, headers: ["apiKey": PasskeyAPIBench.key])
    }
}

@Suite struct CeremonyTests {
    @Test func `a passkey is made, and signs in without a name`() throws {
        let world = try PasskeyAPIBench()
        var device = PasskeyAPIBench.device()

        let made = try world.register(&device)
        #expect(made["sub"] == "ada")
        #expect(made["aud"] == ["shop.example"])
        #expect(made["exp"]?.integer == (made["iat"]?.integer ?? 0) + 300)

        let options = world.post("/login/initialize", key: nil)
        #expect(try options.json(JSONValue.self)["publicKey"]?["allowCredentials"] == nil)
        let signed = try device.get(options.bytes)
        let token = world.post("/login/finalize", String(decoding: signed, as: UTF8.self), key: nil)
        #expect(token.status == .ok, "\(token.text) \(world.bench.explanation ?? "")")
        let claims = try world.claims(token)
        #expect(claims["sub"] == "ada" && claims["cred"] == made["cred"] && claims["trans"] == nil)
        #expect(world.bench.reports.lines == [])
    }

    // Source: the defaults of the vendor's admin API.
    @Test func `options are those of the tenant, and of its second factors`() throws {
        let world = try PasskeyAPIBench(#""webauthn": {"timeout": 90000},"#)
        let body = #"{"user_id": "ada", "username": "ada@example.com", "display_name": " "}"#
        let passkey = try world.post("/registration/initialize", body).json(JSONValue.self)["publicKey"]
        #expect(passkey?["rp"] == ["id": "shop.example", "name": "Shop"])
        #expect(
            passkey?["user"]
                == [
                    "id": .string(Base64URL.encode(Array("ada".utf8))), "name": "ada@example.com",
                    "displayName": "ada@example.com",
                ])
        #expect(passkey?["timeout"] == 90000)
        #expect(passkey?["attestation"] == "direct")
        #expect(
            passkey?["authenticatorSelection"]
                == ["requireResidentKey": true, "residentKey": "required", "userVerification": "required"])

        let second = try world.post("/mfa/registration/initialize", body).json(JSONValue.self)["publicKey"]
        #expect(
            second?["authenticatorSelection"]
                == [
                    "authenticatorAttachment": "cross-platform", "requireResidentKey": false,
                    "residentKey": "discouraged", "userVerification": "preferred",
                ])
    }

    @Test
    func `a transaction is signed: its challenge ends with the hash of id and data, its token names it`()
        throws
    {
        let world = try PasskeyAPIBench()
        var device = PasskeyAPIBench.device()
        try world.register(&device)
        let body =
            #"{"user_id": "ada", "transaction_id": "t-1", "transaction_data": {"to": "eva", "amount": 3}}"#

        let options = world.post("/transaction/initialize", body)
        let challenge = try #require(
            try options.json(JSONValue.self)["publicKey"]?["challenge"]?.string.flatMap {
                Base64URL.decode($0)
            })
        // Go writes the members of a map by name.
        #expect(
            Array(challenge.suffix(32)) == Digest.sha256(Array(#"t-1{"amount":3,"to":"eva"}"#.utf8)))
        #expect(challenge.count == 64)

        let signed = try device.get(options.bytes)
        let token = world.post("/transaction/finalize", String(decoding: signed, as: UTF8.self))
        #expect(try world.claims(token)["trans"] == "t-1")
        #expect(world.post("/transaction/initialize", body).status == .conflict)
        #expect(world.bench.explanation?.contains("“t-1” already") == true)
    }

    @Test func `a second factor is shown to back ends, and signs nobody in`() throws {
        let world = try PasskeyAPIBench()
        var key = PasskeyAPIBench.device()
        try world.register(&key, mfa: true)

        let options = world.post("/mfa/login/initialize", #"{"user_id": "ada"}"#)
        let signed = try key.get(options.bytes)
        let token = world.post("/mfa/login/finalize", String(decoding: signed, as: UTF8.self))
        #expect(try world.claims(token)["sub"] == "ada")

        // Without a passkey there is nothing to sign in with.
        #expect(world.post("/login/initialize", #"{"user_id": "ada"}"#).status == .internalServerError)
        let login = try key.get(world.post("/login/initialize", key: nil).bytes)
        let refused = world.post("/login/finalize", String(decoding: login, as: UTF8.self), key: nil)
        #expect(refused.status == .badRequest)
        #expect(
            try refused.json(JSONValue.self)["title"] == "MFA credentials are not usable for normal login")
    }

    @Test func `an answer counts once, in its own tenant and ceremony`() throws {
        let world = try PasskeyAPIBench()
        var device = PasskeyAPIBench.device()
        try world.register(&device)
        let signed = String(
            decoding: try device.get(world.post("/login/initialize", key: nil).bytes), as: UTF8.self)

        let elsewhere = world.post("/login/finalize", signed, key: nil, tenant: PasskeyAPIBench.red)
        #expect(elsewhere.status == .unauthorized)
        #expect(
            try elsewhere.json(JSONValue.self) == [
                "title": "failed to get session data", "status": 401,
                "details": "received challenge does not match with any stored one",
            ])
        #expect(world.post("/transaction/finalize", signed).status == .unauthorized)
        #expect(world.post("/login/finalize", signed, key: nil).status == .ok)
        #expect(world.post("/login/finalize", signed, key: nil).status == .unauthorized)
        #expect(world.bench.explanation?.contains("is not waiting for an answer") == true)
    }

    @Test
    func `a late answer, a strange origin and a missing verification are refused, each with its reason`()
        throws
    {
        let world = try PasskeyAPIBench()
        var device = PasskeyAPIBench.device()
        try world.register(&device)
        let late = try device.get(world.post("/login/initialize", key: nil).bytes)
        try world.bench.clock.advance(seconds: 61)
        #expect(world.post("/login/finalize", String(decoding: late, as: UTF8.self)).status == .unauthorized)

        var stranger = PasskeyAPIBench.device { $0.origin = "https://other.shop.example" }
        let begun = world.post("/registration/initialize", #"{"user_id": "eva", "username": "eva"}"#)
        let made = String(decoding: try stranger.create(begun.bytes), as: UTF8.self)
        let refused = world.post("/registration/finalize", made)
        #expect(refused.status == .badRequest)
        #expect(try refused.json(JSONValue.self)["title"] == "failed to validate attestation")
        #expect(world.bench.explanation?.contains("https://other.shop.example") == true)
        #expect(world.bench.explanation?.contains("passkeyapi.tenants[].relying_party") == true)
        #expect(world.bench.misshapenExplanations == [])
    }
}

@Suite struct BackEndTests {
    @Test(arguments: [
        ("/passkeyapi/none/login/initialize", 400, "tenant_id must be a valid uuid4"),
        ("/passkeyapi/00000000-0000-4000-8000-000000000000/login/initialize", 404, "tenant not found"),
        ("/passkeyapi/\(PasskeyAPIBench.blue)/registration/initialize", 401, "The api key is invalid"),
        ("/passkeyapi/\(PasskeyAPIBench.blue)/no/such/call", 404, "Not Found"),
        ("/passkeyapi-admin/tenants", 501, "not emulated"),
    ])
    func `who may not call is told so in the vendor's words`(path: String, status: Int, title: String) throws
    {
        let bench = try PasskeyAPIBench().bench
        let refused = try bench.post(path, [:] as JSONValue, headers: ["apiKey": "red-api-key"])
        #expect(refused.status.code == status)
        #expect(try refused.json(JSONValue.self)["title"]?.string == title)
        #expect(refused.headers["Content-Type"] == "application/json; charset=UTF-8")
        #expect(bench.misshapenExplanations == [])
    }

    @Test(arguments: [
        (#"{}"#, "user_id is a required field and username is a required field"),
        (#"{"user_id": "a", "username": "b", "icon": "c"}"#, "icon must be a valid URL"),
    ])
    func `what a body lacks is told all at once`(body: String, details: String) throws {
        let refused = try PasskeyAPIBench().post("/registration/initialize", body)
        #expect(
            try refused.json(JSONValue.self)
                == ["title": "unable to validate request", "details": .string(details), "status": 400])
    }

    @Test func `credentials are listed by pages, renamed and forgotten, each in its tenant`() throws {
        let world = try PasskeyAPIBench()
        var (first, second) = (PasskeyAPIBench.device(), PasskeyAPIBench.device(seed: 2))
        try world.register(&first)
        try world.bench.clock.advance(seconds: 1)
        let id = try #require(try world.register(&second, user: "eva")["cred"]?.string)

        let page = world.get("/credentials?per_page=1")
        #expect(page.headers["X-Total-Count"] == "2")
        #expect(
            page.headers["Link"]
                == "<http://localhost:8420/passkeyapi/\(PasskeyAPIBench.blue)/credentials?page=2&per_page=1>; rel=\"last\","
                + "<http://localhost:8420/passkeyapi/\(PasskeyAPIBench.blue)/credentials?page=2&per_page=1>; rel=\"next\""
        )
        let newest = try #require(try page.json(JSONValue.self).array?.first)
        #expect(newest["id"]?.string == id && newest["user_id"] == "eva" && newest["is_mfa"] == false)
        #expect(try world.get("/credentials?user_id=ada").json(JSONValue.self).array?.count == 1)

        let place = "/passkeyapi/\(PasskeyAPIBench.blue)/credentials/\(id)"
        let headers: Headers = ["apiKey": PasskeyAPIBench.key]
        #expect(
            try world.bench.patch(place, ["name": "Key ring"] as JSONValue, headers: headers).status
                == .noContent)
        #expect(try world.get("/credentials/\(id)").json(JSONValue.self)["name"] == "Key ring")
        #expect(
            world.get("/credentials/\(id)", key: "red-api-key", tenant: PasskeyAPIBench.red).status
                == .notFound)
        #expect(world.bench.delete(place, headers: headers).status == .noContent)
        #expect(world.get("/credentials/\(id)").status == .notFound)

        let log = try world.get("/audit_logs").json(JSONValue.self).array ?? []
        #expect(
            log.compactMap { $0["type"]?.string }.prefix(2) == [
                "webauthn_credential_deleted", "webauthn_credential_updated",
            ])
        #expect(try PasskeyAPI(world.bench.world).auditLines(1).first?.event == "webauthn_credential_deleted")
    }

    @Test func `pages of a tenant's origins may call it, and no others`() throws {
        let bench = try PasskeyAPIBench().bench
        func allowed(_ origin: String, _ tenant: String) -> String? {
            bench.send(
                .options, "/passkeyapi/\(tenant)/login/finalize",
                headers: ["Origin": origin, "Access-Control-Request-Method": "POST"]
            ).headers["Access-Control-Allow-Origin"]
        }
        #expect(allowed("https://shop.example", PasskeyAPIBench.blue) == "https://shop.example")
        #expect(allowed("https://shop.example", PasskeyAPIBench.red) == nil)
        #expect(allowed("https://red.example", PasskeyAPIBench.red) == "https://red.example")
    }

    @Test func `a world with passkeys survives an export`() throws {
        let world = try PasskeyAPIBench()
        var device = PasskeyAPIBench.device()
        try world.register(&device)
        let export = try world.bench.worlds.export(world.bench.world)
        try world.bench.worlds.load(FixtureSet(text: export, file: "export"), into: world.bench.world)
        #expect(try world.bench.worlds.export(world.bench.world) == export)
        #expect(try PasskeyAPI(world.bench.world).records().map(\.kind).sorted() == ["credential", "user"])
    }
}
