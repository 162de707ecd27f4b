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

    @Test(arguments: [
        "\"association\": {\"android\": [{\"package_name\": \"com.example.app\", "
            + "\"sha256_cert_fingerprints\": [\"\(AssociationFileTests.fingerprint)\"]}]}",
        "",
    ])
    func `the origin of an Android app follows from its association or from a fingerprint`(section: String)
        throws
    {
        // Source: the fingerprint in base64url, made with Python's base64 module.
        let origin = "android:apk-key-hash:FG3pg8VzBlDY7rmVLzT8ZBagg0LmHb6oigSWsj_PROU"
        for prefix in ["", "SHA256: "] {
            let config =
                section.isEmpty
                ? "\"webauthn\": {\"relying_party\": {\"origins\": [\"http://localhost:8888\", "
                    + "\"\(prefix)\(AssociationFileTests.fingerprint)\"]}}" : ""
            var device = Device()
            let bench = try TestBench.withPasskey(&device, config: config, section: section)
            device.authenticator.behaviour.clientDataOrigin = origin
            #expect(try bench.finishLogin(&device).status == .ok, "\(bench.explanation ?? "")")
            device.authenticator.behaviour.clientDataOrigin = String(origin.dropLast()) + "A"
            #expect(try bench.finishLogin(&device).status == .unauthorized)
        }
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
