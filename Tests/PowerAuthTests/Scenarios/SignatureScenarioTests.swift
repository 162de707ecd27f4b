import DeviceKit
import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import TestKit
import Testing

/// Authentication codes, their counter, and the failures that are counted.
@Suite struct SignatureScenarioTests {
    @Test(arguments: Device.Version.allCases, [DeviceStyle.ios, .android])
    func `every combination of factors that an endpoint allows is right`(
        _ version: Device.Version, _ style: DeviceStyle
    ) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version, style: style)
        for credential in [
            Credential.possession, .pin(Stage.pin), .biometry, .pinAndBiometry(Stage.pin),
        ] {
            for method in ["POST", "GET", "PUT", "DELETE"] {
                try phone.validate(method, reason: "A/B=C&D'E", with: credential)
            }
        }
        for credential in [Credential.pinAlone(Stage.pin), .biometryAlone] {
            expect(.signature) { try phone.validate(with: credential) }
        }
        let status = try phone.status()
        #expect(status.failedAttempts == 0)
        // Two codes were refused before they were verified: those the server did not step over.
        if version != .v30 { #expect(status.counterDistance == -2) }
    }

    /// Bodies that a server would change if it read them as JSON.
    static let bodies = [
        "", "{}", "{ }\r\n", "{\"a\":1,\"a\":2}",
        #"{"requestObject":{"name":"\u017eluťou\u010dký \/ \u003d"}}"#,
        "not JSON", "\u{FEFF}{}",
    ]

    @Test(arguments: Device.Version.allCases, bodies)
    func `a body is signed byte for byte`(_ version: Device.Version, _ body: String) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        let response = try phone.signedRequest(
            "/pa/v3/signature/validate", body: Array(body.utf8), uriID: "/pa/signature/validate",
            with: .pin(Stage.pin))
        #expect(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
    }

    @Test(
        arguments: Device.Version.allCases,
        ["", "b=2&a=hello+world&a=%C3%A9%26%3D%2B&c=", "flag&x=1", "a=1&a=%31&A=%7e~*-._", "q=%F0%9F%93%B1"])
    func `a query is signed in its canonical form`(_ version: Device.Version, _ query: String) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        let response = try phone.signedRequest(
            method: "GET", "/pa/v3/signature/validate", query: query.isEmpty ? nil : query,
            uriID: "/pa/signature/validate", with: .pin(Stage.pin))
        #expect(response.status == 200)
    }

    @Test(arguments: Device.Version.allCases)
    func `wrong PINs block the activation, and unblocking counts anew`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        for attempt in 1...5 {
            expect(.signature) { try phone.validate(with: .pin("0000")) }
            let status = try phone.status()
            #expect(status.failedAttempts == attempt)
            #expect(status.state == (attempt < 5 ? .active : .blocked))
        }
        let id = try #require(phone.activation).id
        let blocked = try stage.registration(id)
        #expect(blocked["registrationStatus"] == "BLOCKED")
        #expect(blocked["blockedReason"] == "MAX_FAILED_ATTEMPTS")
        expect(.signature) { try phone.validate(with: .pin(Stage.pin)) }

        try stage.change(phone, "UNBLOCK")
        #expect(try phone.status().failedAttempts == 0)
        try phone.validate(with: .pin(Stage.pin))
    }

    @Test(arguments: Device.Version.allCases)
    func `two factors reset the failures, possession neither resets nor raises them`(
        _ version: Device.Version
    ) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        expect(.signature) { try phone.validate(with: .pin("0000")) }
        expect(.signature) { try phone.validate(with: .pin("0000")) }
        try phone.validate(with: .possession)
        #expect(try phone.status().failedAttempts == 2)
        phone.faults.breaksSignature = true
        expect(.signature) { try phone.validate(with: .possession) }
        phone.faults.breaksSignature = false
        #expect(try phone.status().failedAttempts == 2)
        try phone.validate(with: .biometry)
        #expect(try phone.status().failedAttempts == 0)
    }

    @Test(arguments: Device.Version.allCases)
    func `a counter 19 ahead is found, and one 20 ahead is not`(_ version: Device.Version) throws {
        let stage = try Stage()
        let near = try stage.makeActivePhone(version)
        try near.skipCounter(19)
        try near.validate(with: .pin(Stage.pin))
        try near.skipCounter(19)
        try near.validate(with: .possession)

        let far = try stage.makeActivePhone(version, user: "carl")
        try far.skipCounter(20)
        expect(.signature) { try far.validate(with: .pin(Stage.pin)) }
        #expect(stage.bench.journal.first?.explanation?.isEmpty == false)
    }

    @Test(arguments: [Device.Version.v31, .v32, .v33])
    func `the status brings the counters together`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        let before = try #require(phone.activation)
        for _ in 1...3 { try phone.validate(with: .possession) }
        phone.activation = before
        #expect(try phone.status().counterDistance == 3)
        try phone.validate(with: .pin(Stage.pin))

        try phone.skipCounter(15)
        #expect(try phone.status().counterDistance == -15)
        #expect(try phone.status().counterDistance == 0)
    }

    @Test(arguments: Device.Version.allCases)
    func `a request that comes again, or changed, is refused and counted`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        try phone.validate(with: .pin(Stage.pin))
        #expect(try Refusal(phone.replay()) == .signature)
        #expect(try phone.status().failedAttempts == 1)

        phone.faults.body = { $0 + [0x20] }
        expect(.signature) { try phone.validate(with: .pin(Stage.pin)) }
        phone.faults = Device.Faults()
        phone.faults.uriID = "/other"
        expect(.signature) { try phone.validate(with: .pin(Stage.pin)) }
        phone.faults = Device.Faults()
        phone.faults.breaksSignature = true
        expect(.signature) { try phone.validate(with: .biometry) }
        phone.faults = Device.Faults()
        #expect(try phone.status().failedAttempts == 4)
        try phone.validate(with: .pin(Stage.pin))
        #expect(try phone.status().failedAttempts == 0)
    }

    @Test(arguments: Device.Version.allCases, Device.Version.allCases)
    func `an activation of one version goes on with any other`(
        _ before: Device.Version, _ after: Device.Version
    ) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(before)
        try phone.createToken("old", with: .pin(Stage.pin))
        phone.version = after
        try phone.validate(with: .pin(Stage.pin))
        #expect(try phone.status().state == .active)
        #expect(try phone.activationName(token: "old") == "Eva's phone")
        try phone.unlockVault(reason: "TEST", with: .pin(Stage.pin))
        phone.version = before
        try phone.validate(with: .biometry)
    }

    @Test(arguments: Device.Version.allCases)
    func `the key of another application, or of a version that ended, is a wrong code`(
        _ version: Device.Version
    ) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        let ended = MobileConfiguration(
            applicationKey: "AAAAUNRLv3Z4BJ4aeH1JTg==", applicationSecret: "AAAA9bqRjFKzWITWDvoNdg==",
            masterKey: phone.configuration.masterKey)
        let strangers = [
            try stage.makePhone(version, application: "other-app"),
            try stage.makePhone(version, configuration: ended),
        ]
        for (index, stranger) in strangers.enumerated() {
            stranger.activation = phone.activation
            expect(.signature) { try stranger.validate(with: .possession) }
            #expect(try phone.status().failedAttempts == index)
            expect(.signature) { try stranger.validate(with: .pin(Stage.pin)) }
            #expect(try phone.status().failedAttempts == index + 1)
            let started = try stage.startRegistration("carl")
            // A version that ended gets no temporary key either.
            let isEarly = version == .v33 && index == 1
            expect(isEarly ? .temporaryKey : .activation) { try stage.activate(stranger, started) }
        }
        try phone.validate(with: .pin(Stage.pin))
    }

    @Test(arguments: Device.Version.allCases)
    func `a missing or malformed header is a wrong code`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        let good = try phone.authorization(
            uriID: "/pa/signature/validate", body: Array("{}".utf8), with: .pin(Stage.pin))
        for header in [
            nil, "", "PowerAuth", "Bearer x", good.replacing("pa_nonce", with: "nonce"),
            good.replacing(version.rawValue, with: "2.1"),
            good.replacing("pa_signature=\"", with: "pa_signature=\"A"),
            good.replacing("possession_knowledge", with: "possession_magic"),
        ] {
            let response = try phone.send(
                DeviceRequest(
                    "/pa/v3/signature/validate",
                    headers: header.map { [("X-PowerAuth-Authorization", $0)] } ?? [], body: Array("{}".utf8))
            )
            #expect(Refusal(response) == .signature, "\(header ?? "none")")
        }
        let response = try phone.send(
            DeviceRequest(
                "/pa/v3/signature/validate", headers: [("x-powerauth-authorization", good)],
                body: Array("{}".utf8)))
        #expect(response.status == 200)
    }
}
