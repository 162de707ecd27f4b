import Crypto
import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import TestKit
import Testing

/// From a code to an active device, and what may go wrong on the way.
@Suite struct ActivationScenarioTests {
    @Test(
        arguments: Device.Version.allCases,
        [
            DeviceStyle.ios, .android, DeviceStyle(.ios, compressesPoints: false),
            DeviceStyle(.android, compressesPoints: false),
        ])
    func `a device becomes active by a signed code`(
        _ version: Device.Version, _ style: DeviceStyle
    ) throws {
        let stage = try Stage()
        let phone = try stage.makePhone(version, style: style)
        let started = try stage.startRegistration("eva")
        let id = try #require(started["registrationId"]?.string)
        #expect(try stage.registration(id)["registrationStatus"] == "CREATED")

        let result = try stage.activate(phone, started)

        #expect(result.activationID == id)
        #expect(try phone.status().state == .pendingCommit)
        let pending = try stage.registration(id)
        #expect(pending["registrationStatus"] == "PENDING_COMMIT")
        #expect(pending["activationFingerprint"]?.string == result.fingerprint)
        #expect(pending["name"] == "Eva's phone")
        #expect(pending["platform"]?.string == style.platform.rawValue)
        #expect(pending["deviceInfo"] == "Pixel 8")
        expect(.signature) { try phone.validate(with: .pin(Stage.pin)) }

        try stage.commit(phone)
        let status = try phone.status()
        #expect(status.state == .active)
        #expect(status.failedAttempts == 0)
        #expect(status.maximumFailedAttempts == 5)
        #expect(status.lookAhead == (version == .v30 ? nil : 20))
        #expect(status.currentVersion == 3)
        #expect(status.upgradeVersion == 3)
        try phone.validate(with: .pin(Stage.pin))
        #expect(try stage.registration(id)["registrationStatus"] == "ACTIVE")
    }

    @Test(arguments: Device.Version.allCases)
    func `a code is right, new and in time, or refused without a reason`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makePhone(version)
        expect(.activation) {
            try phone.activate(ActivationRequest(.code("AAAAA-AAAAA-AAAAA-AAAAA")), pin: Stage.pin)
        }

        let used = try stage.startRegistration("eva")
        try stage.activate(phone, used)
        let other = try stage.makePhone(version)
        expect(.activation) { try stage.activate(other, used) }

        let late = try stage.startRegistration("eva")
        try stage.bench.clock.advance(seconds: 301)
        expect(.activation) { try stage.activate(other, late) }
        let id = try #require(late["registrationId"]?.string)
        #expect(try stage.registration(id)["registrationStatus"] == "REMOVED")

        let foreign = try stage.makePhone(version, application: "other-app")
        let code = try stage.startRegistration("eva")
        expect(.activation) { try stage.activate(foreign, code) }
    }

    /// What was registered, what the device sends, and the state that follows; nil for a refusal.
    struct OTPRow: Sendable, CustomTestStringConvertible {
        var stored: String?
        let phase: String
        var sent: String?
        let state: ActivationStatus.State?

        var testDescription: String { "\(stored ?? "none") \(phase), \(sent ?? "none")" }
    }

    static let rows = [
        OTPRow(stored: "12345", phase: "ON_KEY_EXCHANGE", sent: "12345", state: .active),
        OTPRow(stored: "12345", phase: "ON_KEY_EXCHANGE", sent: "54321", state: nil),
        OTPRow(stored: "12345", phase: "ON_KEY_EXCHANGE", state: nil),
        OTPRow(stored: "12345", phase: "ON_COMMIT", state: .pendingCommit),
        OTPRow(stored: "12345", phase: "ON_COMMIT", sent: "12345", state: nil),
        OTPRow(phase: "ON_KEY_EXCHANGE", state: .active),
        OTPRow(phase: "ON_COMMIT", state: .pendingCommit),
    ]

    @Test(arguments: Device.Version.allCases, rows)
    func `an OTP is checked when the registration says so`(_ version: Device.Version, _ row: OTPRow) throws {
        let stage = try Stage()
        let phone = try stage.makePhone(version)
        var more: [String: JSONValue] = ["commitPhase": .string(row.phase)]
        more["otp"] = row.stored.map(JSONValue.string)
        let started = try stage.startRegistration("eva", more)

        guard let state = row.state else {
            expect(.activation) { try stage.activate(phone, started, otp: row.sent) }
            return
        }
        try stage.activate(phone, started, otp: row.sent)
        #expect(try phone.status().state == state)
    }

    @Test(arguments: Device.Version.allCases)
    func `wrong OTPs end a registration, and an absent one is not counted`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makePhone(version)
        let started = try stage.startRegistration("eva", ["commitPhase": "ON_KEY_EXCHANGE", "otp": "12345"])
        let id = try #require(started["registrationId"]?.string)
        for _ in 1...4 { expect(.activation) { try stage.activate(phone, started, otp: "0") } }
        for _ in 1...4 { expect(.activation) { try stage.activate(phone, started) } }
        #expect(try stage.registration(id)["registrationStatus"] == "CREATED")
        expect(.activation) { try stage.activate(phone, started, otp: "0") }
        #expect(try stage.registration(id)["registrationStatus"] == "REMOVED")
        expect(.activation) { try stage.activate(phone, started, otp: "12345") }
    }

    @Test(arguments: Device.Version.allCases)
    func `the server's own logic and a provider activate as well`(
        _ version: Device.Version
    ) throws {
        let stage = try Stage()
        let provided = try stage.makePhone(version)
        try provided.activate(
            ActivationRequest(.openID(provider: "plain", code: "code", nonce: "nonce")), pin: Stage.pin)
        #expect(try provided.status().state == .active)
        let id = try #require(provided.activation).id
        #expect(try stage.registration(id)["userId"] == "eva")

        let unknown = ActivationRequest(.openID(provider: "none", code: "code", nonce: "nonce"))
        expect(.activation) { try stage.makePhone(version).activate(unknown, pin: Stage.pin) }

        let custom = try stage.makePhone(version)
        let result = try custom.activate(
            ActivationRequest(
                .custom(["username": "carl", "password": "x"]), name: "Carl's",
                customAttributes: ["answer": 42]), pin: Stage.pin)
        #expect(result.customAttributes == ["answer": 42])
        #expect(result.userInfo?["sub"] == "carl")
        #expect(try stage.registration(result.activationID)["userId"] == "carl")
        #expect(try custom.status().state == .active)
        expect(.activation) {
            try stage.makePhone(version).activate(ActivationRequest(.custom(["a": "b"])), pin: Stage.pin)
        }
    }

    @Test(arguments: Device.Version.allCases)
    func `a recovery code replaces a lost device`(_ version: Device.Version) throws {
        let stage = try Stage()
        let lost = try stage.makePhone(version)
        let recovery = try #require(stage.activate(lost, stage.startRegistration("eva")).recovery)
        try stage.commit(lost)
        #expect(try lost.confirmRecovery(recovery.code, with: .pin(Stage.pin)))

        let new = try stage.makePhone(version)
        let wrong = ActivationRequest(.recovery(code: recovery.code, puk: "0000000000"))
        let refusal = #expect(throws: ServerRefusal.self) { try new.activate(wrong, pin: Stage.pin) }
        #expect(refusal?.status == 400)
        #expect(refusal?.message == "POWER_AUTH_RECOVERY_INVALID")
        #expect(refusal?.details?["currentRecoveryPukIndex"] == 1)

        try new.activate(
            ActivationRequest(.recovery(code: recovery.code, puk: recovery.puk)), pin: Stage.pin)
        #expect(try new.status().state == .active)
        #expect(try lost.status().state == .removed)
    }

    @Test(arguments: Device.Version.allCases)
    func `a removed activation tells so, and does nothing more`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        let kept = try #require(phone.activation)
        expect(.signatureType) { try phone.removeActivation(with: .possession) }
        try phone.removeActivation(with: .pin(Stage.pin))
        #expect(phone.activation == nil)

        phone.activation = kept
        #expect(try phone.status().state == .removed)
        expect(.signature) { try phone.validate(with: .pin(Stage.pin)) }
        #expect(try stage.registration(kept.id)["registrationStatus"] == "REMOVED")
    }

    @Test func `of nobody's activation there is a status that nobody can read`() throws {
        let stage = try Stage()
        let phone = try stage.makePhone()
        let created = try #require(stage.startRegistration("eva")["registrationId"]?.string)
        for id in [created, "5a2f1c9e-7b64-4d0c-9e55-0c1d2e3f4a5b"] {
            let request: JSONValue = [
                "activationId": .string(id), "challenge": .string(Base64.encode([UInt8](1...16))),
            ]
            let (one, other) = (
                try phone.call("/pa/v3/activation/status", request),
                try phone.call("/pa/v3/activation/status", request)
            )
            let blob = try #require(one["responseObject"]?["encryptedStatusBlob"]?.string)
            #expect(Base64.decode(blob)?.count == 32)
            #expect(Base64.decode(one["responseObject"]?["nonce"]?.string ?? "")?.count == 16)
            #expect(one["responseObject"]?["activationId"]?.string == id)
            #expect(other["responseObject"]?["encryptedStatusBlob"]?.string != blob)
        }
        expect(.activation) { try phone.call("/pa/v3/activation/status") }
        expect(.activation) { try phone.call("/pa/v3/activation/status", ["challenge": "AA=="]) }
    }
}
