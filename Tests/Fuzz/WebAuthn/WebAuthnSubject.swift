import Crypto
import Essentials
import WebAuthn

/// All that reads what clients send in the ceremonies, and the software authenticator, which reads what relying parties send.
struct WebAuthnSubject: Subject {
    static let name = "webauthn"
    static let memoryMiB: Int? = 64

    private static let now = Date(timeIntervalSince1970: 1_700_000_000)
    private static let party = RelyingParty(id: "example.org", origins: ["https://example.org"])

    private let clientData = Self.bytes(AssertionCorpus.clientData)
    private let signed =
        Self.bytes(AssertionCorpus.authenticatorData) + Self.bytes(AssertionCorpus.clientData)
    private let objects = AttestationCorpus.objects.map(Self.bytes)

    var corpus: [[UInt8]] {
        let statements = objects.compactMap { (try? AttestationObject($0))?.statement.encoded }
        let data = objects.compactMap { (try? AttestationObject($0))?.authenticatorData }
        return objects + statements + data + [signed, clientData, Self.bytes(AssertionCorpus.publicKey)]
            + Self.texts
    }

    let dictionary: [[UInt8]] =
        [
            "fmt", "attStmt", "authData", "none", "packed", "tpm", "compound", "x5c", "sig", "alg", "ver",
            "2.0",
            "webauthn.create", "\"type\":", "\"challenge\":\"AAAA\"", "https://example.org",
            "\"rawId\":\"-_==\"",
            "\"response\":{", "null", "[[[[[[[[", "{\"a\":", "\u{FEFF}",
        ].map { Array($0.utf8) }
        + [
            [0xA0], [0x80], [0xA3], [0x63], [0x26], [0x39, 1, 0], [0x39, 0xFF, 0xFE], [0x30, 0x80],
            [0x30, 0x84],
            [0x30, 0x82, 0xFF, 0xFF], [0x06, 0x03, 0x55, 0x1D, 0x13], [0xFF, 0x54, 0x43, 0x47], [0x80, 0x17],
            [3, 0xFF],
        ]

    func check(_ input: [UInt8], _ random: inout SplitMix64) throws(Violation) {
        readParts(input)
        register(input)
        try authenticate(input)
        drive(input)
    }

    /// Each decoder by itself. What it says is not looked at: it must come back.
    private func readParts(_ input: [UInt8]) {
        _ = try? AuthenticatorData(input)
        _ = try? ClientData(input)
        _ = try? COSEKey(input)
        _ = try? DERElement(parsing: input)
        _ = AndroidOrigin.fingerprint(origin: String(decoding: input, as: UTF8.self))
        guard let certificate = try? Certificate(der: input) else { return }
        _ = try? (certificate.subject, certificate.isAuthority(), certificate.extendedKeyUsage())
        _ = try? (certificate.subjectAlternativeNames(), certificate.publicKey, certificate.notAfter)
        _ = try? certificate.chain(over: [certificate], to: [certificate], at: nil)
    }

    /// As the attestation object, as authenticator data, as the statement of each format, and as the whole credential.
    private func register(_ input: [UInt8]) {
        var request = RegistrationRequest(
            relyingParty: Self.party, challenge: IssuedChallenge([1, 2, 3], for: .registration),
            algorithms: [-7, -257])
        request.tolerated = Set(WebAuthnCheck.allCases)
        let client = Array(
            #"{"type":"webauthn.create","challenge":"AQID","origin":"https://example.org"}"#.utf8)
        var attestations = [input]
        if let object = try? AttestationObject(objects[0]) {
            attestations.append(
                AttestationObject(format: "none", statement: .map([]), authenticatorData: input).encoded)
            let statement = (try? CBORDecoder.first(in: input[...]).value) ?? Self.statement(input)
            attestations += AttestationFormat.allCases.map { format in
                AttestationObject(
                    format: format.rawValue, statement: statement, authenticatorData: object.authenticatorData
                ).encoded
            }
        }
        for attestation in attestations {
            let json = Self.credential([
                "clientDataJSON": .string(Base64URL.encode(client)),
                "attestationObject": .string(Base64URL.encode(attestation)),
            ])
            _ = try? request.verify(json, at: Self.now) { _ in false }
        }
        _ = try? request.verify(input, at: Self.now) { _ in false }
    }

    /// A statement that has the bytes wherever bytes are asked for.
    private static func statement(_ input: [UInt8]) -> CBOR {
        let members: [(String, CBOR)] = [
            ("alg", CBOR(-7)), ("ver", .text("2.0")), ("sig", .bytes(input)),
            ("x5c", .array([.bytes(input)])),
            ("pubArea", .bytes(input)), ("certInfo", .bytes(input)), ("response", .bytes(input)),
        ]
        return .map(members.map { CBOREntry(.text($0.0), $0.1) })
    }

    /// A signature that stands for one message must not do for another.
    private func authenticate(_ input: [UInt8]) throws(Violation) {
        let request = AuthenticationRequest(
            relyingParty: Self.party,
            challenge: IssuedChallenge(Self.bytes(AssertionCorpus.challenge), for: .authentication),
            userHandle: [1], tolerated: Set(WebAuthnCheck.allCases))
        let record = CredentialRecord(
            id: Self.bytes(AssertionCorpus.credentialID), userHandle: [1],
            publicKey: Self.bytes(AssertionCorpus.publicKey), signCount: 0,
            isUserVerificationInitialized: true, isBackupEligible: true, isBackedUp: true)
        _ = try? request.verify(input, at: Self.now) { _ in record }
        let json = Self.credential([
            "authenticatorData": .string(Base64URL.encode(Array(input.prefix(37)))),
            "clientDataJSON": .string(Base64URL.encode(Array(input.dropFirst(37)))),
            "signature": .string(AssertionCorpus.signature),
        ])
        let isVerified = (try? request.verify(json, at: Self.now) { _ in record }) != nil
        guard isVerified == (input == signed) else {
            throw Violation(
                "a signature is \(isVerified ? "right for another message" : "wrong for its own message")")
        }
    }

    private func drive(_ input: [UInt8]) {
        var behaviour = SoftwareBehaviour(origin: "https://example.org")
        behaviour.algorithms = [.eddsa, .es256]
        var authenticator = SoftwareAuthenticator(
            behaviour,
            entropy: SoftwareAuthenticator.Entropy { count in [UInt8](repeating: 7, count: count) })
        _ = try? authenticator.create(input)
        _ = try? authenticator.get(input)
    }

    private static func credential(_ response: [String: JSONValue]) -> [UInt8] {
        JSONValue.object([
            "type": "public-key", "id": .string(AssertionCorpus.credentialID),
            "rawId": .string(AssertionCorpus.credentialID), "response": .object(response),
        ]).bytes
    }

    private static func bytes(_ text: String) -> [UInt8] { Base64URL.decode(text) ?? [] }

    /// JSON in and out.
    private static let texts = [
        #"{"rp":{"id":"example.org","name":"E"},"user":{"id":"AQID","name":"a"},"challenge":"AAAA","pubKeyCredParams":[{"type":"public-key","alg":-8}]}"#,
        #"{"publicKey":{"challenge":"AAAA","rpId":"example.org","allowCredentials":[{"type":"public-key","id":"AQID"}]}}"#,
        #"{"type":"public-key","id":"AQID","rawId":"AQID","response":{"clientDataJSON":"e30","attestationObject":"oA"}}"#,
        #"{"type":"public-key","id":"AQID","response":{"clientDataJSON":"e30","authenticatorData":"AA","signature":"AA","userHandle":null}}"#,
    ].map { Array($0.utf8) }
}
