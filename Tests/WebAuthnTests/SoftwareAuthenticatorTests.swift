import Crypto
import Essentials
import Synchronization
import Testing
import WebAuthn

/// The software authenticator against the verifier, which the published vectors vouch for.
@Suite struct SoftwareAuthenticatorTests {
    static let party = RelyingParty(id: "example.org", origins: ["https://login.example.org"])
    static let challenge = Array("0123456789abcdef".utf8)
    static let rsaKey = Result { try PrivateKey.generate(.rsa(bits: 2048)) }

    /// Counts, so that two draws differ.
    static func entropy() -> SoftwareAuthenticator.Entropy {
        let drawn = Counter()
        return SoftwareAuthenticator.Entropy(
            bytes: { count in
                let number = drawn.next()
                return Array((Digest.sha512([number]) + Digest.sha512([number, 1])).prefix(count))
            }, rsaKey: { try rsaKey.get() })
    }

    final class Counter: Sendable {
        private let count = Mutex<UInt8>(0)
        func next() -> UInt8 {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }

    func authenticator(_ change: (inout SoftwareBehaviour) -> Void = { _ in }) -> SoftwareAuthenticator {
        var behaviour = SoftwareBehaviour(origin: "https://login.example.org", aaguid: Array(1...16))
        change(&behaviour)
        return SoftwareAuthenticator(behaviour, entropy: Self.entropy())
    }

    func creation(
        _ algorithms: [Int] = [-7], attestation: String = "none", user: String = "ada",
        _ more: [String: JSONValue] = [:]
    ) -> [UInt8] {
        let options: [String: JSONValue] = [
            "rp": ["id": "example.org", "name": "Example"],
            "user": ["id": text(Array(user.utf8)), "name": .string(user), "displayName": "Ada"],
            "challenge": text(Self.challenge), "timeout": 60000, "attestation": .string(attestation),
            "pubKeyCredParams": .array(algorithms.map { ["type": "public-key", "alg": .integer($0)] }),
        ]
        return JSONValue.object(options.merging(more) { $1 }).bytes
    }

    func request(_ allowed: [[UInt8]] = []) -> [UInt8] {
        JSONValue.object([
            "challenge": text(Self.challenge), "rpId": "example.org", "userVerification": "preferred",
            "allowCredentials": .array(allowed.map { ["type": "public-key", "id": text($0)] }),
        ]).bytes
    }

    var registration: RegistrationRequest {
        RegistrationRequest(
            relyingParty: Self.party, challenge: IssuedChallenge(Self.challenge, for: .registration),
            algorithms: Vector.algorithms)
    }

    var authentication: AuthenticationRequest {
        AuthenticationRequest(
            relyingParty: Self.party, challenge: IssuedChallenge(Self.challenge, for: .authentication))
    }

    func register(_ json: [UInt8]) throws -> VerifiedRegistration {
        try registration.verify(json, at: Vector.now) { _ in false }
    }

    func record(_ json: [UInt8]) throws -> CredentialRecord {
        CredentialRecord(try register(json), userHandle: Array("ada".utf8))
    }

    @Test(arguments: [-7, -35, -36, -8, -257, -37], ["none", "direct"])
    func `a credential is created and logs in`(_ algorithm: Int, _ conveyance: String) throws {
        var authenticator = authenticator()
        let registered = try register(authenticator.create(creation([algorithm], attestation: conveyance)))

        #expect(registered.publicKey.algorithm.rawValue == algorithm)
        #expect(registered.attestation.type == (conveyance == "none" ? .none : .selfAttestation))
        #expect(registered.transports == ["internal", "hybrid"])
        #expect(registered.aaguid == Array(1...16))
        #expect(registered.flags == [.userPresent, .userVerified, .attestedCredential])
        #expect(registered.warnings.isEmpty)

        let record = CredentialRecord(registered, userHandle: Array("ada".utf8))
        let verified = try authentication.verify(authenticator.get(request()), at: Vector.now) {
            $0 == record.id ? record : nil
        }
        #expect(verified.userHandle == Array("ada".utf8))
        #expect(verified.signCount == 0)
    }

    /// Level 3 §7.1 step 28 and §7.2 step 24.
    @Test(arguments: [
        // On record, allowed to begin, UV of the authentication, on record after it.
        (false, false, true, false), (false, true, true, true), (false, true, false, false),
        (true, false, false, true), (true, true, false, true),
    ])
    func `user verification is on record from the ceremony that first had it, if that is allowed`(
        _ before: Bool, _ isAllowed: Bool, _ isVerified: Bool, _ after: Bool
    ) throws {
        var authenticator = authenticator { $0.isUserVerified = before }
        let record = try record(authenticator.create(creation()))
        #expect(record.isUserVerificationInitialized == before)

        authenticator.behaviour.isUserVerified = isVerified
        var request = authentication
        request.initializesUserVerification = isAllowed
        let verified = try request.verify(authenticator.get(self.request()), at: Vector.now) { _ in record }
        #expect(verified.flags.contains(.userVerified) == isVerified)
        #expect(verified.record.isUserVerificationInitialized == after)
    }

    typealias Change = @Sendable (inout SoftwareBehaviour) -> Void

    static let registrationSwitches: [(WebAuthnCheck, Change)] = [
        (.origin, { $0.origin = "https://evil.example.org" }), (.challenge, { $0.challenge = [1] }),
        (.type, { $0.type = "webauthn.get" }), (.userPresence, { $0.isUserPresent = false }),
        (.userVerification, { $0.isUserVerified = false }), (.backupState, { $0.isBackedUp = true }),
        (.relyingPartyHash, { $0.relyingPartyID = "example.net" }),
        (.crossOrigin, { $0.crossOrigin = true }),
        (.topOrigin, { $0.topOrigin = "https://shop.example" }),
        (.attestationSignature, { $0.breaksSignature = true }),
    ]

    static let authenticationSwitches: [(WebAuthnCheck, Change)] = [
        (.origin, { $0.origin = "https://evil.example.org" }), (.challenge, { $0.challenge = [1] }),
        (.type, { $0.type = "webauthn.create" }), (.userPresence, { $0.isUserPresent = false }),
        (.userVerification, { $0.isUserVerified = false }), (.backupState, { $0.isBackedUp = true }),
        (.backupEligibility, { $0.isBackupEligible = true }), (.signature, { $0.breaksSignature = true }),
        (.relyingPartyHash, { $0.relyingPartyID = "example.net" }), (.userHandle, { $0.userHandle = [] }),
        (.userHandle, { $0.userHandle = [1] }), (.signCount, { $0.counter = .backwards }),
    ]

    func refusal(_ body: () throws -> Any) -> WebAuthnCheck? {
        #expect(throws: WebAuthnRefusal.self) { _ = try body() }?.check
    }

    @Test(arguments: registrationSwitches)
    func `each switch makes a registration that is refused`(
        _ check: WebAuthnCheck, _ change: Change
    ) throws {
        var authenticator = authenticator {
            $0.attestation = .packedSelf
            change(&$0)
        }
        let json = try authenticator.create(creation())
        var request = registration
        request.userVerification = .required
        #expect(refusal { try request.verify(json, at: Vector.now) { _ in false } } == check)
    }

    @Test(arguments: authenticationSwitches)
    func `each switch makes an authentication that is refused`(
        _ check: WebAuthnCheck, _ change: Change
    ) throws {
        var authenticator = authenticator { $0.counter = .increasing }
        let record = try record(authenticator.create(creation()))
        change(&authenticator.behaviour)
        let json = try authenticator.get(request())
        var request = authentication
        request.userVerification = .required
        #expect(refusal { try request.verify(json, at: Vector.now) { _ in record } } == check)
    }

    @Test func `the counter grows with each assertion`() throws {
        var authenticator = authenticator { $0.counter = .increasing }
        var record = try record(authenticator.create(creation()))
        for expected: UInt32 in 2...4 {
            let json = try authenticator.get(request())
            let known = record
            let verified = try authentication.verify(json, at: Vector.now) { _ in known }
            #expect(verified.signCount == expected)
            record = verified.record
        }
    }

    @Test func `the same entropy makes the same credential`() throws {
        var (one, other) = (authenticator(), authenticator())
        #expect(try one.create(creation([-8])) == other.create(creation([-8])))
        #expect(one.credentials == other.credentials)
    }

    @Test func `an account has one credential for each relying party`() throws {
        var authenticator = authenticator()
        let first = try record(authenticator.create(creation()))
        let second = try record(authenticator.create(creation()))
        _ = try authenticator.create(creation(user: "bob"))
        #expect(authenticator.credentials.map(\.userName) == ["ada", "bob"])
        #expect(authenticator.credentials.first?.id == second.id)
        #expect(refusal(.notAllowed) { try $0.get(request([first.id])) } == .notAllowed)
        let chosen = try JSONValue(parsing: authenticator.get(request(), credentialID: second.id))
        #expect(chosen["id"] == text(second.id))
        let newest = try JSONValue(parsing: authenticator.get(request()))
        #expect(newest["response"]?["userHandle"] == text(Array("bob".utf8)))
    }

    /// What a fresh authenticator answers.
    func refusal(
        _: SoftwareAuthenticatorError.Name, _ change: (inout SoftwareBehaviour) -> Void = { _ in },
        _ body: (inout SoftwareAuthenticator) throws -> Any
    ) -> SoftwareAuthenticatorError.Name? {
        var fresh = authenticator(change)
        return #expect(throws: SoftwareAuthenticatorError.self) { _ = try body(&fresh) }?.name
    }

    @Test func `options are refused as a browser would`() throws {
        #expect(refusal(.notAllowed) { try $0.get(request()) } == .notAllowed)
        #expect(refusal(.notSupported) { try $0.create(creation([-47])) } == .notSupported)
        #expect(refusal(.type) { try $0.create([0x5B]) } == .type)
        #expect(refusal(.type) { try $0.create(Array("{}".utf8)) } == .type)
        #expect(
            refusal(.security, { $0.origin = "https://example.net" }) { try $0.create(creation()) }
                == .security)
        #expect(
            refusal(.security, { $0.origin = "https://notexample.org" }) { try $0.create(creation()) }
                == .security)
        var authenticator = authenticator()
        let id = try record(authenticator.create(creation())).id
        let excluded = creation(["excludeCredentials": [["type": "public-key", "id": text(id)]]])
        let error = #expect(throws: SoftwareAuthenticatorError.self) { try authenticator.create(excluded) }
        #expect(error?.name == .invalidState)
    }

    private func creation(_ more: [String: JSONValue]) -> [UInt8] {
        creation([-7], attestation: "none", user: "ada", more)
    }

    @Test func `the JSON has the members of the standard`() throws {
        var authenticator = authenticator { $0.origin = "android:apk-key-hash:x" }
        let options = try JSONValue(parsing: creation(["extensions": ["credProps": true]]))
        let created = try JSONValue(
            parsing: authenticator.create(JSONValue.object(["publicKey": options]).bytes))

        // Web Authentication Level 3 §5.1, RegistrationResponseJSON and AuthenticationResponseJSON.
        #expect(
            created.object?.keys.sorted() == [
                "authenticatorAttachment", "clientExtensionResults", "id", "rawId", "response", "type",
            ])
        #expect(
            created["response"]?.object?.keys.sorted() == [
                "attestationObject", "authenticatorData", "clientDataJSON", "publicKey", "publicKeyAlgorithm",
                "transports",
            ])
        #expect(created["clientExtensionResults"] == ["credProps": ["rk": true]])
        let spki = try #require(Base64URL.decode(created["response"]?["publicKey"]?.string ?? ""))
        #expect(try PublicKey(der: spki) == authenticator.credentials.first?.key.publicKey)
        // §5.8.1.1: these members in this order.
        #expect(
            String(decoding: member(created, "clientDataJSON"), as: UTF8.self)
                == "{\"type\":\"webauthn.create\",\"challenge\":\"MDEyMzQ1Njc4OWFiY2RlZg\",\"origin\":\"android:apk-key-hash:x\","
                + "\"crossOrigin\":false}")
        let asserted = try JSONValue(parsing: authenticator.get(request()))
        #expect(
            asserted["response"]?.object?.keys.sorted() == [
                "authenticatorData", "clientDataJSON", "signature", "userHandle",
            ])
    }
}
