import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing
import WebAuthn

@testable import Hanko

/// What Hanko lets pass and the standard does not: a warning, or a refusal with `strict_webauthn`. And origins of Android apps.
@Suite struct StrictWebAuthnTests {
    private static let strict = "\"strict_webauthn\": true"

    private func warnings(_ bench: TestBench<Hanko>) -> [String] {
        bench.events.filter { $0.event == "webauthn warning" }.compactMap(\.explanation)
    }

    @Test func `a counter that falls back to zero is let pass with a warning`() throws {
        var device = Device { $0.counter = .increasing }
        let bench = try TestBench.withPasskey(&device)

        device.authenticator.behaviour.counter = .zero
        #expect(try bench.finishLogin(&device).status == .ok)
        #expect(warnings(bench).count == 1)
        #expect(warnings(bench).first?.contains("Let pass as Hanko does") == true)
        #expect(warnings(bench).first?.contains("signCount: expected a counter above 1") == true)
        // From zero to zero nothing falls.
        #expect(try bench.finishLogin(&device).status == .ok)
        #expect(warnings(bench) == [])
    }

    @Test func `an old challenge of a discoverable login is let pass with a warning`() throws {
        var device = Device()
        let bench = try TestBench.withPasskey(&device)

        let late = try bench.finishLogin(&device) {
            try bench.clock.advance(seconds: 601)
            return $0
        }
        #expect(late.status == .ok)
        #expect(warnings(bench).count == 1)
        #expect(warnings(bench).first?.contains("challengeExpired: expected a response before") == true)
    }

    @Test(arguments: [
        Habit("counter") { $0.counter = .zero },
        Habit("frame") { $0.crossOrigin = true },
        Habit("eligibility") { $0.isBackupEligible = true },
        Habit("backup state") { $0.isBackedUp = true },
    ])
    func `strict fixtures refuse what Hanko lets pass at a login`(_ habit: Habit) throws {
        var (device, other) = (Device { $0.counter = .increasing }, Device { $0.counter = .increasing })
        let strict = try TestBench.withPasskey(&device, section: Self.strict)
        let lenient = try TestBench.withPasskey(&other)

        habit.change(&device.authenticator.behaviour)
        let response = try strict.finishLogin(&device)
        #expect(response.status == (habit.testDescription == "counter" ? .badRequest : .unauthorized))
        #expect(response.text.contains("failed to validate assertion"))
        #expect(strict.explanation?.contains("“strict_webauthn” is on") == true)
        #expect(response.sessionToken == nil)
        habit.change(&other.authenticator.behaviour)
        #expect(try lenient.finishLogin(&other).status == .ok)
    }

    @Test func `strict fixtures look at the end of every challenge`() throws {
        var device = Device()
        let bench = try TestBench.withPasskey(&device, section: Self.strict)
        let late = try bench.finishLogin(&device) {
            try bench.clock.advance(seconds: 601)
            return $0
        }
        #expect(late.status == .unauthorized)
        #expect(bench.explanation?.contains("challengeExpired") == true)
    }

    @Test func `strict fixtures refuse bytes behind an attestation object`() throws {
        for section in ["", Self.strict] {
            var device = Device()
            let bench = try TestBench.mobile(section: section)
            let response = try bench.finishRegistration(&device, try bench.signedIn()) { credential in
                let text = credential["response"]?["attestationObject"]?.string ?? ""
                return credential.changing(
                    "response", "attestationObject",
                    to: .string(
                        text + (text.utf8.count % 4 == 0 ? "AAAA" : text.utf8.count % 4 == 3 ? "A" : "AA")))
            }
            #expect(response.status == (section.isEmpty ? .ok : .badRequest), "\(bench.explanation ?? "")")
        }
    }

    // Source: the fingerprint in base64url, made with Python's base64 module.
    private static let appOrigin = "android:apk-key-hash:FG3pg8VzBlDY7rmVLzT8ZBagg0LmHb6oigSWsj_PROU"
    private static let app =
        "\"association\": {\"android\": [{\"package_name\": \"com.example.app\", "
        + "\"sha256_cert_fingerprints\": [\"\(AssociationFileTests.fingerprint)\"]}]}"

    private func remarks(_ bench: TestBench<Hanko>) -> [String] {
        bench.events.filter { $0.event == "not in production" }.compactMap(\.explanation)
    }

    @Test func `the origin of an Android app follows from a fingerprint`() throws {
        for prefix in ["", "SHA256: "] {
            var device = Device()
            let bench = try TestBench.withPasskey(
                &device,
                config: "\"webauthn\": {\"relying_party\": {\"origins\": [\"http://localhost:8888\", "
                    + "\"\(prefix)\(AssociationFileTests.fingerprint)\"]}}")
            device.authenticator.behaviour.clientDataOrigin = Self.appOrigin
            #expect(try bench.finishLogin(&device).status == .ok, "\(bench.explanation ?? "")")
            #expect(remarks(bench) == [])
            device.authenticator.behaviour.clientDataOrigin = String(Self.appOrigin.dropLast()) + "A"
            #expect(try bench.finishLogin(&device).status == .unauthorized)
        }
    }

    // Hanko reads its configuration, and no association file.
    @Test func `the origin of an app that the domain knows is let pass with a remark, or refused`() throws {
        var (device, other) = (Device(), Device())
        let lenient = try TestBench.withPasskey(&device, section: Self.app)
        device.authenticator.behaviour.clientDataOrigin = Self.appOrigin
        #expect(try lenient.finishLogin(&device).status == .ok)
        let told = remarks(lenient)
        #expect(told.count == 1)
        #expect(
            told.first?.hasPrefix("Let pass here alone: Hanko refuses the origin \(Self.appOrigin)") == true)
        #expect(told.first?.contains("association.android") == true)
        #expect(
            told.first?.contains(
                #""origins": ["http://localhost:8888", "\#(Self.appOrigin)"] in hanko.config.webauthn.relying_party"#
            )
                == true, "\(told)")

        let strict = try TestBench.withPasskey(&other, section: Self.app + ", " + Self.strict)
        other.authenticator.behaviour.clientDataOrigin = Self.appOrigin
        #expect(try strict.finishLogin(&other).status == .unauthorized)
        #expect(strict.explanation?.contains("origin: expected http://localhost:8888, got") == true)
    }

    @Test func `every origin that stands nowhere in the configuration is remarked`() throws {
        let site = "https://example.de"
        let config =
            #""webauthn": {"relying_party": {"id": "example.com", "origins": ["https://example.com"]}}"#
        for (origin, section, words) in [
            (
                site, #""association": {"related_origins": ["https://example.de"]}"#,
                "association.related_origins"
            ),
            ("http://localhost:4711", #""any_localhost_origin": true"#, "any_localhost_origin"),
        ] {
            var device = Device(origin: origin) { $0.ignoresOrigin = true }
            let bench = try TestBench.mobile(config: config, section: section)
            #expect(try bench.finishRegistration(&device, try bench.signedIn()).status == .ok)
            #expect(remarks(bench).first?.contains(words) == true, "\(remarks(bench))")
        }
    }

    @Test func `the check of fixtures names what only the association files have`() throws {
        let text = #"""
            {"hanko": {"config": {"webauthn": {"relying_party": {"origins": ["http://localhost:8888"]}}},
              "association": {"related_origins": ["https://example.de"], "android": [
                {"package_name": "com.example.app", "sha256_cert_fingerprints": ["\#(AssociationFileTests.fingerprint)"]}]}}}
            """#
        let found = try FixtureSet(text: Array(text.utf8), file: "team.json").remarks(of: [Hanko.self])
        #expect(
            found.map(\.field) == [
                "hanko.association.android[0].sha256_cert_fingerprints[0]",
                "hanko.association.related_origins[0]",
            ])
        #expect(
            found.first?.reason.contains(#""origins": ["http://localhost:8888", "\#(Self.appOrigin)"]"#)
                == true)

        let listed = text.replacing(
            "\"http://localhost:8888\"", with: "\"\(Self.appOrigin)\", \"https://example.de\"")
        let set = try FixtureSet(text: Array(listed.utf8), file: "team.json")
        #expect(set.remarks(of: [Hanko.self]).allSatisfy { !$0.field.contains("association") })
    }

    @Test func `a fingerprint of SHA-1 is refused`() {
        let error = #expect(throws: FixtureError.self) {
            try TestBench.classic(
                config: #"""
                    "webauthn": {"relying_party": {"origins": [
                        "14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42"
                    ]}}
                    """#)
        }
        #expect(error?.field == "hanko.config.webauthn.relying_party.origins[0]")
        #expect(error?.reason.contains("SHA-1") == true)
    }
}
