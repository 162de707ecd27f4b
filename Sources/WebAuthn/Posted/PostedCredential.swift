import Crypto
package import Essentials

/// A credential as a client posted it: read as servers do that use the library go-webauthn, and nothing verified yet.
///
/// Members may be written in any case, `transports` may stand beside `response` instead of in it, and binary members may carry
/// padding, `id` excepted.
package struct PostedCredential: Sendable, Equatable {
    package let ceremony: Ceremony
    /// The credential in the spelling of the standard, for verification.
    package let value: JSONValue
    /// What client data answers; nil when it is no base64url.
    package let challenge: [UInt8]?
    /// Nil in a registration, and where there is none.
    package let userHandle: [UInt8]?
    /// What was let pass so far.
    package let warnings: [WebAuthnRefusal]
    /// What is wrong with `tokenBinding`, which the standard has no longer and the library still looks at.
    package let tokenBindingRefusal: WebAuthnRefusal?

    /// - Throws: ``PostedCredentialFault``.
    package init(_ posted: JSONValue, _ ceremony: Ceremony) throws {
        var members = try PostedMembers(posted, ceremony)
        let clientData: ClientData
        do {
            clientData = try ClientData(members.bytes("clientDataJSON"))
        } catch let error as ClientDataError {
            throw PostedCredentialFault(
                .clientData, "“clientDataJSON” should say type, challenge and origin; it is \(error.got)")
        }
        tokenBindingRefusal = try clientData.tokenBindingRefusal(ceremony)
        switch ceremony {
        case .registration: try members.checkAttestationObject()
        case .authentication: try members.checkAuthenticatorData()
        }
        self.ceremony = ceremony
        value = members.value
        challenge = Base64URL.decode(clientData.challenge, allowingPadding: true)
        let handle = try members.bytes("userHandle")
        userHandle = handle.isEmpty || ceremony == .registration ? nil : handle
        warnings = members.warnings
    }
}

extension ClientData {
    /// An object with one of three states, where there is one. Source: Web Authentication Level 2 §5.8.1.
    fileprivate func tokenBindingRefusal(_ ceremony: Ceremony) throws -> WebAuthnRefusal? {
        guard let binding = tokenBinding, !binding.isNull else { return nil }
        guard binding.object != nil else {
            throw PostedCredentialFault(
                .clientData, "“tokenBinding” should be an object; it is \(binding.text.prefix(100))")
        }
        let states = ["present", "supported", "not-supported"]
        if let status = binding["status"]?.string, states.contains(status) { return nil }
        return WebAuthnRefusal(
            .clientData, ceremony == .registration ? "§7.1 step 6" : "§7.2 step 10",
            expected: "a tokenBinding with the status " + states.joined(separator: ", "),
            got: String(binding.text.prefix(100)))
    }
}

/// The members of a posted credential, under the names of the standard.
private struct PostedMembers {
    private static let binaries = [
        "clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle",
    ]

    private let ceremony: Ceremony
    private var outer: [String: JSONValue] = ["type": "public-key"]
    private var response: [String: JSONValue] = [:]
    private(set) var warnings: [WebAuthnRefusal] = []

    var value: JSONValue { .object(outer.merging(["response": .object(response)]) { _, last in last }) }

    init(_ posted: JSONValue, _ ceremony: Ceremony) throws {
        self.ceremony = ceremony
        guard posted.object != nil else { throw PostedCredentialFault(.json, "the body is not an object") }
        outer["id"] = .string(try Self.id(posted))
        guard posted.member("type")?.string == "public-key" else {
            throw PostedCredentialFault(
                .type, "“type” should be “public-key”; it is \(posted.member("type")?.text ?? "missing")")
        }
        // They look credentials up by rawId, so in a login it must not be made up from the id.
        outer["rawId"] = try Self.binary(posted, "rawId") ?? (ceremony == .registration ? nil : "")
        let inner = posted.member("response") ?? .null
        for name in Self.binaries { response[name] = try Self.binary(inner, name) }
        if let transports = inner.member("transports") ?? posted.member("transports") {
            response["transports"] = transports
        }
    }

    private static func id(_ posted: JSONValue) throws -> String {
        guard let id = posted.member("id")?.string, !id.isEmpty else {
            throw PostedCredentialFault(.idMissing, "“id” is missing")
        }
        guard Base64URL.decode(id) != nil else {
            throw PostedCredentialFault(
                .idEncoding, "“id” should be base64url without padding; it is “\(id.prefix(100))”")
        }
        return id
    }

    /// A binary member without padding; nil when it is missing, null or empty.
    private static func binary(_ value: JSONValue, _ name: String) throws -> JSONValue? {
        guard let member = value.member(name), !member.isNull, member != "" else { return nil }
        guard let text = member.string, let bytes = Base64URL.decode(text, allowingPadding: true) else {
            throw PostedCredentialFault(
                .json, "“\(name)” should be base64url; it is \(member.text.prefix(100))")
        }
        return .string(Base64URL.encode(bytes))
    }

    /// Empty for a member that is missing.
    func bytes(_ name: String) throws -> [UInt8] {
        response[name]?.string.flatMap { Base64URL.decode($0) } ?? []
    }

    /// That it can be read; bytes behind it are cut off, which they do not notice.
    mutating func checkAttestationObject() throws {
        let bytes = try bytes("attestationObject")
        do {
            let count = try CBORDecoder.first(in: bytes[...]).count
            if count < bytes.count { cut(bytes, to: count) }
            let object = try AttestationObject(Array(bytes.prefix(count)))
            let data = try AuthenticatorData(object.authenticatorData)
            guard data.credential != nil else {
                throw PostedCredentialFault(
                    .attestationObject,
                    "the authenticator data holds no credential: its flags are \(data.flags)")
            }
        } catch let error as AuthenticatorDataError where error.part == .publicKey {
            // A key that cannot be read is a matter of verification.
        } catch let error as AuthenticatorDataError {
            throw PostedCredentialFault(
                .attestationObject,
                "the authenticator data should have \(error.expected); it has \(error.got)")
        } catch let error as CBORError {
            throw PostedCredentialFault(
                .attestationObject, "“attestationObject” should be CBOR, but \(error)")
        } catch let error as AttestationObjectError {
            throw PostedCredentialFault(
                .attestationObject,
                "“attestationObject” should have fmt, attStmt and authData; it is \(error.got)")
        }
    }

    private mutating func cut(_ bytes: [UInt8], to count: Int) {
        response["attestationObject"] = .string(Base64URL.encode(Array(bytes.prefix(count))))
        warnings.append(
            WebAuthnRefusal(
                .attestationObject, "§7.1 step 13", expected: "nothing after the attestation object",
                got: "\(bytes.count - count) more bytes"))
    }

    func checkAuthenticatorData() throws {
        do {
            _ = try AuthenticatorData(bytes("authenticatorData"))
        } catch let error as AuthenticatorDataError {
            throw PostedCredentialFault(
                .authenticatorData,
                "the authenticator data should have \(error.expected); it has \(error.got)")
        }
    }
}

/// Why a posted credential cannot be read.
package struct PostedCredentialFault: Error, Sendable, Equatable {
    /// What cannot be.
    package enum Part: Sendable, Equatable, CaseIterable {
        case json, idMissing, idEncoding, type, clientData, attestationObject, authenticatorData
    }

    package let part: Part
    /// A clause: what was expected and what came.
    package let reason: String

    package init(_ part: Part, _ reason: String) { (self.part, self.reason) = (part, reason) }
}

extension JSONValue {
    /// The member `name`, also when the client wrote it in other case: `clientDataJson`. The exact spelling wins.
    ///
    /// Source: Go's package encoding/json, with which such servers read.
    package func member(_ name: String) -> JSONValue? {
        guard let object else { return nil }
        if let exact = object[name] { return exact }
        let wanted = name.asciiLowercased
        return object.filter { $0.key.asciiLowercased == wanted }.min { $0.key < $1.key }?.value
    }
}

extension PostedCredential {
    /// What was kept under the challenge that the response answers.
    ///
    /// - Parameter find: what is kept under a challenge, in base64url; nil for nothing.
    /// - Throws: ``ChallengeUnknown``.
    package func answered<Kept>(_ find: (String) throws -> Kept?) throws -> Kept {
        let text = challenge.map(Base64URL.encode) ?? ""
        if let kept = try find(text) { return kept }
        let meant = try challenge?.decodings.first { try find(Base64URL.encode($0.bytes)) != nil }
        throw ChallengeUnknown(challenge: text, encodedTwice: meant?.encoding)
    }
}

/// Nothing is kept under the challenge that a response answers.
package struct ChallengeUnknown: Error, Sendable, Equatable {
    /// Base64url; empty where client data has none.
    package let challenge: String
    /// The encoding, such as `base64url`, that a client applied once too often to a challenge that is kept.
    package let encodedTwice: String?
}
