import Crypto
import Essentials
import Testing

@testable import Comparison

/// What of a recorded WebAuthn answer was wrong, as the world's authenticator is told to have it.
///
/// The answers are those of Web Authentication Level 3, Test Vectors, with one thing changed.
@Suite struct PasskeysTests {
    private struct Vector: Decodable {
        let id: String
        let rpId: String
        let challenge: String
        let credential: JSONValue

        private struct File: Decodable { let vectors: [Vector] }

        static func named(_ name: String) throws -> Vector {
            let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "Vectors/webauthn/w3c-webauthn-l3.json")
            let vectors = try JSONDecoder().decode(File.self, from: Data(contentsOf: file)).vectors
            return try #require(vectors.first { $0.id == "w3c-l3/" + name })
        }

        /// The options that it answers, and the answer.
        func lines(_ status: Int, change: (inout [String: JSONValue]) -> Void = { _ in }) throws -> [Rehearsal
            .Line]
        {
            let party = id.hasSuffix("/reg") ? #""rp":{"id":"\#(rpId)"}"# : #""rpId":"\#(rpId)""#
            let user = #""user":{"id":"YWRh"}"#
            var answer = try #require(credential.object)
            var response = try #require(answer["response"]?.object)
            change(&response)
            answer["response"] = .object(response)
            return [
                Rehearsal.Line(
                    path: "/begin", told: #"{"publicKey":{"challenge":"\#(challenge)",\#(party),\#(user)}}"#),
                Rehearsal.Line(path: "/end", asked: JSONValue.object(answer).text, status: status),
            ]
        }
    }

    /// The orders for a registration that was accepted, and for what follows.
    private func orders(
        _ name: String, _ status: Int = 200, change: (inout [String: JSONValue]) -> Void = { _ in }
    ) throws -> [PasskeyOrder] {
        let lines =
            try Vector.named(name + "/reg").lines(200)
            + Vector.named(name + "/auth").lines(status, change: change)
        return try orders(lines)
    }

    private func orders(_ lines: [Rehearsal.Line]) throws -> [PasskeyOrder] {
        let notes = Rehearsal.Notes()
        _ = try Rehearsal(lines: lines).verdicts("hanko", notes)
        return notes.orders
    }

    private static func flip(_ member: String, _ place: Int? = nil) -> (inout [String: JSONValue]) -> Void {
        { response in
            guard var bytes = response[member]?.string.flatMap({ Base64URL.decode($0) }) else { return }
            bytes[place ?? bytes.count - 1] ^= 1
            response[member] = .string(Base64URL.encode(bytes))
        }
    }

    @Test(arguments: ["none-es256", "packed-es384", "packed-rs256", "packed-eddsa"])
    func `what was right is right here`(name: String) throws {
        let found = try orders(name)
        #expect(found.map(\.ceremony) == [.create, .get])
        #expect(found.allSatisfy { !$0.deviation.breaksSignature && $0.deviation.attestationFault == nil })
        #expect(found.allSatisfy { $0.deviation.relyingPartyID == nil && $0.deviation.type == nil })
    }

    @Test(arguments: ["none-es256", "packed-es384", "packed-rs256", "packed-eddsa"])
    func `a spoilt signature is spoilt here`(name: String) throws {
        #expect(try orders(name, 401, change: Self.flip("signature"))[1].deviation.breaksSignature)
        // And so is one whose client data became others.
        let respaced = try orders(name, 401) { response in
            guard let bytes = response["clientDataJSON"]?.string.flatMap({ Base64URL.decode($0) }) else {
                return
            }
            response["clientDataJSON"] = .string(Base64URL.encode(bytes.dropLast() + Array(" }".utf8)))
        }
        #expect(respaced[1].deviation.breaksSignature)
    }

    @Test func `data for another relying party are for another one here`() throws {
        let found = try orders("none-es256", 401, change: Self.flip("authenticatorData", 0))[1].deviation
        #expect(found.relyingPartyID == "elsewhere.example.org")
    }

    // §6.1: the flags are in byte 32, the counter in the four behind them.
    @Test func `flags and counter are those of the recording`() throws {
        let absent = try orders("none-es256", 401, change: Self.flip("authenticatorData", 32))[1]
        let present = try orders("none-es256")[1]
        #expect(absent.role?.isUserPresent != present.role?.isUserPresent)
        #expect(present.role?.counter == .zero)
        #expect(
            try orders("none-es256", 200, change: Self.flip("authenticatorData", 36))[1].role?.counter
                == .increasing)
    }

    @Test func `a counter that falls falls here`() throws {
        let login = try Vector.named("none-es256/auth")
        let lines =
            try Vector.named("none-es256/reg").lines(200)
            + login.lines(200, change: Self.flip("authenticatorData", 36))
            + login.lines(400, change: Self.flip("authenticatorData", 36))
        #expect(try orders(lines).map { $0.role?.counter } == [.zero, .increasing, .backwards])
    }

    @Test func `frames and their pages are told`() throws {
        #expect(try orders("none-es256-crossOrigin").map(\.deviation.isCrossOrigin) == [true, true])
        #expect(
            try orders("none-es256-topOrigin").map(\.deviation.topOrigin) == [
                "https://example.com", "https://example.com",
            ])
    }

    // RFC 4648 §5: “YWRh” is “ada”.
    @Test(
        arguments: [
            ("YWRh", PasskeyOrder.UserHandleForm.base64url, nil), ("ada", .text, nil), (nil, .absent, nil),
            ("ZXZl", .base64url, "ZXZl"),
        ] as [(String?, PasskeyOrder.UserHandleForm, String?)])
    func `the user handle is as it was sent`(
        sent: String?, form: PasskeyOrder.UserHandleForm, other: String?
    ) throws {
        let found = try orders("none-es256", 401) { $0["userHandle"] = sent.map(JSONValue.string) }[1]
            .deviation
        #expect((found.userHandleForm, found.userHandle) == (form, other))
    }

    @Test func `a foreign page stays foreign, and another address of the service does not`() throws {
        func origin(_ host: String, _ status: Int) throws -> String {
            try orders("none-es256", status) { response in
                guard let bytes = response["clientDataJSON"]?.string.flatMap({ Base64URL.decode($0) }) else {
                    return
                }
                let text = String(decoding: bytes, as: UTF8.self)
                    .replacing("https://example.org", with: "https://" + host)
                response["clientDataJSON"] = .string(Base64URL.encode(Array(text.utf8)))
            }[1].origin
        }
        #expect(try origin("attacker.example", 401) == "https://attacker.example")
        #expect(try origin("login.example.org", 401) == "https://login.example.org")
        // A site that the service knows is known to nobody here.
        #expect(try origin("related.example", 200) == "https://example.org")
    }

    @Test(arguments: ["packed-self-es256", "packed-es256", "tpm-es256", "fido-u2f-es256"])
    func `a statement with a spoilt signature has one here`(name: String) throws {
        let lines = try Vector.named(name + "/reg").lines(400) { response in
            guard var object = response["attestationObject"]?.string.flatMap({ Base64URL.decode($0) }),
                let place = object.firstRange(of: [0x63] + Array("sig".utf8))
            else { return }
            // §6.5.4: “sig” is a byte string; some bytes behind its head, inside of what is signed.
            object[place.upperBound + 20] ^= 1
            response["attestationObject"] = .string(Base64URL.encode(object))
        }
        let found = try orders(lines)[0].deviation
        #expect((found.breaksSignature, found.attestationFault) == (true, nil))
    }

    // §8.4: the signature of an Android key is over the client data; §8.8: Apple has their hash in a nonce.
    @Test(
        arguments: [("apple-es256", "nonce", false), ("android-key-es256", nil, true)]
            as [(String, String?, Bool)])
    func `a statement about other client data is one here`(
        name: String, fault: String?, breaksSignature: Bool
    ) throws {
        let lines = try Vector.named(name + "/reg").lines(400) { response in
            guard let bytes = response["clientDataJSON"]?.string.flatMap({ Base64URL.decode($0) }) else {
                return
            }
            response["clientDataJSON"] = .string(Base64URL.encode(bytes.dropLast() + Array(" }".utf8)))
        }
        let found = try orders(lines)[0].deviation
        #expect((found.attestationFault, found.breaksSignature) == (fault, breaksSignature))
    }

    @Test(arguments: [("packed-es256", true), ("packed-self-es256", false), ("none-es256", false)])
    func `who stands behind a statement may be why it was refused`(name: String, isDoubtful: Bool) throws {
        var play = try Rehearsal(lines: Vector.named(name + "/reg").lines(400))
        play.answers = [2: (200, "{}")]
        let verdict = try play.verdicts("hanko")[1]
        #expect((verdict.reason?.contains("perhaps for its attestation") == true) == isDoubtful)
        #expect((verdict.differences == nil) == isDoubtful)
    }

    @Test func `a challenge that is encoded twice is so here`() throws {
        let vector = try Vector.named("none-es256/auth")
        let twice = Base64URL.encode(Array(vector.challenge.utf8))
        let found = try orders("none-es256", 401) { response in
            guard let bytes = response["clientDataJSON"]?.string.flatMap({ Base64URL.decode($0) }) else {
                return
            }
            let text = String(decoding: bytes, as: UTF8.self).replacing(vector.challenge, with: twice)
            response["clientDataJSON"] = .string(Base64URL.encode(Array(text.utf8)))
        }
        #expect(found[1].deviation.challenge == twice)
    }

    @Test func `the name of the client data is spelled as the client spells it`() throws {
        let notes = Rehearsal.Notes()
        let lines = try Vector.named("none-es256/auth").lines(200) {
            $0["clientDataJson"] = $0.removeValue(forKey: "clientDataJSON")
        }
        _ = try Rehearsal(lines: lines).verdicts("hanko", notes)
        #expect(notes.orders.count == 1)
    }
}
