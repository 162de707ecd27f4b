import Crypto
import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import SQLite
import TestKit
import Testing

@testable import PowerAuth

/// Applications, verification and access one level lower. Source: published behaviour of the PowerAuth Server.
struct ManagementServerTests {
    private let bench: OfficeBench

    init() throws { bench = try OfficeBench() }

    private func object(_ members: [String: JSONValue]) -> String { JSONValue.object(members).text }

    @Test func `integrations that are made lock nobody out`() throws {
        let made = try bench.result(bench.manage("integration/create", #"{"name": "office"}"#))
        #expect(bench.manage("application/list").status == .ok)
        let list = try bench.result(bench.manage("integration/list"))
        #expect(list == ["restrictedAccess": false, "items": [.object(made)]])
        let id = try #require(made["id"])
        for removed in [true, false] {
            #expect(
                try bench.result(bench.manage("integration/remove", object(["id": id])))
                    == ["id": id, "removed": .boolean(removed)])
        }
    }

    // powerauth.service.restrictAccess=true
    @Test func `where access is restricted, the API asks for an integration`() throws {
        let bench = try OfficeBench(
            #""integrations": [{"id": "1", "name": "office", "client_token": "token", "client_secret": "secret"}]"#,
            settings: #""restrict_access": true"#)
        let (wrong, message) = ("ERR_AUTHENTICATION", "Authentication failed")
        let missing = bench.manage("application/list")
        try bench.expect(
            missing, wrong, message, status: 401, because: "has no Authorization header. The setting")
        #expect(missing.headers["WWW-Authenticate"] == #"Basic realm="PowerAuth Server""#)
        for (caller, reason) in [
            (OfficeBench.basic("token", "x"), "The password of “office” is another one."),
            (OfficeBench.basic("x", "secret"), "no integration with the client token “x”"),
            (OfficeBench.office, "no integration with the client token “office”"),
        ] {
            let refused = bench.manage("application/list", as: caller)
            try bench.expect(refused, wrong, message, status: 401, because: reason)
        }
        let caller = OfficeBench.basic("token", "secret")
        let list = try bench.result(bench.manage("integration/list", as: caller))
        #expect(list["restrictedAccess"] == true)
        #expect(bench.cloud(.get, "/v2/registrations?userId=ada").status != .unauthorized)
    }

    @Test func `a request without its envelope is refused`() throws {
        let response = bench.bench.post(
            "/powerauth-java-server/rest/v3/application/detail", raw: #"{"applicationId": "bank"}"#)
        try bench.expect(response, "ERR0024", "The body has no requestObject.")
    }

    @Test(arguments: ["{}", #"{"requestObject": null}"#, #"{"requestObject": {}}"#, ""])
    func `who asks for nothing sends nothing`(_ body: String) throws {
        for path in ["application/list", "operation/template/list", "integration/list"] {
            let response = bench.bench.post("/powerauth-java-server/rest/v3/" + path, raw: body)
            #expect(response.status == .ok, "\(path)")
        }
        let response = bench.bench.post("/powerauth-java-server/rest/v3/application/detail", raw: body)
        #expect(try bench.result(response)["code"] == "ERR0024")
    }

    @Test func `the server tells its codes`() throws {
        let errors = try #require(try bench.result(bench.manage("error/list"))["errors"]?.array)
        #expect(errors.contains { $0["code"] == "ERR0009" })
    }

    @Test func `applications and versions are made and shut out`() throws {
        #expect(
            try bench.result(
                bench.manage(
                    "application/create", #"{"applicationId": "new-app", "applicationRoles": ["R"]}"#))
                == ["applicationId": "new-app", "applicationRoles": ["R"]])
        try bench.expect(
            bench.manage("application/create", #"{"applicationId": "new-app"}"#), "ERR0043",
            "The application “new-app” exists already.")
        let version = try bench.result(
            bench.manage(
                "application/version/create", #"{"applicationId": "new-app", "applicationVersionId": "2.0"}"#)
        )
        let key = try #require(version["applicationKey"]?.string)
        #expect(
            try MobileConfiguration(parsing: try #require(version["mobileSdkConfig"]?.string)).applicationKey
                == key)
        try bench.expect(
            bench.manage(
                "application/version/create", #"{"applicationId": "new-app", "applicationVersionId": "2.0"}"#),
            "ERR0043", "The version “2.0” exists already.")
        let found = try bench.result(
            bench.manage("application/detail/version", object(["applicationKey": .string(key)])))
        #expect(found["applicationId"] == "new-app")
        #expect(found["versions"]?.array?.count == 2)
        let off = #"{"applicationId": "new-app", "applicationVersionId": "2.0"}"#
        #expect(try bench.result(bench.manage("application/version/unsupport", off))["supported"] == false)
        #expect(try bench.result(bench.manage("application/version/support", off))["supported"] == true)
        try bench.expect(
            bench.manage("application/detail", #"{"applicationId": "nil"}"#), "ERR0015",
            "There is no application “nil”.")
    }

    @Test func `roles and configuration change`() throws {
        func roles(_ call: String, _ given: [String]?) throws -> JSONValue? {
            var members: [String: JSONValue] = ["applicationId": "bank"]
            members["applicationRoles"] = given.map { JSONValue($0) }
            return try bench.result(bench.manage("application/roles/" + call, object(members)))[
                "applicationRoles"]
        }
        #expect(try roles("create", ["C", "ROLE_A"]) == ["ROLE_B", "ROLE_A", "C"])
        #expect(try roles("remove", ["ROLE_A"]) == ["ROLE_B", "C"])
        #expect(try roles("update", ["X"]) == ["X"])
        #expect(try roles("list", nil) == ["X"])

        let provider: JSONValue = [
            "providerId": "p", "clientId": "c", "issuerUri": "https://i.test", "redirectUri": "app:/",
        ]
        let set = object(["applicationId": "bank", "key": "oauth2_providers", "values": .array([provider])])
        #expect(bench.manage("application/config/create", set).status == .ok)
        bench.manage(
            "application/config/create",
            #"{"applicationId": "bank", "key": "fido2_aaguids_allowed", "values": ["x"]}"#)
        #expect(
            try bench.result(bench.manage("application/config/detail", #"{"applicationId": "bank"}"#))[
                "applicationConfigs"] == [
                    ["key": "fido2_aaguids_allowed", "values": ["x"]],
                    ["key": "oauth2_providers", "values": .array([provider])],
                ])
        bench.manage("application/config/remove", #"{"applicationId": "bank", "key": "oauth2_providers"}"#)
        let stored = try bench.bench.world.database.read { try Application.find("bank", in: $0) }
        #expect(try stored?.providers.list() == [])
        let unknown = bench.manage(
            "application/config/create", #"{"applicationId": "bank", "key": "odd", "values": []}"#)
        #expect(try bench.result(unknown)["code"] == "ERR0024")
    }

    @Test func `callbacks are managed in both APIs, and secrets are never told`() throws {
        let body = #"""
            {"name": "told", "type": "REGISTRATION_STATUS_CHANGE", "callbackUrl": "http://localhost:9/x",
             "authentication": {"httpBasic": {"enabled": true, "username": "u", "password": "secret"}}}
            """#
        let path = "/v2/admin/applications/bank/callbacks"
        let made = try bench.object(bench.cloud(.post, path, body))
        let id = try #require(made["id"]?.string)
        #expect(
            made.filter { $0.key != "id" } == [
                "name": "told", "type": "REGISTRATION_STATUS_CHANGE", "callbackUrl": "http://localhost:9/x",
                "attributes": [], "authentication": ["httpBasic": ["enabled": true, "username": "u"]],
                "maxAttempts": 1, "initialBackoff": "PT2S", "retentionPeriod": "P30D",
            ])
        #expect(
            try bench.object(bench.cloud(.get, path, as: OfficeBench.admin))["callbacks"]?.array?.count == 1)
        let listed = try bench.result(
            bench.manage("application/callback/list", #"{"applicationId": "bank"}"#))
        #expect(listed["callbackUrlList"]?.array?.first?["type"] == "ACTIVATION_STATUS_CHANGE")

        bench.cloud(
            .put, "\(path)/\(id)",
            #"{"maxAttempts": 3, "authentication": {"httpBasic": {"enabled": true, "username": "v"}}}"#)
        let stored = try bench.bench.world.database.read { try RegisteredCallback.find(id, in: $0) }
        #expect(stored?.authentication.httpBasic == .init(enabled: true, username: "v", password: "secret"))
        #expect(stored?.maxAttempts == 3)
        try bench.expect(
            bench.manage(
                "application/callback/update", object(["id": .string(id), "callbackUrl": "ftp://x"])),
            "ERR0014",
            "The URL is invalid.", because: "ftp://x")
        bench.expectOK(bench.cloud(.delete, "\(path)/\(id)"))
        let withID =
            #"{"name": "x", "type": "REGISTRATION_STATUS_CHANGE", "callbackUrl": "http://x", "attributes": ["activationId", "userId"]}"#
        #expect(bench.cloud(.post, path, withID).status == .ok)
        try bench.expect(
            bench.cloud(.get, "\(path)/\(id)"), "ERROR_REQUEST",
            "The application “bank” has no callback “\(id)”.")
        #expect(bench.cloud(.get, path, as: OfficeBench.stranger).status == .badRequest)
        for wrong in [
            #"{"name": "x", "type": "ODD", "callbackUrl": "http://x"}"#,
            #"{"name": "x", "type": "OPERATION_STATUS_CHANGE", "callbackUrl": "x"}"#,
            #"{"name": "x", "type": "OPERATION_STATUS_CHANGE", "callbackUrl": "http://x", "attributes": ["odd"]}"#,
            #"{"name": "x", "type": "OPERATION_STATUS_CHANGE", "callbackUrl": "http://x", "maxAttempts": 0}"#,
            #"{"name": "x", "type": "OPERATION_STATUS_CHANGE", "callbackUrl": "http://x", "initialBackoff": "2 s"}"#,
            #"{"name": "x", "type": "OPERATION_STATUS_CHANGE", "callbackUrl": "http://x", "authentication": {"certificate": {"enabled": true}}}"#,
        ] {
            let refused = try bench.result(bench.cloud(.post, path, wrong))
            #expect(refused["code"] == "ERROR_REQUEST", "\(wrong)")
            #expect(refused["violations"]?.array?.count == 1, "\(wrong)")
        }
    }

    @Test func `a code over normalised data, and a token taken apart`() throws {
        let (phone, id) = try bench.active()
        let header = try AuthorizationHeader(
            phone.authorization(uriID: "/login", body: Array("x".utf8), with: .pin(OfficeBench.pin)))
        let parts = [
            "POST", Base64.encode(Array("/login".utf8)), header.nonce, Base64.encode(Array("x".utf8)),
        ]
        let request: [String: JSONValue] = [
            "activationId": .string(id), "applicationKey": .string(OfficeBench.key),
            "data": .string(parts.joined(separator: "&")), "signature": .string(header.signature),
            "signatureType": "POSSESSION_KNOWLEDGE", "signatureVersion": .string(header.version.rawValue),
        ]
        #expect(
            try bench.result(bench.manage("signature/verify", object(request))) == [
                "signatureValid": true, "activationStatus": "ACTIVE", "activationId": .string(id),
                "userId": "ada", "applicationId": "bank", "applicationRoles": ["ROLE_B", "ROLE_A"],
                "activationFlags": [], "signatureType": "POSSESSION_KNOWLEDGE", "remainingAttempts": 5,
            ])
        #expect(try bench.result(bench.manage("signature/verify", object(request)))["remainingAttempts"] == 4)
        let items = try bench.result(bench.manage("signature/list", #"{"userId": "ada"}"#))["items"]?.array
        #expect(items?.map { $0["valid"] } == [true, false])
        let signed = [request["data"]?.string ?? "", OfficeBench.secret].joined(separator: "&")
        #expect(items?.first?["signature"] == .string(header.signature))
        #expect(items?.first?["dataBase64"] == .string(Base64.encode(Array(signed.utf8))))
        #expect(items?.first?["signatureType"] == "POSSESSION_KNOWLEDGE")
        #expect(items?.first?["signatureVersion"] == request["signatureVersion"])
        #expect(items?.first?["version"] == 3 && items?.first?["activationStatus"] == "ACTIVE")

        _ = try phone.createToken("T")
        let token = try TokenHeader(phone.tokenHeader("T"))
        let validation = object([
            "tokenId": .string(token.tokenID), "tokenDigest": .string(Base64.encode(token.digest)),
            "nonce": .string(Base64.encode(token.nonce)), "timestamp": .integer(token.milliseconds),
            "protocolVersion": .string(token.version.rawValue),
        ])
        let valid = try bench.result(bench.manage("token/validate", validation))
        #expect(valid["tokenValid"] == true)
        #expect(valid["signatureType"] == "POSSESSION")
        #expect(valid["remainingAttempts"] == nil)
        #expect(try bench.result(bench.manage("token/validate", validation))["code"] == "ERR0024")
        // Clients of servers before 1.5 tell no version; 3.1 is theirs.
        let old = try JSONValue(parsing: Array(validation.utf8)).object ?? [:]
        let unversioned = try bench.result(
            bench.manage("token/validate", object(old.filter { $0.key != "protocolVersion" })))
        #expect(unversioned["tokenValid"] == false)
        try bench.bench.clock.advance(seconds: 7201)
        #expect(try bench.result(bench.manage("token/validate", validation))["code"] == "ERR0030")
        let removal = object(["tokenId": .string(token.tokenID), "activationId": .string(id)])
        #expect(try bench.result(bench.manage("token/remove", removal)) == ["removed": true])
        #expect(try bench.result(bench.manage("token/remove", removal)) == ["removed": false])
    }

    @Test func `free data is signed by the server and by the device`() throws {
        let (phone, id) = try bench.active()
        let data = Array("contract".utf8)
        let signature = try phone.signWithDeviceKey(data, with: .pin(OfficeBench.pin))
        var request: [String: JSONValue] = [
            "activationId": .string(id), "data": .string(Base64.encode(data)),
            "signature": .string(Base64.encode(signature)),
        ]
        #expect(
            try bench.result(bench.manage("signature/ecdsa/verify", object(request))) == [
                "signatureValid": true
            ])
        request["data"] = .string(Base64.encode(data + [0]))
        #expect(
            try bench.result(bench.manage("signature/ecdsa/verify", object(request))) == [
                "signatureValid": false
            ])

        request["activationId"] = "AAAAA-BBBBB-CCCCC-DDDDD"
        #expect(
            try bench.result(bench.manage("signature/ecdsa/verify", object(request))) == [
                "signatureValid": false
            ])
        request["activationId"] = .string(id)

        let signed = try bench.result(bench.manage("signature/ecdsa/sign", object(request)))["signature"]?
            .string
        let server = try PublicKey(x962: try #require(phone.activation?.serverKey))
        #expect(DataSignature.isValid(try #require(Base64.decode(signed ?? "")), for: data + [0], by: server))
    }

    @Test func `offline data is signed for one device or for all, and its code is checked`() throws {
        let (phone, id) = try bench.active()
        let operation = "5f6d2f0e-8a29-4a44-9a0c-3a7d0d8f1b02"
        let text = "\(operation)\nTitle\nMessage\nA2\nB"
        let made = try bench.result(
            bench.manage(
                "signature/offline/personalized/create",
                object(["activationId": .string(id), "data": .string(text)])))
        let qr = try phone.offlineOperation(try #require(made["offlineData"]?.string))
        #expect(qr.signer == .activation)
        let all = try bench.result(
            bench.manage(
                "signature/offline/non-personalized/create",
                object(["applicationId": "bank", "data": .string(text)])))
        let forAll = try phone.offlineOperation(try #require(all["offlineData"]?.string))
        #expect(forAll.signer == .application)

        let code = try phone.offlineCode(for: qr, with: .pin(OfficeBench.pin))
        let parts = [
            "POST", Base64.encode(Array("/operation/authorize/offline".utf8)), made["nonce"]?.string ?? "",
            Base64.encode(Array("\(operation)&A2".utf8)),
        ]
        let check = object([
            "activationId": .string(id), "data": .string(parts.joined(separator: "&")),
            "signature": .string(code),
        ])
        #expect(try bench.result(bench.manage("signature/offline/verify", check))["signatureValid"] == true)
        #expect(try bench.result(bench.manage("signature/offline/verify", check))["signatureValid"] == false)
    }
}
