import Crypto
import Essentials

/// What the client does, between the page and the authenticator.
extension SoftwareAuthenticator {
    /// The options themselves, also when they come inside of `publicKey`, as `navigator.credentials` takes them.
    static func options(_ bytes: [UInt8]) throws -> JSONValue {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw SoftwareAuthenticatorError(.type, "the options are not JSON: \(error)")
        }
        let options = value["publicKey"] ?? value
        guard options.object != nil else {
            throw SoftwareAuthenticatorError(.type, "the options are not an object")
        }
        return options
    }

    /// - Parameter path: what stands before the name in the options, for the error, such as `prf.eval.`.
    static func bytes(_ value: JSONValue?, _ name: String, in path: String = "") throws -> [UInt8] {
        guard let text = value?[name]?.string, let bytes = Base64URL.decode(text, allowingPadding: true)
        else {
            throw SoftwareAuthenticatorError(
                .type, "“\(path)\(name)” is missing in the options, or no base64url")
        }
        return bytes
    }

    /// The credential ids in a list of `PublicKeyCredentialDescriptorJSON`.
    static func identifiers(_ list: JSONValue?) throws -> [[UInt8]] {
        try (list?.array ?? []).map { try bytes($0, "id") }
    }

    /// The id that the options name, or else the host of the origin; it must be that host or a domain around it.
    func relyingPartyID(_ named: String?) throws -> String {
        let host = RelyingParty.host(of: behaviour.origin)
        guard let id = named ?? (host.isEmpty ? nil : host) else {
            throw SoftwareAuthenticatorError(
                .security, "the options name no relying party id and \(behaviour.origin) has no host")
        }
        // A native app is bound to domains by association files, which nobody asks here.
        let isFitting = host.isEmpty || host == id || host.hasSuffix("." + id)
        guard isFitting || behaviour.ignoresOrigin else {
            throw SoftwareAuthenticatorError(
                .security, "the relying party id “\(id)” is not “\(host)” or a domain around it")
        }
        return id
    }

    /// Source: Web Authentication Level 3 §5.8.1.1.
    func clientData(_ ceremony: Ceremony, _ challenge: [UInt8]) -> [UInt8] {
        var writer = JSONObjectWriter()
        writer.add("type", .string(behaviour.type ?? ceremony.clientDataType))
        writer.add("challenge", .string(Base64URL.encode(behaviour.challenge ?? challenge)))
        writer.add("origin", .string(behaviour.clientDataOrigin ?? behaviour.origin))
        writer.add("crossOrigin", .boolean(behaviour.crossOrigin))
        writer.add("topOrigin", behaviour.topOrigin.map(JSONValue.string))
        return writer.bytes
    }

    /// What both kinds of a credential have.
    static func credential(_ id: [UInt8], _ response: JSONValue, _ extensions: JSONValue) -> JSONValue {
        let text = JSONValue.string(Base64URL.encode(id))
        return [
            "id": text, "rawId": text, "type": "public-key", "authenticatorAttachment": "platform",
            "clientExtensionResults": extensions, "response": response,
        ]
    }

    static func text(_ bytes: [UInt8]) -> JSONValue { .string(Base64URL.encode(bytes)) }
}
