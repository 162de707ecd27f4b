import Crypto
import Essentials
import PowerAuth
import Testing

struct EnvelopeRefusalTests {
    static let versions = ProtocolVersion.allCases
    static let members: [ProtocolVersion: Set<String>] = [
        .v30: [], .v31: ["nonce"], .v32: ["nonce", "timestamp"],
        .v33: ["nonce", "timestamp", "temporaryKeyId"],
    ]

    @Test(arguments: versions)
    func `a member that the version demands may not be absent or null`(_ version: ProtocolVersion) throws {
        let vector = try ExchangeCase.example(version, .application)

        for member in ["ephemeralPublicKey", "encryptedData", "mac"] + (Self.members[version] ?? []) {
            for value in [nil, JSONValue.null] {
                #expect(throws: ProtocolFault.missing(member: member, version: version)) {
                    try vector.open(vector.changing(member, to: value))
                }
            }
        }
    }

    @Test(arguments: versions)
    func `a member that the version does not have may not be there`(_ version: ProtocolVersion) throws {
        let vector = try ExchangeCase.example(version, .application)
        let foreign = try ExchangeCase.example(.v33, .application).request
        let members = Set(["nonce", "timestamp", "temporaryKeyId"]).subtracting(Self.members[version] ?? [])

        for member in members {
            #expect(throws: ProtocolFault.unexpected(member: member, version: version)) {
                try vector.open(vector.changing(member, to: foreign[member]))
            }
            #expect(throws: Never.self) { try vector.open(vector.changing(member, to: .null)) }
        }
        #expect(throws: Never.self) { try vector.open(vector.changing("unknown", to: 1)) }
    }

    @Test func `a malformed member is refused by name`() throws {
        let vector = try ExchangeCase.example(.v33, .activation)
        let wrong: [(String, JSONValue)] = [
            ("ephemeralPublicKey", "?"), ("ephemeralPublicKey", 1), ("encryptedData", "AAAAA"),
            ("mac", "AAAA"),
            ("nonce", "AAAA"), ("nonce", ["AAAA"]), ("timestamp", "1718000001234"), ("timestamp", -1),
            ("timestamp", .number(1.5)), ("temporaryKeyId", 5),
        ]

        for (member, value) in wrong {
            let fault = #expect(throws: ProtocolFault.self) {
                try vector.open(vector.changing(member, to: value))
            }
            guard case .malformed(let part, _, _) = fault else {
                Issue.record("\(member): \(String(describing: fault))")
                continue
            }
            #expect(part == member)
        }
        #expect(throws: ProtocolFault.self) { try vector.open([]) }
    }

    @Test(arguments: versions, [EnvelopeScope.application, .activation])
    func `a changed member makes the MAC wrong`(_ version: ProtocolVersion, _ scope: EnvelopeScope) throws {
        let vector = try ExchangeCase.example(version, scope)
        var changes: [(String, JSONValue)] = [
            ("mac", try flipped(vector, "mac", at: 31)),
            ("encryptedData", try flipped(vector, "encryptedData", at: 0)),
        ]
        if version != .v30, version != .v31 {
            let ephemeral = try Example.privateKey("ephemeral").publicKey.x962()
            changes += [
                ("nonce", try flipped(vector, "nonce", at: 3)), ("timestamp", 1_718_000_001_235),
                // The same point in its other form.
                ("ephemeralPublicKey", .string(Base64.encode(ephemeral))),
            ]
        }
        if version == .v33 { changes.append(("temporaryKeyId", "0f1e2d3c-4b5a-4968-8776-a5b4c3d2e1f1")) }

        for (member, value) in changes {
            #expect(throws: ProtocolFault.wrong(part: "mac"), "\(member)") {
                try vector.open(vector.changing(member, to: value))
            }
        }
    }

    private func flipped(_ vector: ExchangeCase, _ member: String, at index: Int) throws -> JSONValue {
        var bytes = try #require(vector.request[member]?.string.flatMap(Base64.decode))
        bytes[index] ^= 1
        return .string(Base64.encode(bytes))
    }

    @Test(arguments: versions)
    func `another secret, key, activation or purpose opens nothing`(_ version: ProtocolVersion) throws {
        let vector = try ExchangeCase.example(version, .activation)
        let request = try EnvelopeRequest(vector.request, version)
        let (key, secret) = (try Example.applicationKey(), try Example.applicationSecret())
        let (transport, id) = (try Example.derivedKeys().transport, try Example.activationID())
        let server = try Example.scalar(version == .v33 ? "temporary" : "server")
        let foreign = try EnvelopeBinding(
            version, key: key, secret: ApplicationSecret("AAAAAAAAAAAAAAAAAAAAAA=="), activationID: id,
            transport: transport)
        let otherTransport = try EnvelopeBinding(
            version, key: key, secret: secret, activationID: id, transport: transport.derived(1))

        for binding in [foreign, otherTransport] {
            #expect(throws: ProtocolFault.wrong(part: "mac")) {
                try Envelope.open(request, privateKey: server, purpose: .createToken, binding: binding)
            }
        }
        #expect(throws: ProtocolFault.wrong(part: "mac")) {
            try Envelope.open(request, privateKey: server, purpose: .vaultUnlock, binding: vector.binding)
        }
        #expect(throws: ProtocolFault.wrong(part: "mac")) {
            try Envelope.open(
                request, privateKey: Example.scalar("device"), purpose: .createToken,
                binding: vector.binding)
        }
        #expect(throws: Never.self) {
            try Envelope.open(request, privateKey: server, purpose: .createToken, binding: vector.binding)
        }
    }

    @Test(arguments: [ProtocolVersion.v32, .v33])
    func `from 3 2 on a message is bound to application key and activation`(_ version: ProtocolVersion) throws
    {
        let vector = try ExchangeCase.example(version, .activation)
        let (key, secret) = (try Example.applicationKey(), try Example.applicationSecret())
        let (transport, id) = (try Example.derivedKeys().transport, try Example.activationID())
        let bindings = try [
            EnvelopeBinding(version, key: key, secret: secret, activationID: id + "0", transport: transport),
            EnvelopeBinding(
                version, key: ApplicationKey("AAAAAAAAAAAAAAAAAAAAAA=="), secret: secret, activationID: id,
                transport: transport),
        ]

        for binding in bindings {
            #expect(throws: ProtocolFault.wrong(part: "mac")) {
                try Envelope.open(
                    EnvelopeRequest(vector.request, version), keys: vector.keys, binding: binding)
            }
        }
    }

    @Test func `an ephemeral key that is no point is refused before anything else`() throws {
        let vector = try ExchangeCase.example(.v33, .application)
        let bytes = [2] + [UInt8](repeating: 255, count: 32)
        let request = try EnvelopeRequest(
            vector.changing("ephemeralPublicKey", to: .string(Base64.encode(bytes))), .v33)

        let fault = ProtocolFault.malformed(
            part: "ephemeralPublicKey", expected: "a point of P-256, compressed or not",
            got: "a point that is not on the curve")
        #expect(throws: fault) {
            try Envelope.open(
                request, privateKey: Example.scalar("temporary"), purpose: .applicationGeneric,
                binding: vector.binding)
        }
    }

    @Test func `a purpose of one scope is not opened in the other, nor a request of one version in another`()
        throws
    {
        let vector = try ExchangeCase.example(.v33, .application)
        let request = try EnvelopeRequest(vector.request, .v33)
        let older = try ExchangeCase.example(.v32, .application)

        #expect(throws: ProtocolFault.self) {
            try Envelope.open(
                request, privateKey: Example.scalar("temporary"), purpose: .createToken,
                binding: vector.binding)
        }
        #expect(throws: ProtocolFault.malformed(part: "version", expected: "3.2", got: "3.3")) {
            try Envelope.open(request, keys: vector.keys, binding: older.binding)
        }
    }

    @Test func `a right MAC over wrong padding is refused all the same`() throws {
        let vector = try ExchangeCase.example(.v30, .application)
        let bent = [UInt8](repeating: 1, count: 16)

        for ciphertext in [bent, Array(bent.dropLast()), []] {
            let mac = Digest.sha256.authenticationCode(
                of: ciphertext + vector.binding.base, key: vector.keys.authentication.bytes)
            var request = vector.request.object ?? [:]
            request["encryptedData"] = .string(Base64.encode(ciphertext))
            request["mac"] = .string(Base64.encode(mac))
            let fault = ProtocolFault.malformed(
                part: "encryptedData", expected: "whole blocks with padding", got: "something else")
            #expect(throws: fault) { try vector.open(.object(request)) }
        }
    }

    @Test func `a response does not take the request's nonce from 3 2 on, and draws none before`() throws {
        for version in [ProtocolVersion.v32, .v33] {
            let envelope = try ExchangeCase.example(version, .application).open()
            let same = try #require(envelope.request.freshness.nonce)
            #expect(throws: ProtocolFault.self) { try envelope.seal([], nonce: same, milliseconds: 0) }
        }
        for version in [ProtocolVersion.v30, .v31] {
            let envelope = try ExchangeCase.example(version, .application).open()
            let response = try envelope.seal([], nonce: Nonce([]), milliseconds: 0)
            #expect(response.ciphertext.count == 16)
            #expect(response.freshness == EnvelopeFreshness())
        }
    }

    @Test func `two copies of a request are recognised, and two requests told apart`() throws {
        let vector = try ExchangeCase.example(.v33, .activation)
        let request = try EnvelopeRequest(vector.request, .v33)
        let other = try EnvelopeRequest(
            vector.changing("nonce", to: .string(Base64.encode([UInt8](repeating: 0, count: 16)))), .v33)

        let identifier = request.replayIdentifier(activationID: "a")
        #expect(try EnvelopeRequest(vector.request, .v33).replayIdentifier(activationID: "a") == identifier)
        let others = [
            request.replayIdentifier(activationID: nil), request.replayIdentifier(activationID: "b"),
            other.replayIdentifier(activationID: "a"),
        ]
        #expect(Set(others + [identifier]).count == 4)
    }
}
