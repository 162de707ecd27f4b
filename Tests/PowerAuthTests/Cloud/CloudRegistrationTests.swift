import Crypto
import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import SQLite
import TestKit
import Testing

@testable import PowerAuth

/// What back ends hear of registrations. Source: PowerAuth Cloud documentation.
struct CloudRegistrationTests {
    private let bench: OfficeBench

    init() throws { bench = try OfficeBench() }

    @Test func `a registration begins with a code that a device accepts`() throws {
        let response = bench.cloud(
            .post, "/v2/registrations",
            #"{"userId": "ada", "appId": "bank", "flags": ["VIP", "VIP", "NEW"], "otp": null, "odd": {}}"#)

        #expect(response.status == .ok)
        let object = try bench.object(response)
        #expect(
            Set(object.keys) == [
                "registrationId", "activationCode", "activationCodeSignature", "activationQrCodeData",
            ])
        let text = try #require(object["activationQrCodeData"]?.string)
        let code = try #require(object["activationCode"]?.string)
        let signature = try #require(object["activationCodeSignature"]?.string)
        #expect(text == "\(code)#\(signature)")
        let master = try PrivateKey(pem: TestKeys.ec + "\n").publicKey
        #expect(try PowerAuthDevice.ActivationCode(parsing: text).isSigned(by: master))
        let shown = try bench.show(try #require(object["registrationId"]?.string))
        #expect(shown["flags"] == ["VIP", "NEW"])
        #expect(shown["activationCode"] == .string(code))
    }

    @Test func `each state shows its own members`() throws {
        let (created, _) = try bench.register()
        let common: Set = [
            "registrationId", "registrationStatus", "applicationId", "flags", "timestampCreated",
            "timestampLastUsed", "userId",
        ]
        #expect(
            Set(try bench.show(created).keys)
                == common.union(["activationCode", "activationCodeSignature", "activationQrCodeData"]))

        let (phone, id) = try bench.exchanged()
        let pending = try bench.show(id)
        let device: Set = ["name", "platform", "deviceInfo"]
        #expect(Set(pending.keys) == common.union(device).union(["activationFingerprint"]))
        #expect(pending["activationFingerprint"]?.string == phone.activation?.fingerprint)
        #expect(pending["name"] == "Ada's phone")
        #expect(pending["deviceInfo"] == "Pixel 8")
        #expect(pending["platform"] == "ios")
        #expect(pending["timestampCreated"] == .integer(1_767_323_045_000))

        bench.cloud(.post, "/v2/registrations/\(id)/commit")
        #expect(Set(try bench.show(id).keys) == common.union(device))
        bench.cloud(.put, "/v2/registrations/\(id)", #"{"change": "BLOCK"}"#)
        #expect(Set(try bench.show(id).keys) == common.union(device).union(["blockedReason"]))
    }

    @Test func `the list has the caller's applications, newest first, without the removed`() throws {
        let (first, _) = try bench.register()
        let (second, _) = try bench.register()
        bench.cloud(.delete, "/v2/registrations/\(first)")
        let (third, _) = try bench.register()

        func ids(_ query: String, as caller: Headers = OfficeBench.office) throws -> [String] {
            let list = try bench.object(bench.cloud(.get, "/v2/registrations?" + query, as: caller))
            return try #require(list["registrations"]?.array).compactMap { $0["registrationId"]?.string }
        }
        #expect(try ids("userId=ada") == [third, second])
        #expect(try ids("userId=ada&removed=true") == [third, second, first])
        #expect(try ids("userId=nobody") == [])
        #expect(try ids("userId=ada", as: OfficeBench.stranger) == [])
        let refused = bench.cloud(.get, "/v2/registrations")
        #expect(refused.status == .badRequest)
        #expect(
            refused.text
                == #"{"status":"ERROR","responseObject":{"code":"ERROR_REQUEST","message":"The request is not valid.","violations":[{"fieldName":"userId","hint":"1 to 255 characters"}]}}"#
        )
    }

    @Test func `incompleteStatusCheck refuses a second beginning`() throws {
        let body = #"{"userId": "ada", "appId": "bank"}"#
        let path = "/v2/registrations?incompleteStatusCheck=true"
        let first = try #require(bench.cloud(.post, path, body).fields["registrationId"])

        try bench.expect(
            bench.cloud(.post, path, body), "ERROR_REGISTRATION_NOT_ALLOWED",
            "Another registration of the user is in progress.", because: "has the registration \(first)")

        #expect(bench.cloud(.post, "/v2/registrations", body).status == .ok)
        try bench.bench.clock.advance(seconds: 300)
        #expect(bench.cloud(.post, path, body).status == .ok)
    }

    @Test func `a time of one's own ends it`() throws {
        let soon = bench.now + 10_000
        let (id, _) = try bench.register("\"timestampRegistrationExpire\": \(soon)")
        try bench.bench.clock.advance(seconds: 10)
        #expect(try bench.state(id) == "REMOVED")

        let late = bench.cloud(
            .post, "/v2/registrations",
            "{\"userId\": \"ada\", \"appId\": \"bank\", \"timestampRegistrationExpire\": \(bench.now)}")
        try bench.expect(
            late, "ERROR_REQUEST",
            "The activation would end at 2026-01-02T03:04:15.000Z, but it is 2026-01-02T03:04:15.000Z in this world."
        )
    }

    @Test(arguments: [
        (#"{"appId": "bank"}"#, "userId"), (#"{"userId": "ada"}"#, "appId"),
        (#"{"userId": "", "appId": "bank"}"#, "userId"), (#"{"userId": 7, "appId": "bank"}"#, "userId"),
        (#"{"userId": "ada", "appId": "bank", "flags": "VIP"}"#, "flags"),
        (#"{"userId": "ada", "appId": "bank", "commitPhase": "LATER"}"#, "commitPhase"),
        (#"{"userId": "ada", "appId": "bank", "otpValidation": "ON_COMMIT"}"#, "otp"),
        (#"{"userId": "ada", "appId": "bank", "otpValidation": "ON_COMMIT", "otp": ""}"#, "otp"),
        (
            #"{"userId": "ada", "appId": "bank", "otp": "1", "otpValidation": "ON_COMMIT", "commitPhase": "ON_COMMIT"}"#,
            "otpValidation"
        ),
        (
            #"{"userId": "ada", "appId": "bank", "timestampRegistrationExpire": "soon"}"#,
            "timestampRegistrationExpire"
        ),
    ])
    func `a request that is not valid says where`(_ body: String, _ field: String) throws {
        let response = bench.cloud(.post, "/v2/registrations", body)

        #expect(response.status == .badRequest)
        let error = try bench.result(response)
        #expect(error["code"] == "ERROR_REQUEST")
        #expect(error["violations"]?.array?.first?["fieldName"]?.string == field)
        #expect(bench.bench.explanation?.contains(field) == true)
    }

    @Test func `applications that are not there, not assigned or of no version`() throws {
        func start(_ application: String) -> Response {
            bench.cloud(.post, "/v2/registrations", "{\"userId\": \"ada\", \"appId\": \"\(application)\"}")
        }
        try bench.expect(start("nil"), "ERROR_REQUEST", "There is no application “nil”.")
        try bench.expect(
            start("shop"), "ERROR_REQUEST", "The application “shop” is not available.",
            because: "not assigned to the system user “office”")
        try bench.expect(
            start("none"), "ERROR_REGISTRATION", "The registration could not be created.",
            because: "has no supported version")
    }

    @Test func `nobody else's registration is there`() throws {
        let (id, _) = try bench.register()
        let words = "Registration \(id) does not exist."
        for (method, path) in [
            (Request.Method.get, ""), (.put, ""), (.delete, ""), (.post, "/commit"),
        ] {
            try bench.expect(
                bench.cloud(
                    method, "/v2/registrations/\(id)\(path)", #"{"change": "BLOCK"}"#,
                    as: OfficeBench.stranger),
                "ERROR_REGISTRATION_NOT_FOUND", words, because: "not assigned to the system user “stranger”"
            )
            try bench.expect(
                bench.cloud(method, "/v2/registrations/none\(path)", #"{"change": "BLOCK"}"#),
                "ERROR_REGISTRATION_NOT_FOUND", "Registration none does not exist.")
        }
    }

    @Test func `flags are replaced, with a change or without`() throws {
        let (_, id) = try bench.active(#""flags": ["A"]"#)
        bench.expectOK(bench.cloud(.put, "/v2/registrations/\(id)", #"{"flags": ["B", "C", "B"]}"#))
        #expect(try bench.show(id)["flags"] == ["B", "C"])
        bench.expectOK(bench.cloud(.put, "/v2/registrations/\(id)", #"{"change": "BLOCK", "flags": []}"#))
        #expect(try bench.show(id)["flags"] == [])
        let refused = bench.cloud(.put, "/v2/registrations/\(id)", "{}")
        #expect(try bench.result(refused)["violations"]?.array?.first?["fieldName"] == "change")
    }

    @Test(arguments: ["BLOCK", "UNBLOCK"])
    func `flags stay as they are when the change beside them is refused`(_ change: String) throws {
        let (id, _) = try bench.register(#""flags": ["A"]"#)
        try bench.expect(
            bench.cloud(.put, "/v2/registrations/\(id)", #"{"change": "\#(change)", "flags": ["B"]}"#),
            "ERROR_REGISTRATION_CHANGE", "The registration cannot be changed in its present state.",
            because: "The activation is CREATED")
        #expect(try bench.show(id)["flags"] == ["A"])
    }
}
