import Crypto
import Essentials
import PowerAuth
import Testing

/// One encrypted exchange of a vector: what is needed to open and seal it, and what must come out.
struct ExchangeCase {
    let version: ProtocolVersion
    let keys: EnvelopeKeys
    let binding: EnvelopeBinding
    let request: JSONValue
    let response: JSONValue
    let requestPlaintext: [UInt8]
    let responsePlaintext: [UInt8]
    /// Of the response; the version decides whether it is used.
    let nonce: Nonce
    let milliseconds: Int

    func open(_ changed: JSONValue? = nil) throws -> Envelope {
        try Envelope.open(EnvelopeRequest(changed ?? request, version), keys: keys, binding: binding)
    }

    /// The request with one member changed, added, or taken away.
    func changing(_ member: String, to value: JSONValue?) -> JSONValue {
        var members = request.object ?? [:]
        members[member] = value
        return .object(members)
    }
}

extension ExchangeCase {
    /// From an entry of a published file.
    init(_ entry: VectorEntry) throws {
        version = try #require(ProtocolVersion(rawValue: entry.text("protocolVersion")))
        keys = try EnvelopeKeys(entry.bytes("envelopeKey"))
        binding = try Self.binding(entry, version)
        requestPlaintext = Array(try entry.text("requestData").utf8)
        responsePlaintext = Array(try entry.text("responseData").utf8)
        request = Self.members(
            entry,
            [
                "ephemeralPublicKey": "requestEphemeralPublicKey", "encryptedData": "encryptedDataRequest",
                "mac": "requestMac", "nonce": "requestNonce", "timestamp": "timestampRequest",
                "temporaryKeyId": "temporaryKeyId",
            ])
        response = Self.members(
            entry,
            [
                "encryptedData": "encryptedDataResponse", "mac": "responseMac", "nonce": "responseNonce",
                "timestamp": "timestampResponse",
            ])
        nonce = try entry.members["responseNonce"].map { try Nonce(base64: $0) } ?? Self.unused
        milliseconds = entry.members["timestampResponse"].flatMap(Int.init) ?? 0
    }

    private static func binding(_ entry: VectorEntry, _ version: ProtocolVersion) throws -> EnvelopeBinding {
        let key = try ApplicationKey(entry.text("applicationKey"))
        let secret = try ApplicationSecret(entry.text("applicationSecret"))
        guard let activation = entry.members["activationId"] else {
            return EnvelopeBinding(version, key: key, secret: secret)
        }
        return try EnvelopeBinding(
            version, key: key, secret: secret, activationID: activation, transport: entry.key("transportKey"))
    }

    private static func members(_ entry: VectorEntry, _ names: [String: String]) -> JSONValue {
        .object(
            names.compactMapValues { entry.members[$0] }.reduce(into: [:]) { members, member in
                members[member.key] =
                    member.key == "timestamp"
                    ? Int(member.value).map(JSONValue.integer) : .string(member.value)
            })
    }

    /// Before 3.2 nothing of the response's own is drawn.
    private static var unused: Nonce { get throws { try Nonce([UInt8](repeating: 9, count: 16)) } }
}

extension ExchangeCase {
    /// From a part of the worked example.
    init(_ example: Example) throws {
        version = try #require(ProtocolVersion(rawValue: example.text("version")))
        keys = try EnvelopeKeys(example.hex("envelope48"))
        binding =
            try example.text("scope") == "application"
            ? EnvelopeBinding(
                version, key: Example.applicationKey(), secret: Example.applicationSecret())
            : EnvelopeBinding(
                version, key: Example.applicationKey(), secret: Example.applicationSecret(),
                activationID: Example.activationID(), transport: Example.derivedKeys().transport)
        requestPlaintext = Array(try example.text("requestPlain").utf8)
        responsePlaintext = Array(try example.text("responsePlain").utf8)
        (request, response) = (example["request"].json, example["response"].json)
        nonce = try response["nonce"]?.string.map { try Nonce(base64: $0) } ?? Self.unused
        milliseconds = response["timestamp"]?.integer ?? 0
    }

    static var examples: [Example] { (Example.whole["ecies"].json.array ?? []).map(Example.init) }

    /// A valid exchange to change one thing in.
    static func example(_ version: ProtocolVersion, _ scope: EnvelopeScope) throws -> ExchangeCase {
        let example = examples.first {
            $0.json["version"]?.string == version.rawValue && $0.json["scope"]?.string == scope.rawValue
        }
        return try ExchangeCase(#require(example))
    }
}
