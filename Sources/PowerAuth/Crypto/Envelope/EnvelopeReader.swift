import Crypto
import Essentials

/// Takes the members of an encrypted request out of its JSON.
struct EnvelopeReader {
    let json: JSONValue
    let version: ProtocolVersion

    /// The member that only some versions have. A null counts as absent.
    func optional<Value>(
        _ name: String, _ member: EnvelopeMembers, _ read: (EnvelopeReader) throws -> Value
    ) throws -> Value? {
        if version.mobileProtocol.requestMembers.contains(member) { return try read(self) }
        guard json[name]?.isNull ?? true else {
            throw ProtocolFault.unexpected(member: name, version: version)
        }
        return nil
    }

    func bytes(_ name: String, count: Int? = nil) throws -> [UInt8] {
        try decodeBase64(text(name), part: name, count: count, by: WireBase64.decode)
    }

    func text(_ name: String) throws -> String {
        guard let text = try value(name).string else {
            throw ProtocolFault.malformed(part: name, expected: "a string", got: "another type")
        }
        return text
    }

    func milliseconds(_ name: String) throws -> Int {
        guard let number = try value(name).integer, number >= 0 else {
            throw ProtocolFault.malformed(
                part: name, expected: "milliseconds since 1970 as a number", got: "something else")
        }
        return number
    }

    private func value(_ name: String) throws -> JSONValue {
        guard let value = json[name], !value.isNull else {
            throw ProtocolFault.missing(member: name, version: version)
        }
        return value
    }
}
