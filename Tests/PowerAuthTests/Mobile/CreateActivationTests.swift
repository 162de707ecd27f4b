import Essentials
import PlatformKit
import PowerAuthDevice
import SQLite
import TestKit
import Testing

@testable import PowerAuth

@Suite struct CreateActivationTests {
    private func expectRefused(
        _ bench: MobileBench, because explanation: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) {
        bench.expectRefusal(
            400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID", because: explanation,
            sourceLocation: sourceLocation, body)
    }

    // MARK: - The activation OTP, row by row

    @Test func `an OTP that is checked in the key exchange`() throws {
        let bench = try MobileBench()
        let phone = try bench.phone()
        let (id, code) = try bench.register(otp: "9999", .onKeyExchange)

        expectRefused(
            bench,
            because: "The activation requires an OTP and none was sent; this does not count as an attempt."
        ) {
            try phone.activate(.init(.code(code)), pin: MobileBench.pin)
        }
        #expect(try bench.stored(id).otpFailures == 0)
        expectRefused(bench, because: "The activation OTP is wrong; 4 attempts are left.") {
            try phone.activate(.init(.code(code), otp: "1111"), pin: MobileBench.pin)
        }
        #expect(try bench.stored(id).otpFailures == 1)

        try phone.activate(.init(.code(code), otp: "9999"), pin: MobileBench.pin)
        #expect(try bench.stored(id).state == .active)
        #expect(try bench.stored(id).failedAttempts == 0)
    }

    @Test func `the last wrong OTP ends the activation`() throws {
        let bench = try MobileBench(settings: #""max_otp_attempts": 2"#)
        let phone = try bench.phone()
        let (id, code) = try bench.register(otp: "9999", .onKeyExchange)
        for left in ["1 attempt is left", "0 attempts are left"] {
            expectRefused(bench, because: left) {
                try phone.activate(.init(.code(code), otp: "1111"), pin: MobileBench.pin)
            }
        }
        #expect(try bench.stored(id).state == .removed)
        expectRefused(bench, because: "was not used in time, or its activation \(id) was removed") {
            try phone.activate(.init(.code(code), otp: "9999"), pin: MobileBench.pin)
        }
    }

    @Test func `an OTP that is checked at the commit`() throws {
        let bench = try MobileBench()
        let phone = try bench.phone()
        let (id, code) = try bench.register(otp: "9999", .onCommit)
        expectRefused(bench, because: "The activation checks its OTP in the other phase.") {
            try phone.activate(.init(.code(code), otp: "9999"), pin: MobileBench.pin)
        }
        #expect(try bench.stored(id).state == .created)
        try phone.activate(.init(.code(code)), pin: MobileBench.pin)
        #expect(try bench.stored(id).state == .pendingCommit)
    }

    @Test func `without an OTP the phase decides, and one that comes is not looked at`() throws {
        let bench = try MobileBench()
        let phone = try bench.phone()
        for (phase, state) in [
            (StoredActivation.CommitPhase.onCommit, StoredActivation.State.pendingCommit),
            (.onKeyExchange, .active),
        ] {
            let (id, code) = try bench.register(phase)
            try phone.activate(.init(.code(code), otp: "1"), pin: MobileBench.pin)
            #expect(try bench.stored(id).state == state)
        }
    }

    // MARK: - The code

    @Test(arguments: Device.Version.allCases)
    func `a code works once`(_ version: Device.Version) throws {
        let bench = try MobileBench()
        let phone = try bench.phone(version)
        let (id, code) = try bench.register()
        try phone.activate(.init(.code(code)), pin: MobileBench.pin)
        expectRefused(bench, because: "was used already: the activation \(id) is PENDING_COMMIT.") {
            try phone.activate(.init(.code(code)), pin: MobileBench.pin)
        }
    }

    @Test func `a code ends with its time`() throws {
        let bench = try MobileBench()
        let phone = try bench.phone()
        let (id, code) = try bench.register()
        try bench.bench.clock.advance(seconds: 300)
        expectRefused(bench, because: "was not used in time") {
            try phone.activate(.init(.code(code)), pin: MobileBench.pin)
        }
        #expect(try bench.stored(id).state == .removed)
    }

    @Test func `wrong codes are told apart in the journal alone`() throws {
        let bench = try MobileBench()
        let phone = try bench.phone()
        expectRefused(bench, because: "bank has no activation with the code “AAAAA-AAAAA-AAAAA-AAAAA”.") {
            try phone.activate(.init(.code("AAAAA-AAAAA-AAAAA-AAAAA")), pin: MobileBench.pin)
        }
        expectRefused(bench, because: "whose form or check sum is wrong as well: it was mistyped.") {
            try phone.activate(.init(.code("AAAAA-AAAAA-AAAAA-AAAAB")), pin: MobileBench.pin)
        }
        let code = try bench.register(application: "shop").code
        expectRefused(bench, because: "belongs to shop, the device is configured for bank.") {
            try phone.activate(.init(.code(code)), pin: MobileBench.pin)
        }
    }

    // MARK: - The request

    @Test func `each missing part of the request is named`() throws {
        let bench = try MobileBench()
        let phone = try bench.phone()
        let cases: [(JSONValue, String)] = [
            ([], "The decrypted request is not a JSON object."),
            (
                ["identityAttributes": ["code": "x"]],
                "The member type must be one of CODE, CUSTOM, DIRECT, RECOVERY."
            ),
            (["type": "OTHER"], "The member type must be one of"),
            (["type": "CODE"], "The member identityAttributes is missing or empty."),
            (
                ["type": "CODE", "identityAttributes": ["code": "x"]],
                "activationData must be an encrypted object"
            ),
            (
                ["type": "CODE", "identityAttributes": ["code": "x"], "activationData": ["mac": ""]],
                "“ephemeralPublicKey” is missing; version 3.3 demands it"
            ),
        ]
        for (request, explanation) in cases {
            expectRefused(bench, because: explanation) {
                _ = try phone.encryptedCall("/pa/v3/activation/create", request.bytes, .application)
            }
        }
    }

    @Test func `what cannot be decrypted is no activation either`() throws {
        let bench = try MobileBench()
        let phone = try bench.phone()
        let code = try bench.register().code
        phone.faults.breaksMAC = true
        expectRefused(bench, because: "The mac of the encrypted request is wrong") {
            try phone.activate(.init(.code(code)), pin: MobileBench.pin)
        }
        phone.faults = .init()
        try phone.activate(.init(.code(code)), pin: MobileBench.pin)
        _ = try phone.replay()
        bench.expectRefused(
            400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID",
            because: "This encrypted request was sent before")
    }

    // MARK: - What is told of the user

    // Source: published tests of the mobile SDKs, which ask for the least of claims after an activation.
    @Test func `the least that is known of a user is told with the activation, and the same later`() throws {
        let bench = try MobileBench(mobile: #""user_claims": {"eva": {"name": "Eva"}}"#)
        let phone = try bench.phone()
        let told = try phone.activate(.init(.custom(["userId": "ada"])), pin: MobileBench.pin).userInfo
        #expect(told?["sub"] == "ada")
        #expect(told?["iat"]?.integer == Int(bench.bench.clock.now.timeIntervalSince1970))
        #expect(told?["jti"]?.string?.isEmpty == false)
        #expect(told?.object?.count == 3)
        let eva = try phone.activate(.init(.custom(["userId": "eva"])), pin: MobileBench.pin).userInfo
        #expect(eva == ["sub": "eva", "name": "Eva"])
    }

    // MARK: - What a refusal leaves

    // Source: published behaviour of the PowerAuth Server 1.9, which looks at no OTP where none is stored.
    @Test func `an OTP that nobody asked for is not looked at`() throws {
        let bench = try MobileBench()
        let phone = try bench.phone()
        let id = try phone.activate(.init(.custom(["userId": "eva"]), otp: "1234"), pin: MobileBench.pin)
            .activationID
        #expect(try bench.stored(id).state == .active)
    }

    private static let offCurve =
        "devicePublicKey: expected a point of P-256, compressed or not, got a point that is not on the curve."

    @Test func `a device key that is none leaves nothing behind but the end of a registration`() throws {
        let bench = try MobileBench(
            application: "\"offers_recovery\": true,",
            mobile: """
                "recovery_codes": [{"code": "\(RecoveryTests.printed)", "application": "bank", "user": "ada", "state": "ACTIVE",
                    "puks": [{"value": "0123456789", "state": "VALID"}]}]
                """)
        let phone = try bench.phone()
        phone.faults.deviceKey = [UInt8](repeating: 4, count: 65)
        for identity: ActivationRequest.Identity in [
            .custom(["userId": "eva"]), .recovery(code: RecoveryTests.printed, puk: "0123456789"),
        ] {
            expectRefused(bench, because: Self.offCurve) {
                try phone.activate(.init(identity), pin: MobileBench.pin)
            }
        }
        let (all, codes) = try bench.bench.world.database.read { db in
            (try db.all(Activation.self), try db.all(RecoveryCode.self))
        }
        #expect(all.isEmpty)
        #expect(codes.map(\.state) == [.active] && codes.map(\.currentPUK) == [0])

        let (id, code) = try bench.register()
        expectRefused(bench, because: Self.offCurve) {
            try phone.activate(.init(.code(code)), pin: MobileBench.pin)
        }
        #expect(try bench.stored(id).state == .removed)
    }

    // MARK: - Without a code

    @Test func `a custom activation takes its user from the attributes`() throws {
        let bench = try MobileBench()
        let phone = try bench.phone()
        let id = try phone.activate(.init(.custom(["username": "eva"])), pin: MobileBench.pin).activationID
        #expect(try bench.stored(id).user == "eva" && bench.stored(id).state == .active)
        expectRefused(
            bench,
            because:
                "takes its user from the first of userId, username, login, email in identityAttributes; found card."
        ) { try phone.activate(.init(.custom(["card": "1"])), pin: MobileBench.pin) }
    }

    @Test func `a custom activation waits for its commit where that is wanted`() throws {
        let bench = try MobileBench(settings: #""commits_custom_activations": false"#)
        let phone = try bench.phone()
        let id = try phone.activate(.init(.custom(["userId": "eva"])), pin: MobileBench.pin).activationID
        #expect(try bench.stored(id).state == .pendingCommit)
    }

    private static let providers = """
        "oauth2_providers": [
            {"providerId": "fake", "clientId": "c", "issuerUri": "http://localhost:1", "redirectUri": "app:/x", "fakeUser": "eva"},
            {"providerId": "real", "clientId": "c", "issuerUri": "http://127.0.0.1:1", "redirectUri": "app:/x"}],
        """

    @Test func `a fake provider means its user with any code, and says so`() throws {
        let bench = try MobileBench(application: Self.providers)
        let phone = try bench.phone()
        let id = try phone.activate(
            .init(.openID(provider: "fake", code: "whatever", nonce: "n")), pin: MobileBench.pin
        ).activationID
        #expect(try bench.stored(id).user == "eva" && bench.stored(id).state == .active)
        let event = bench.bench.journal.first {
            $0.kind == .event && $0.explanation?.contains("fakeUser") == true
        }
        #expect(event != nil)
    }

    @Test func `a provider that is not known, or does not answer`() throws {
        let bench = try MobileBench(application: Self.providers)
        let phone = try bench.phone()
        expectRefused(bench, because: "bank has no OpenID Connect provider “nobody”, only fake, real.") {
            try phone.activate(
                .init(.openID(provider: "nobody", code: "c", nonce: "n")), pin: MobileBench.pin)
        }
        expectRefused(
            bench,
            because: "could not be asked at http://127.0.0.1:1/.well-known/openid-configuration"
        ) {
            try phone.activate(.init(.openID(provider: "real", code: "c", nonce: "n")), pin: MobileBench.pin)
        }
    }
}
