import Crypto
import Essentials
import Testing
import WebAuthn

/// A valid authentication with one thing changed.
@Suite struct AuthenticationRefusalTests {
    /// Flags UP, BE and BS; counter 0.
    static let vector = Vector.named("w3c-l3/none-es256/auth")
    /// Flag UP; counter 78 after 77.
    static let counting = Vector.named(
        "py_webauthn/assertion/authentication_response_with_EC2_public_key/auth")

    func refusal(
        _ vector: Vector = vector, _ request: AuthenticationRequest? = nil,
        _ edit: (inout AuthenticationParts) -> Void = { _ in },
        record change: (inout CredentialRecord) -> Void = { _ in }
    ) throws -> WebAuthnRefusal? {
        var (parts, record) = (AuthenticationParts(vector), try #require(vector.record))
        change(&record)
        edit(&parts)
        return #expect(throws: WebAuthnRefusal.self) {
            try (request ?? vector.authenticationRequest).verify(parts.json, at: Vector.now) {
                $0 == record.id ? record : nil
            }
        }
    }

    func expect(
        _ check: WebAuthnCheck, _ step: Int, sourceLocation: SourceLocation = #_sourceLocation,
        _ edit: (inout AuthenticationParts) -> Void
    ) throws {
        let refusal = try refusal(Self.vector, nil, edit)
        #expect(refusal?.check == check, "\(refusal?.explanation ?? "")", sourceLocation: sourceLocation)
        #expect(refusal?.step == "§7.2 step \(step)", sourceLocation: sourceLocation)
    }

    @Test func `the credential must be one of those that were asked for`() throws {
        var request = Self.vector.authenticationRequest
        request.allowCredentials = [[1], [2]]
        let refusal = try refusal(Self.vector, request)
        #expect(refusal?.check == .credentialAllowed)
        #expect(refusal?.step == "§7.2 step 5")
    }

    @Test func `the credential must be on record, and belong to the user who was known before`() throws {
        try expect(.credentialOwner, 6) { $0.id[0] ^= 1 }
        let foreign = try refusal(record: { $0.userHandle = Array("bob".utf8) })
        #expect(foreign?.check == .credentialOwner)
        #expect(foreign?.got == "one of the user Ym9i")
    }

    @Test func `a user handle must be that of the owner; an empty one counts as none`() throws {
        try expect(.userHandle, 6) { $0.userHandle = text(Array("bob".utf8)) }
        let request = Self.vector.authenticationRequest
        let record = try #require(Self.vector.record)
        for handle: JSONValue? in [nil, .null, "", text(Vector.userHandle)] {
            var parts = AuthenticationParts(Self.vector)
            parts.userHandle = handle
            _ = try request.verify(parts.json, at: Vector.now) { _ in record }
        }
    }

    @Test func `a user who was not known before needs a user handle`() throws {
        var request = Self.vector.authenticationRequest
        request.userHandle = nil
        for handle: JSONValue? in [nil, .null, ""] {
            #expect(try refusal(Self.vector, request, { $0.userHandle = handle })?.check == .userHandle)
        }
        #expect(
            try refusal(Self.vector, request, { $0.userHandle = text(Array("bob".utf8)) })?.check
                == .userHandle)
        var parts = AuthenticationParts(Self.vector)
        parts.userHandle = text(Vector.userHandle)
        let record = try #require(Self.vector.record)
        let verified = try request.verify(parts.json, at: Vector.now) { _ in record }
        #expect(verified.userHandle == Vector.userHandle)
    }

    @Test func `client data must be of this ceremony`() throws {
        try expect(.clientData, 9) { $0.clientData = Array("[]".utf8) }
        try expect(.type, 10) { $0.clientData = $0.clientData.replacing("webauthn.get", "webauthn.create") }
        try expect(.challenge, 11) { $0.clientData = $0.clientData.replacing("OcDn", "OcDm") }
        try expect(.origin, 12) { $0.clientData = $0.clientData.replacing("example.org", "example.com") }
        try expect(.crossOrigin, 13) { $0.clientData = $0.clientData.replacing(":false", ":true") }
        try expect(.topOrigin, 14) {
            $0.clientData = $0.clientData.replacing(":false", ":false,\"topOrigin\":\"https://a\"")
        }
    }

    @Test func `the challenge must be fresh, unused and for authentications`() throws {
        var request = Self.vector.authenticationRequest
        request.challenge.expiresAt = Vector.now.addingTimeInterval(-1)
        #expect(try refusal(Self.vector, request)?.check == .challengeExpired)
        request.challenge.isUsed = true
        #expect(try refusal(Self.vector, request)?.check == .challengeUsed)
        request.challenge.ceremony = .registration
        #expect(try refusal(Self.vector, request)?.check == .challengeCeremony)
    }

    @Test func `authenticator data must be of this relying party, with the flags that are asked for`() throws
    {
        try expect(.authenticatorData, 15) { $0.data.append(0) }
        try expect(.authenticatorData, 15) { $0.data.removeLast() }
        try expect(.authenticatorData, 15) { $0.data[32] |= 0x80 }
        try expect(.relyingPartyHash, 15) { $0.data[31] ^= 1 }
        try expect(.userPresence, 16) { $0.data[32] &= ~1 }
        try expect(.backupState, 18) { $0.data[32] &= ~8 }
        var request = Self.vector.authenticationRequest
        request.userVerification = .required
        let refusal = try refusal(Self.vector, request)
        #expect(refusal?.check == .userVerification)
        #expect(refusal?.step == "§7.2 step 17")
    }

    @Test func `the hash of the AppID will do where there is one`() throws {
        let hash = Digest.sha256(Array("https://example.org/app-id.json".utf8))
        let edit: (inout AuthenticationParts) -> Void = { $0.data.replaceSubrange(..<32, with: hash) }
        #expect(try refusal(Self.vector, nil, edit)?.check == .relyingPartyHash)
        var request = Self.vector.authenticationRequest
        request.relyingParty.appID = "https://example.org/app-id.json"
        #expect(try refusal(Self.vector, request, edit)?.check == .signature)
    }

    @Test func `whether a credential may be backed up never changes`() throws {
        let refusal = try refusal(record: { $0.isBackupEligible = false })
        #expect(refusal?.check == .backupEligibility)
        #expect(refusal?.step == "§7.2 step 19")
        var request = Self.vector.authenticationRequest
        request.tolerated = [.backupEligibility]
        var record = try #require(Self.vector.record)
        record.isBackupEligible = false
        let verified = try request.verify(Self.vector.credential.bytes, at: Vector.now) { _ in record }
        #expect(verified.warnings.map(\.check) == [.backupEligibility])
        #expect(verified.record.isBackupEligible)
        #expect(verified.record.isBackedUp)
    }

    @Test func `the signature must be right, over these bytes, by the key on record`() throws {
        try expect(.signature, 22) { $0.signature[10] ^= 1 }
        try expect(.signature, 22) { $0.signature = [] }
        try expect(.signature, 22) { $0.data[36] ^= 1 }
        try expect(.signature, 22) { $0.clientData.append(0x20) }
        let other = Vector.named("w3c-l3/packed-self-es256/auth").record?.publicKey ?? []
        #expect(try refusal(record: { $0.publicKey = other })?.check == .signature)
        #expect(try refusal(record: { $0.publicKey = [0xA0] })?.check == .storedKey)
    }

    @Test(arguments: [(78, false), (79, false), (77, true), (0, true)] as [(UInt32, Bool)])
    func `the counter must grow`(_ stored: UInt32, _ isRight: Bool) throws {
        var record = try #require(Self.counting.record)
        record.signCount = stored
        let request = Self.counting.authenticationRequest
        if isRight {
            let verified = try request.verify(Self.counting.credential.bytes, at: Vector.now) { _ in record }
            #expect(verified.record.signCount == 78)
        } else {
            let refusal = try refusal(Self.counting, record: { $0.signCount = stored })
            #expect(refusal?.check == .signCount)
            #expect(refusal?.step == "§7.2 step 23")
        }
    }

    @Test func `a counter that falls to zero is refused, unless the policy allows it`() throws {
        var request = Self.vector.authenticationRequest
        #expect(try refusal(record: { $0.signCount = 5 })?.check == .signCount)
        var record = try #require(Self.vector.record)
        record.signCount = 5
        request.signCount = .allowsZero
        #expect(
            try request.verify(Self.vector.credential.bytes, at: Vector.now) { _ in record }.signCount == 0)
        var counting = Self.counting.authenticationRequest
        counting.signCount = .allowsZero
        let same = try refusal(Self.counting, counting, record: { $0.signCount = 78 })
        #expect(same?.check == .signCount)
    }
}
