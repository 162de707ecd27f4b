import Crypto
import Essentials

/// What a page asks of the extension `prf`. Source: Web Authentication Level 3 §10.1.4.
struct PRFRequest: Equatable {
    /// One or two inputs of any length.
    struct Inputs: Equatable {
        let first: [UInt8]
        let second: [UInt8]?

        /// What the authenticator hears of them.
        var salts: [[UInt8]] { ([first] + (second.map { [$0] } ?? [])).map(Self.salt) }

        private static func salt(_ input: [UInt8]) -> [UInt8] {
            Digest.sha256(Array("WebAuthn PRF".utf8) + [0] + input)
        }
    }

    let eval: Inputs?
    let evalByCredential: [[UInt8]: Inputs]

    /// Processing at registration.
    ///
    /// - Returns: nil when the extension is not asked for.
    init?(registering extensions: JSONValue?) throws {
        guard let asked = try Self.asked(extensions) else { return nil }
        // Step 1.
        guard asked["evalByCredential"] == nil else {
            throw SoftwareAuthenticatorError(
                .notSupported,
                "“prf.evalByCredential” is for logins: at registration no credential is there yet")
        }
        (eval, evalByCredential) = (try Self.inputs(asked["eval"], "prf.eval"), [:])
    }

    /// Processing at authentication.
    ///
    /// - Parameter allowed: the ids of the credentials that are allowed.
    init?(authenticating extensions: JSONValue?, _ allowed: [[UInt8]]) throws {
        guard let asked = try Self.asked(extensions) else { return nil }
        guard let named = (asked["evalByCredential"] ?? [:]).object else {
            throw SoftwareAuthenticatorError(.type, "“prf.evalByCredential” is not an object")
        }
        // Step 1.
        guard named.isEmpty || !allowed.isEmpty else {
            throw SoftwareAuthenticatorError(
                .notSupported, "“prf.evalByCredential” needs “allowCredentials”, which is empty")
        }
        // Step 2.
        let known = Set(allowed)
        let pairs = try named.sorted { $0.key < $1.key }.map { name, value in
            guard !name.isEmpty, let id = Base64URL.decode(name), known.contains(id) else {
                throw SoftwareAuthenticatorError(
                    .syntax,
                    "the member “\(name.shortened)” of “prf.evalByCredential” is not an id in “allowCredentials”"
                )
            }
            return (id, try Self.inputs(value, "prf.evalByCredential"))
        }
        eval = try Self.inputs(asked["eval"], "prf.eval")
        evalByCredential = Dictionary(pairs) { first, _ in first }.compactMapValues(\.self)
    }

    private static func asked(_ extensions: JSONValue?) throws -> JSONValue? {
        guard let asked = extensions?["prf"] else { return nil }
        guard asked.object != nil else {
            throw SoftwareAuthenticatorError(.type, "“extensions.prf” is not an object")
        }
        return asked
    }

    private static func inputs(_ value: JSONValue?, _ path: String) throws -> Inputs? {
        guard let value else { return nil }
        func bytes(_ name: String) throws -> [UInt8] {
            try SoftwareAuthenticator.bytes(value, name, in: path + ".")
        }
        return Inputs(first: try bytes("first"), second: value["second"] == nil ? nil : try bytes("second"))
    }
}
