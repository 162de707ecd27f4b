import Essentials
package import HTTP

/// Takes tokens, passwords and cookies out of what is kept of an exchange with somebody's real service.
///
/// What stands in their place, ``Mask`` says; what is one, ``SecretNames``.
package struct SecretMask: Sendable {
    package init() {}

    private static let fields: Set<String> = [
        "authorization", "proxy-authorization", "x-session-jwt",
    ]

    /// Whether what has this name is a secret: ``SecretNames``.
    package func isSecret(_ name: some Sequence<UInt8>, inRequest: Bool) -> Bool {
        SecretNames.isSecret(name, inRequest: inRequest)
    }

    /// What stands in the place of a secret.
    package func mask(_ secret: some StringProtocol) -> String { Mask.of(secret) }

    package func masked(_ headers: Headers) -> Headers {
        var made = Headers()
        for field in headers.fields { made.add(field.name, masked(field)) }
        return made
    }

    private func masked(_ field: Headers.Field) -> String {
        let name = field.name.asciiLowercased
        switch name {
        case "cookie":
            return field.value.split(separator: ";").map { pair(String($0)) }.joined(separator: ";")
        case "set-cookie":
            let parts = field.value.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            return ([pair(String(parts[0]))] + parts.dropFirst().map(String.init)).joined(separator: ";")
        default:
            guard Self.fields.contains(name) || isSecret(name.utf8, inRequest: false) else {
                return masked(text: field.value)
            }
            let parts = field.value.split(separator: " ", maxSplits: 1)
            return parts.count == 2 ? "\(parts[0]) \(mask(parts[1]))" : mask(field.value)
        }
    }

    private func pair(_ text: String) -> String {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 { return "\(parts[0])=\(mask(parts[1]))" }
        // One without a name is its value. Source: RFC 6265bis §5.6.
        let value = text.drop { $0 == " " }
        return text.prefix(text.count - value.count) + mask(value)
    }

    /// A sentence or a field, in which tokens and addresses may stand.
    package func masked(text: String) -> String { masked(text, .text) }

    /// A path or URL, with the values of its query and fragment.
    package func masked(target: String) -> String { masked(target, .address) }

    private func masked(_ text: String, _ context: SecretParameters.Context) -> String {
        let bytes = Array(text.utf8)
        let masked = tokens(in: SecretParameters(context: context).masked(bytes))
        return masked == bytes ? text : String(decoding: masked, as: UTF8.self)
    }

    /// - Parameters:
    ///   - type: as the message says it; a text tells by itself what it is.
    ///   - inRequest: whether a member `code` is a secret, and no error's name.
    package func masked(_ body: [UInt8], _ type: String?, inRequest: Bool) -> [UInt8] {
        if body.isEmpty { return body }
        let type = type ?? ""
        if let parts = SecretFields(type: type) {
            return parts.masked(body) { self.masked($0, nil, inRequest: true) }
        }
        var made = body
        if body.contains(UInt8(ascii: "{")) || body.contains(UInt8(ascii: "[")) {
            made = SecretMembers(inRequest: inRequest).masked(made)
        }
        let isForm = type.asciiLowercased.contains("x-www-form-urlencoded") || body.beginsAsForm
        made = SecretParameters(context: isForm ? .form : .text).masked(made)
        // What looks like an element in a text of JSON may end in another one.
        if !body.beginsAsJSON { made = SecretElements(inRequest: inRequest).masked(made) }
        return tokens(in: made)
    }

    /// JWTs wherever they stand, by the first letters of their header, `{"`. Source: RFC 7519 §3.1.
    private func tokens(in text: [UInt8]) -> [UInt8] {
        TextParts.tokens(of: text).replaced(in: text) {
            Mask.of(bytes: $0)
        }
    }
}

extension [UInt8] {
    fileprivate var beginsAsJSON: Bool {
        first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }.map("{[\"".utf8.contains) ?? false
    }

    /// Whether a name and `=` stand at its beginning, as in a form.
    fileprivate var beginsAsForm: Bool {
        guard let sign = prefix(100).firstIndex(of: UInt8(ascii: "=")), sign > 0 else { return false }
        return self[..<sign].allSatisfy { byte in
            0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
                || "_-.~[]%+".utf8.contains(byte)
        }
    }
}
