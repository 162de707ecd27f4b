import Crypto
import Essentials
import Testing
import WebAuthn

/// A valid registration with one thing changed.
@Suite struct RegistrationRefusalTests {
    /// Flags UP, BE, BS and AT; no attestation, so that authenticator data can be changed.
    static let vector = Vector.named("w3c-l3/none-es256/reg")

    func refusal(
        _ request: RegistrationRequest = vector.registrationRequest, isRegistered: Bool = false,
        at now: Date = Vector.now, _ change: (inout RegistrationParts) throws -> Void = { _ in }
    ) throws -> WebAuthnRefusal? {
        var parts = try RegistrationParts(Self.vector)
        try change(&parts)
        return #expect(throws: WebAuthnRefusal.self) {
            try request.verify(parts.json, at: now) { _ in isRegistered }
        }
    }

    func expect(
        _ check: WebAuthnCheck, _ step: Int, sourceLocation: SourceLocation = #_sourceLocation,
        _ change: (inout RegistrationParts) throws -> Void
    ) throws {
        let refusal = try refusal(Self.vector.registrationRequest, change)
        #expect(refusal?.check == check, "\(refusal?.explanation ?? "")", sourceLocation: sourceLocation)
        #expect(refusal?.step == "§7.1 step \(step)", sourceLocation: sourceLocation)
    }

    @Test func `unchanged it is verified`() throws {
        let parts = try RegistrationParts(Self.vector)
        let registration = try Self.vector.registrationRequest.verify(parts.json, at: Vector.now) { _ in false
        }
        #expect(registration.transports == ["usb"])
        #expect(registration.flags == [.userPresent, .backupEligible, .backedUp, .attestedCredential])
    }

    @Test func `the type must be that of the ceremony`() throws {
        try expect(.type, 7) { $0.clientData = $0.clientData.replacing("webauthn.create", "webauthn.get") }
    }

    @Test func `the challenge must be the one that was issued`() throws {
        try expect(.challenge, 8) { $0.clientData = $0.clientData.replacing("AMMP", "AMMQ") }
        try expect(.challenge, 8) { $0.clientData = $0.clientData.replacing("AMMP", "AM+P") }
    }

    @Test func `the challenge must be fresh, unused and for registrations`() throws {
        var request = Self.vector.registrationRequest
        request.challenge.expiresAt = Vector.now
        #expect(try refusal(request)?.check == .challengeExpired)
        request.challenge.isUsed = true
        #expect(try refusal(request)?.check == .challengeUsed)
        request.challenge.ceremony = .authentication
        let refusal = try refusal(request)
        #expect(refusal?.check == .challengeCeremony)
        #expect(refusal?.step == "§7.1 step 8")
    }

    @Test(arguments: [
        "https://example.net", "https://example.org:8443", "http://example.org", "https://example.org/",
    ])
    func `the origin must be one of those that are expected`(_ origin: String) throws {
        try expect(.origin, 9) { $0.clientData = $0.clientData.replacing("https://example.org", origin) }
    }

    @Test func `a refused origin brings a line for the fixtures`() throws {
        let app = "android:apk-key-hash:" + Base64URL.encode([UInt8](repeating: 7, count: 32))
        let refusal = try refusal { $0.clientData = $0.clientData.replacing("https://example.org", app) }

        #expect(refusal?.fixture == "\"origins\": [\"https://example.org\", \"\(app)\"]")
        #expect(
            refusal?.explanation
                == "Web Authentication Level 3 §7.1 step 9, origin: expected https://example.org, got \(app) "
                + "(an Android app; each signing key of it, be it for debug, upload or the store, has its own). "
                + "To allow it, have in the fixtures: \"origins\": [\"https://example.org\", \"\(app)\"]")
    }

    @Test func `the hash of an Android app is compared to its last character`() throws {
        let app = "android:apk-key-hash:" + Base64URL.encode([UInt8](repeating: 7, count: 32))
        var request = Self.vector.registrationRequest
        request.relyingParty.origins = [app]
        var parts = try RegistrationParts(Self.vector)
        parts.clientData = parts.clientData.replacing("https://example.org", app)
        #expect(try request.verify(parts.json, at: Vector.now) { _ in false }.origin == app)

        request.relyingParty.origins = [app.dropLast() + "g"]
        request.relyingParty.ignoresCase = true
        #expect(try refusal(request) { $0 = parts }?.check == .origin)
    }

    @Test func `a frame of a foreign page must be expected`() throws {
        try expect(.crossOrigin, 10) { $0.clientData = $0.clientData.replacing("\":false", "\":true") }
        let top = "\":true,\"topOrigin\":\"https://shop.example\""
        var request = Self.vector.registrationRequest
        try expect(.topOrigin, 11) {
            $0.clientData = $0.clientData.replacing("\":false", "\":false,\"topOrigin\":\"https://a\"")
        }
        request.relyingParty.allowsCrossOrigin = true
        let change: (inout RegistrationParts) -> Void = {
            $0.clientData = $0.clientData.replacing("\":false", top)
        }
        #expect(try refusal(request, change)?.check == .topOrigin)
        request.relyingParty.topOrigins = ["https://shop.example"]
        var parts = try RegistrationParts(Self.vector)
        change(&parts)
        _ = try request.verify(parts.json, at: Vector.now) { _ in false }
        // What a product does not look at is a warning.
        request.relyingParty.allowsCrossOrigin = false
        request.tolerated = [.crossOrigin, .topOrigin, .challenge]
        let warnings = try request.verify(parts.json, at: Vector.now) { _ in false }.warnings
        #expect(warnings.map(\.check) == [.crossOrigin, .topOrigin])
    }

    @Test func `the hash must be that of the relying party id`() throws {
        try expect(.relyingPartyHash, 14) { $0.data[0] ^= 1 }
        let other = try refusal {
            $0.clientData = $0.clientData.replacing("https://example.org", "https://id.example.org")
            $0.data.replaceSubrange(..<32, with: Digest.sha256(Array("id.example.org".utf8)))
        }
        #expect(other?.check == .origin)
        var request = Self.vector.registrationRequest
        request.relyingParty.id = "example.net"
        #expect(try refusal(request)?.fixture == "\"id\": \"example.org\"")
    }

    @Test func `the user must be present, unless the ceremony is conditional`() throws {
        try expect(.userPresence, 15) { $0.data[32] &= ~1 }
        var request = Self.vector.registrationRequest
        request.isConditional = true
        var parts = try RegistrationParts(Self.vector)
        parts.data[32] &= ~1
        _ = try request.verify(parts.json, at: Vector.now) { _ in false }
    }

    @Test func `the user must be verified where that is required`() throws {
        var request = Self.vector.registrationRequest
        request.userVerification = .required
        let refusal = try refusal(request)
        #expect(refusal?.check == .userVerification)
        #expect(refusal?.step == "§7.1 step 16")
        #expect(refusal?.got == "UP BE BS AT")
    }

    @Test func `what is backed up must be eligible for it`() throws {
        try expect(.backupState, 17) { $0.data[32] &= ~8 }
    }

    @Test func `the algorithm must have been offered`() throws {
        var request = Self.vector.registrationRequest
        request.algorithms = [-257, -8]
        let refusal = try refusal(request)
        #expect(refusal?.check == .algorithm)
        #expect(refusal?.expected == "one of the algorithms that were offered: RS256 (-257), EdDSA (-8)")
        #expect(refusal?.got == "ES256 (-7)")
        request.algorithms = []
        _ = try Self.vector.register(request)
    }

    @Test func `authenticator data must have the layout that its flags say`() throws {
        try expect(.authenticatorData, 13) { $0.data[32] |= 0x80 }
        try expect(.authenticatorData, 13) { $0.data[32] &= ~0x40 }
        try expect(.authenticatorData, 13) { $0.data.append(0) }
        try expect(.authenticatorData, 13) { $0.data = Array($0.data.prefix(36)) }
        try expect(.authenticatorData, 13) { $0.data[53] = 0x03 }
        try expect(.authenticatorData, 13) {
            $0.data = Array($0.data.prefix(37))
            $0.data[32] &= ~0x40
        }
        // With the flag ED a map must follow, and nothing else.
        try expect(.authenticatorData, 13) {
            $0.data[32] |= 0x80
            $0.data.append(0x80)
        }
        var parts = try RegistrationParts(Self.vector)
        parts.data[32] |= 0x80
        parts.data += CBOR.map([CBOREntry(.text("credProtect"), CBOR(2))]).encoded
        _ = try Self.vector.registrationRequest.verify(parts.json, at: Vector.now) { _ in false }
    }

    @Test func `a credential id has at most 1023 bytes`() throws {
        for (count, isRefused) in [(1023, false), (1024, true)] {
            let id = [UInt8](repeating: 1, count: count)
            var parts = try RegistrationParts(Self.vector)
            parts.id = id
            parts.data.replaceSubrange(
                53..<87, with: [UInt8(count >> 8), UInt8(count & 255)] + id)
            let request = Self.vector.registrationRequest
            if isRefused {
                #expect(try refusal(request) { $0 = parts }?.check == .credentialIDLength)
            } else {
                #expect(try request.verify(parts.json, at: Vector.now) { _ in false }.credentialID == id)
            }
        }
    }

    @Test func `the id in JSON must be that of the authenticator`() throws {
        try expect(.credentialID, 26) { $0.id[0] ^= 1 }
    }

    @Test func `a credential id must be new`() throws {
        let refusal = try refusal(isRegistered: true)
        #expect(refusal?.check == .credentialRegistered)
        #expect(refusal?.step == "§7.1 step 27")
    }

    @Test func `the format must be known, to the case of its letters`() throws {
        try expect(.attestationFormat, 22) { $0.format = "None" }
        try expect(.attestationFormat, 22) { $0.format = "packed2" }
    }

    @Test func `the format none has an empty map`() throws {
        for statement in [CBOR.map([CBOREntry(.text("a"), .null)]), .array([]), .null] {
            let refusal = try refusal { $0.statement = statement }
            #expect(refusal?.check == .attestationStatement)
            #expect(refusal?.step == "§8.7")
        }
    }

    @Test func `an attestation object is one map without duplicates, indefinite lengths and a rest`() throws {
        let whole = try AttestationObject(member(Self.vector.credential, "attestationObject")).encoded
        try expect(.attestationObject, 13) { $0.object = whole + [0] }
        try expect(.attestationObject, 13) { $0.object = [0xBF] + whole.dropFirst() + [0xFF] }
        try expect(.attestationObject, 13) {
            $0.object = [0xA4] + whole.dropFirst() + CBOR.text("fmt").encoded + CBOR.text("none").encoded
        }
        try expect(.attestationObject, 13) { $0.object = Array(whole.dropLast()) }
        try expect(.attestationObject, 13) { $0.object = CBOR.map([]).encoded }
        try expect(.attestationObject, 13) { $0.object = [] }
        // Another member is ignored.
        var parts = try RegistrationParts(Self.vector)
        parts.object = [0xA4] + whole.dropFirst() + CBOR.text("epAtt").encoded + [0xF5]
        _ = try Self.vector.registrationRequest.verify(parts.json, at: Vector.now) { _ in false }
    }

    @Test func `client data is an object with its members, whatever else is in it`() throws {
        try expect(.clientData, 6) { $0.clientData = Array("{}".utf8) }
        try expect(.clientData, 6) { $0.clientData = Array("webauthn".utf8) }
        try expect(.clientData, 6) { $0.clientData = $0.clientData.replacing("\":false", "\":\"no\"") }
        var parts = try RegistrationParts(Self.vector)
        parts.clientData =
            [0xEF, 0xBB, 0xBF] + parts.clientData.replacing("{", "{\"androidPackageName\":\"a.b\",")
        _ = try Self.vector.registrationRequest.verify(parts.json, at: Vector.now) { _ in false }
    }

    @Test func `a credential in JSON has its members in base64url`() throws {
        let request = Self.vector.registrationRequest
        let json = String(decoding: try RegistrationParts(Self.vector).json, as: UTF8.self)
        func check(_ old: String, _ new: String) -> WebAuthnCheck? {
            #expect(throws: WebAuthnRefusal.self) {
                try request.verify(Array(json.replacing(old, with: new).utf8), at: Vector.now) { _ in false }
            }?.check
        }
        #expect(check("\"public-key\"", "\"password\"") == .credentialType)
        #expect(check("\"attestationObject\"", "\"attestation\"") == .response)
        #expect(check("\"clientDataJSON\":\"", "\"clientDataJSON\":\"*") == .response)
        #expect(check("\"id\":\"-R8", "\"id\":\"AR8") == .credentialID)
        #expect(check("\"response\"", "\"answer\"") == .response)
        #expect(check("{", "[") == .response)
        var strict = request
        strict.tolerated = []
        let base64 = json.replacing("\"id\":\"-R8", with: "\"id\":\"+R8")
        let refusal = #expect(throws: WebAuthnRefusal.self) {
            try strict.verify(Array(base64.utf8), at: Vector.now) { _ in false }
        }
        #expect(refusal?.check == .base64)
        #expect(refusal?.got == "base64, with + or /, in id")
    }
}
