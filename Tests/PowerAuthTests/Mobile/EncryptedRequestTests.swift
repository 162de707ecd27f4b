import Crypto
import DeviceKit
import Essentials
import PlatformKit
import PowerAuthDevice
import SQLite
import TestKit
import Testing

@testable import PowerAuth

/// What is asked of encrypted requests, in the order of the checks.
@Suite struct EncryptedRequestTests {
    private func expectRefused(
        _ bench: MobileBench, because explanation: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) {
        bench.expectRefusal(
            400, "ERR_ENCRYPTION", "POWER_AUTH_ENCRYPTION_FAILED", because: explanation,
            sourceLocation: sourceLocation, body)
    }

    /// Sends the newest request once more, changed.
    private func resend(
        _ bench: MobileBench, _ phone: Device, because explanation: String,
        sourceLocation: SourceLocation = #_sourceLocation, _ change: (inout DeviceRequest) throws -> Void
    ) throws {
        _ = try phone.userInfo()
        var request = try #require(phone.lastRequest)
        try change(&request)
        _ = try phone.send(request)
        bench.expectRefused(
            400, "ERR_ENCRYPTION", "POWER_AUTH_ENCRYPTION_FAILED", because: explanation,
            sourceLocation: sourceLocation)
    }

    @Test func `the header comes first`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        let id = try #require(phone.activation).id
        let cases: [(String?, String)] = [
            (nil, "neither X-PowerAuth-Encryption nor X-PowerAuth-Authorization says"),
            ("Basic eA==", "it must begin with “PowerAuth” and a blank"),
            (#"PowerAuth version="3.3""#, "the parameter application_key is missing"),
            (
                #"PowerAuth version="4.0", application_key="\#(MobileBench.key)""#,
                "at this path it is 3.0 to 3.3"
            ),
            (#"PowerAuth version="3.3", application_key="\#(MobileBench.key)""#, "has no activation_id"),
            (
                #"PowerAuth version="3.3", application_key="R0dHR0dHR0dHR0dHR0dHRw==", activation_id="\#(id)""#,
                "No application"
            ),
            (
                #"PowerAuth version="3.3", application_key="\#(MobileBench.oldKey)", activation_id="\#(id)""#,
                "not supported"
            ),
            (
                #"PowerAuth version="3.3", application_key="\#(MobileBench.otherKey)", activation_id="\#(id)""#,
                "another application"
            ),
            (
                #"PowerAuth version="3.3", application_key="\#(MobileBench.key)", activation_id="0b0b0b0b-1111-4222-8333-444444444444""#,
                "There is no activation 0b0b0b0b-1111-4222-8333-444444444444 that has exchanged keys."
            ),
        ]
        for (header, explanation) in cases {
            try resend(bench, phone, because: explanation) { request in
                request.headers.removeAll { $0.name == "X-PowerAuth-Encryption" }
                if let header { request.headers.append(("X-PowerAuth-Encryption", header)) }
            }
        }
    }

    @Test func `an activation has to be active`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        try bench.block(phone)
        _ = try phone.fetchTemporaryKey(.activation)
        expectRefused(bench, because: "is BLOCKED, expected ACTIVE.") { _ = try phone.userInfo() }
    }

    @Test(arguments: Device.Version.allCases)
    func `the members are those of the version`(_ version: Device.Version) throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone(version)
        let own: [String: Set<String>] = [
            "3.0": [], "3.1": ["nonce"], "3.2": ["nonce", "timestamp"],
            "3.3": ["nonce", "timestamp", "temporaryKeyId"],
        ]
        for name in ["nonce", "timestamp", "temporaryKeyId"] {
            let isOwn = try #require(own[version.rawValue]).contains(name)
            let sentence = isOwn ? "“\(name)” is missing" : "“\(name)” is there"
            try resend(bench, phone, because: "does not fit version \(version.rawValue): \(sentence)") {
                request in
                var members = try #require(try JSONValue(parsing: request.body).object)
                members[name] = isOwn ? nil : name == "timestamp" ? 1 : "AAAAAAAAAAAAAAAAAAAAAA=="
                request.body = JSONValue.object(members).bytes
            }
        }
        try resend(bench, phone, because: "The encrypted body is not JSON") { $0.body = Array("{".utf8) }
    }

    @Test func `a temporary key is known, alive, and the sender's own`() throws {
        let bench = try MobileBench()
        let (phone, other) = (try bench.activePhone(), try bench.activePhone())
        let id = "0b0b0b0b-1111-4222-8333-444444444444"
        phone.faults.temporaryKeyID = id
        expectRefused(bench, because: "There is no temporary key \(id): it was never issued") {
            _ = try phone.userInfo()
        }
        phone.faults = .init()
        phone.faults.temporaryKey = try other.fetchTemporaryKey(.activation)
        let owner = try #require(other.activation).id
        expectRefused(bench, because: "was given to the activation \(owner)") {
            _ = try phone.userInfo()
        }
        phone.faults.temporaryKey = try phone.fetchTemporaryKey(.application)
        expectRefused(bench, because: "was given to an application, not to an activation") {
            _ = try phone.userInfo()
        }
        phone.faults.temporaryKey = try phone.fetchTemporaryKey(.activation)
        try bench.bench.clock.advance(seconds: 301)
        expectRefused(bench, because: "expired at 2026-01-02T03:09:05.000Z") { _ = try phone.userInfo() }
    }

    @Test(arguments: [Device.Version.v32, .v33])
    func `the time is near ours, on both sides`(_ version: Device.Version) throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone(version)
        for (shift, told) in [
            (-61_000, "61 s in the past, 60 s are allowed"), (61_000, "61 s in the future"),
            (60_007, "60.007 s in the future, 60 s are allowed"),
        ] {
            phone.faults.timeShift = shift
            expectRefused(bench, because: told) { _ = try phone.userInfo() }
        }
        for shift in [-59_000, 59_000] {
            phone.faults.timeShift = shift
            _ = try phone.userInfo()
        }
    }

    @Test func `a request comes once, from 3.2 on`() throws {
        for version in Device.Version.allCases {
            let bench = try MobileBench()
            let phone = try bench.activePhone(version)
            _ = try phone.userInfo()
            let again = try phone.replay()
            #expect((again.status == 400) == (version >= .v32))
            if version >= .v32 {
                #expect(bench.explanation.contains("This encrypted request was sent before"))
            }
        }
    }

    @Test(arguments: Device.Version.allCases)
    func `the MAC is checked before anything is decrypted`(_ version: Device.Version) throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone(version)
        phone.faults.breaksMAC = true
        expectRefused(bench, because: "The mac of the encrypted request is wrong") {
            _ = try phone.userInfo()
        }
    }

    @Test(arguments: Device.Version.allCases)
    func `what a wrong MAC would be right for is found`(_ version: Device.Version) throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone(version)
        let wrong = "The mac of the encrypted request is wrong: it would be right for "
        expectRefused(bench, because: wrong + "the sharedInfo1 “/pa/vault/unlock”, expected") {
            _ = try phone.encryptedCall("/pa/v3/user/info", Array("{}".utf8), .vault)
        }
        let other = try bench.phone(version, secret: MobileBench.newSecret)
        other.activation = phone.activation
        if version != .v33 {
            expectRefused(bench, because: wrong + "the secret of version “3.0” of bank") {
                _ = try other.userInfo()
            }
        }
    }

    // Wultra's integration decrypts what came, and reads none of it.
    @Test(arguments: Device.Version.allCases)
    func `user info is asked for with nothing as well`(_ version: Device.Version) throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone(version)
        let claims = try JSONValue(parsing: phone.encryptedCall("/pa/v3/user/info", [], .activation))
        #expect(claims["sub"] == "ada")
    }

    @Test func `user info is asked for with an object or nothing`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        bench.expectRefusal(
            400, "ERR_USER_INFO", "POWER_AUTH_USER_INFO_ERROR",
            because: "The decrypted request is not a JSON object."
        ) { _ = try phone.encryptedCall("/pa/v3/user/info", Array("no JSON".utf8), .activation) }
    }

    @Test func `repeats are remembered up to a limit, and forgotten when they are too old anyway`() throws {
        let bench = try MobileBench()
        let now = bench.bench.clock.now
        func remember(_ value: String, at date: Date, in db: SQLiteConnection) throws -> Bool {
            try Presented(value: value, kind: .token, expiresAt: date + 10).remember(at: date, in: db)
        }
        try bench.bench.world.database.write { db in
            #expect(try remember("a", at: now, in: db))
            #expect(try !remember("a", at: now + 10, in: db))
            #expect(try remember("a", at: now + 11, in: db))
            for index in 0..<Presented.limit { _ = try remember("\(index)", at: now + 11, in: db) }
            #expect(try remember("a", at: now + 11, in: db), "it was the oldest")
            #expect(try !remember("9", at: now + 11, in: db))
        }
    }

    @Test func `of one who is not there the least is claimed`() throws {
        let bench = try MobileBench()
        let claims = try bench.activePhone().userInfo()
        #expect(claims["sub"] == "ada" && claims["iat"]?.integer != nil && claims["jti"]?.string != nil)
    }
}
