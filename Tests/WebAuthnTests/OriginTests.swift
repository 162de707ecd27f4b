import Crypto
import Essentials
import Testing
import WebAuthn

@Suite struct OriginTests {
    /// Of the documentation of Credential Manager's kind: colons and upper case, as `keytool` prints it.
    static let fingerprint = (0..<32).map { Hex.encode([UInt8($0)]).uppercased() }.joined(separator: ":")
    static let origin = "android:apk-key-hash:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

    @Test func `an Android origin is the fingerprint in base64url, and back`() {
        #expect(AndroidOrigin.origin(fingerprint: Self.fingerprint) == Self.origin)
        #expect(AndroidOrigin.origin(fingerprint: Self.fingerprint.filter { $0 != ":" }) == Self.origin)
        #expect(AndroidOrigin.fingerprint(origin: Self.origin) == Self.fingerprint)
        #expect(AndroidOrigin.origin(fingerprint: "AB:CD") == nil)
        #expect(AndroidOrigin.origin(fingerprint: "no") == nil)
        #expect(AndroidOrigin.fingerprint(origin: "https://example.org") == nil)
    }

    /// Whether an origin is accepted, tried with a registration.
    func isExpected(_ origin: String, by change: (inout RelyingParty) -> Void) throws -> Bool {
        let vector = RegistrationRefusalTests.vector
        var (parts, request) = (try RegistrationParts(vector), vector.registrationRequest)
        parts.clientData = parts.clientData.replacing("https://example.org", origin)
        change(&request.relyingParty)
        do {
            _ = try request.verify(parts.json, at: Vector.now) { _ in false }
            return true
        } catch let refusal as WebAuthnRefusal where refusal.check == .origin {
            return false
        }
    }

    @Test func `related origins are expected too`() throws {
        #expect(try isExpected("https://example.de") { $0.relatedOrigins = ["https://example.de"] })
        #expect(try !isExpected("https://example.fr") { $0.relatedOrigins = ["https://example.de"] })
    }

    @Test(arguments: [
        ("http://localhost", true), ("http://localhost:5173", true), ("https://localhost:1", true),
        ("http://localhost:0x50", false), ("http://localhost:99999", false), ("http://localhost:080", false),
        ("http://localhost:", false), ("http://localhost.evil.example", false),
        ("http://127.0.0.1:80", false),
    ])
    func `any port of localhost will do where that is allowed`(_ origin: String, _ isRight: Bool) throws {
        #expect(try isExpected(origin) { $0.allowsLocalhost = true } == isRight)
        #expect(try !isExpected(origin) { _ in })
    }

    @Test func `case counts unless it is ignored`() throws {
        #expect(try !isExpected("https://EXAMPLE.org") { _ in })
        #expect(try isExpected("https://EXAMPLE.org") { $0.ignoresCase = true })
    }

    @Test func `odd origins in a configuration are told`() {
        let party = RelyingParty(
            id: "example.org",
            origins: [
                "https://example.org", "https://app.example.org:8443", Self.origin, "https://example.org/",
                "https://notexample.org", "http://example.org", "android:apk-key-hash:AB:CD",
                "chrome-extension://abc", "http://localhost:8080",
            ])
        #expect(
            party.problems == [
                "“https://example.org/” ends with a slash, which no client sends",
                "“https://notexample.org” can only use “example.org” as a related origin: its host is not within that domain",
                "“http://example.org” is not secure, so browsers offer no passkeys there",
                "“android:apk-key-hash:AB:CD” is not android:apk-key-hash: with the SHA-256 of a signing certificate in 43 "
                    + "characters of base64url",
                "“http://localhost:8080” can only use “example.org” as a related origin: its host is not within that domain",
            ])
    }

    @Test func `association files have the form that Google, Apple and the standard ask for`() {
        let links = AssociationFiles.assetLinks([
            AssociationFiles.AndroidApp(package: "com.example.app", fingerprints: [Self.fingerprint])
        ])
        #expect(
            links.text
                == "[{\"relation\":[\"delegate_permission/common.handle_all_urls\","
                + "\"delegate_permission/common.get_login_creds\"],\"target\":{\"namespace\":\"android_app\","
                + "\"package_name\":\"com.example.app\",\"sha256_cert_fingerprints\":[\"\(Self.fingerprint)\"]}}]"
        )
        #expect(
            AssociationFiles.appleAppSite([AssociationFiles.AppleApp("TEAMID1234.com.example.app")]).text
                == "{\"webcredentials\":{\"apps\":[\"TEAMID1234.com.example.app\"]}}")
        #expect(
            AssociationFiles.relatedOrigins(["https://example.de"]).text
                == "{\"origins\":[\"https://example.de\"]}")
    }
}
