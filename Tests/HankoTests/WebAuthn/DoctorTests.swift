import Crypto
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing
import WebAuthn

@testable import Hanko

/// What the journal says of a signature that is wrong: which mistake it was. Source: Web Authentication Level 3 §6.3.3, §6.5.5, §7.2.
@Suite struct DoctorTests {
    /// How a client signs, and what it posts as client data.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let found: String
        var message: @Sendable (_ data: [UInt8], _ clientData: [UInt8]) -> [UInt8] = {
            $0 + Digest.sha256($1)
        }
        /// From r and s, one after the other.
        var form: @Sendable (_ raw: [UInt8]) throws -> [UInt8] = { try ECSignature.der(fromRaw: $0, .p256) }
        var posted: @Sendable (_ clientData: [UInt8]) -> [UInt8] = { $0 }
    }

    static let mistakes = [
        Mistake(testDescription: "raw", found: "r and s, one after the other", form: { $0 }),
        Mistake(
            testDescription: "not hashed", found: "client data that are not hashed", message: { $0 + $1 }),
        Mistake(
            testDescription: "hashed twice", found: "client data that were hashed twice",
            message: { $0 + Digest.sha256(Digest.sha256($1)) }),
        Mistake(
            testDescription: "message hashed before", found: "hashed again by the signature's algorithm",
            message: { Digest.sha256($0 + Digest.sha256($1)) }),
        Mistake(
            testDescription: "hash alone", found: "It is over the hash of client data alone",
            message: { Digest.sha256($1) }),
        Mistake(
            testDescription: "client data alone", found: "It is over client data alone", message: { $1 }),
        Mistake(
            testDescription: "authenticator data alone", found: "It is over authenticator data alone",
            message: { data, _ in data }),
        Mistake(
            testDescription: "wrong way round", found: "in the wrong order",
            message: { Digest.sha256($1) + $0 }),
        Mistake(
            testDescription: "hash as text", found: "as text in hexadecimal",
            message: { $0 + Array(Hex.encode(Digest.sha256($1)).utf8) }),
        Mistake(
            testDescription: "encoded twice", found: "The signature is encoded twice",
            form: { Array(Base64URL.encode(try ECSignature.der(fromRaw: $0, .p256)).utf8) }),
        Mistake(
            testDescription: "raw and not hashed",
            found: "in DER (§6.5.5). It is over authenticator data and client data that are not hashed",
            message: { $0 + $1 }, form: { $0 }),
        Mistake(
            testDescription: "white space", found: "were re-serialised",
            posted: {
                Array(
                    String(decoding: $0, as: UTF8.self).replacing(",\"", with: ", \"")
                        .replacing("\":", with: "\": ").utf8)
            }),
        Mistake(
            testDescription: "order", found: "were re-serialised",
            posted: { (try? JSON(parsing: $0))?.bytes ?? [] }),
        Mistake(
            testDescription: "slashes", found: "were re-serialised",
            posted: { Array(String(decoding: $0, as: UTF8.self).replacing("/", with: "\\/").utf8) }),
        Mistake(
            testDescription: "a member lost", found: "were re-serialised",
            posted: {
                Array(
                    String(decoding: $0, as: UTF8.self).replacing(",\"crossOrigin\":false", with: "").utf8)
            }),
    ]

    @Test(arguments: mistakes)
    func `the journal names the mistake behind a wrong signature`(_ mistake: Mistake) throws {
        var device = Device()
        let bench = try TestBench.withPasskey(&device)
        let key = try #require(device.authenticator.credentials.last).key

        let response = try bench.finishLogin(&device) { credential in
            let data = try #require(credential["response"]?.bytes("authenticatorData"))
            let clientData = try #require(credential["response"]?.bytes("clientDataJSON"))
            let raw = try key.sign(mistake.message(data, clientData), with: .es256)
            let posted = mistake.posted(clientData)
            #expect(mistake.testDescription != "order" || posted != clientData)
            return credential.changing("response", "signature", to: .text(try mistake.form(raw)))
                .changing("response", "clientDataJSON", to: .text(posted))
        }
        #expect(response.status == .unauthorized)
        #expect(response.text == refusal(401, "failed to validate assertion"))
        #expect(bench.explanation?.contains(mistake.found) == true, "\(bench.explanation ?? "")")
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `a signature that nothing explains is told without a guess`() throws {
        var device = Device { $0.breaksSignature = true }
        let bench = try TestBench.mobile()
        device.authenticator.behaviour.breaksSignature = false
        #expect(try bench.finishRegistration(&device, try bench.signedIn()).status == .ok)
        device.authenticator.behaviour.breaksSignature = true

        #expect(try bench.finishLogin(&device).status == .unauthorized)
        #expect(bench.explanation?.contains("signature: expected a signature by ES256") == true)
        #expect(bench.explanation?.contains(" It is ") == false)
    }

    @Test func `a signature by another passkey of the user names that passkey`() throws {
        var (first, second) = (Device(), Device())
        let entropy = Entropy.seeded(2)
        second.authenticator = SoftwareAuthenticator(
            second.authenticator.behaviour, entropy: .init(bytes: { entropy.bytes($0, "other") }))
        let bench = try TestBench.withPasskey(&first)
        #expect(try bench.finishRegistration(&second, try bench.signedIn()).status == .ok)
        let id = Base64URL.encode(try #require(first.authenticator.credentials.last).id)
        let other = Base64URL.encode(try #require(second.authenticator.credentials.last).id)

        let response = try bench.finishLogin(&second) {
            $0.changing("id", to: .string(id)).changing("rawId", to: .string(id))
        }
        #expect(response.status == .unauthorized)
        #expect(bench.explanation?.contains("another credential of this user, \(other)") == true)
    }

    @Test func `a credential id or a challenge that is encoded twice is told so`() throws {
        var device = Device()
        let bench = try TestBench.withPasskey(&device)
        let id = try #require(device.authenticator.credentials.last).id
        let twice = JSON.text(Array(Base64URL.encode(id).utf8))

        let discoverable = try bench.finishLogin(&device) {
            $0.changing("id", to: twice).changing("rawId", to: twice)
        }
        #expect(discoverable.status == .unauthorized)
        #expect(bench.explanation?.contains("The credential id is encoded twice") == true)
        let known = try bench.finishLogin(&device, for: Ada.id) {
            $0.changing("id", to: twice).changing("rawId", to: twice)
        }
        #expect(known.status == .unauthorized)
        #expect(bench.explanation?.contains("The credential id is encoded twice") == true)

        let options = try JSON(parsing: bench.requestOptions())
        let challenge = try #require(options["publicKey"]?["challenge"]?.string)
        device.authenticator.behaviour.challenge = Array(challenge.utf8)
        let assertion = try device.authenticator.get(options.bytes)
        let response = bench.post(
            "/hanko/webauthn/login/finalize", raw: String(decoding: assertion, as: UTF8.self))
        #expect(
            response.text == refusal(401, "Stored challenge and received challenge do not match"))
        #expect(bench.explanation?.contains("The challenge is encoded twice") == true)
    }

    @Test func `a page that can never use the relying party id is told so`() throws {
        var device = Device()
        let bench = try TestBench.withPasskey(&device)

        device.authenticator.behaviour.clientDataOrigin = "https://app.example.com"
        #expect(try bench.finishLogin(&device).status == .unauthorized)
        #expect(bench.explanation?.contains("https://app.example.com can never use localhost") == true)
        let own = try TestBench.withPasskey(
            &device,
            config: #"""
                "webauthn": {"relying_party": {"origins": ["http://localhost:8888", "https://app.example.com"]}}
                """#)
        device.authenticator.behaviour.relyingPartyID = "app.example.com"
        #expect(try own.finishLogin(&device).status == .unauthorized)
        #expect(own.explanation?.contains("https://app.example.com can never use localhost") == true)
    }

    @Test func `a self attestation that is wrong is examined as well`() throws {
        var device = Device { $0.attestation = .packedSelf }
        let bench = try TestBench.mobile()
        let session = try bench.signedIn()

        let credential = try JSON(parsing: device.authenticator.create(bench.creationOptions(session)))
        let key = try #require(device.authenticator.credentials.last).key
        let bytes = try #require(credential["response"]?.bytes("attestationObject"))
        let object = try AttestationObject(bytes)
        let clientData = try #require(credential["response"]?.bytes("clientDataJSON"))
        let raw = try key.sign(object.authenticatorData + Digest.sha256(clientData), with: .es256)
        let statement = CBOR.map([
            CBOREntry(.text("alg"), CBOR(-7)), CBOREntry(.text("sig"), .bytes(raw)),
        ])
        let changed = AttestationObject(
            format: "packed", statement: statement, authenticatorData: object.authenticatorData)
        let sent = credential.changing("response", "attestationObject", to: .text(changed.encoded))
        let response = bench.post(
            "/hanko/webauthn/registration/finalize", raw: sent.text, headers: session)
        #expect(response.text == refusal(400, "failed to validate attestation"))
        #expect(
            bench.explanation?.contains("r and s, one after the other") == true, "\(bench.explanation ?? "")")
    }
}

extension JSON {
    fileprivate func bytes(_ name: String) -> [UInt8]? { self[name]?.string.flatMap { Base64URL.decode($0) } }
    fileprivate static func text(_ bytes: [UInt8]) -> JSON { .string(Base64URL.encode(bytes)) }
}
