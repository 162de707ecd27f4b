import Crypto
import Essentials

extension SoftwareAuthenticator {
    /// `navigator.credentials.get()`
    ///
    /// - Parameters:
    ///   - json: `PublicKeyCredentialRequestOptionsJSON`, by itself or inside of `publicKey`.
    ///   - credentialID: the one to take, where several would do; the newest when left out.
    /// - Returns: `AuthenticationResponseJSON`
    /// - Throws: ``SoftwareAuthenticatorError``
    package mutating func get(_ json: [UInt8], credentialID: [UInt8]? = nil) throws -> [UInt8] {
        let options = try Self.options(json)
        let id = try relyingPartyID(options["rpId"]?.string)
        let challenge = try Self.bytes(options, "challenge")
        let allowed = try Self.identifiers(options["allowCredentials"])
        let extensions = try AuthenticationExtensions(options["extensions"], allowed: allowed)
        let place = credentials.lastIndex { credential in
            credential.relyingPartyID == id && (allowed.isEmpty || allowed.contains(credential.id))
                && (credentialID.map { $0 == credential.id } ?? true)
        }
        guard let place else {
            let which = allowed.isEmpty ? "" : ", or none of the \(allowed.count) that are allowed"
            throw SoftwareAuthenticatorError(.notAllowed, "no credential for “\(id)” is here\(which)")
        }
        var credential = credentials[place]
        credential.signCount = next(after: credential.signCount)
        let outputs = try outputs(extensions, &credential)
        credentials[place] = credential
        let response = try response(
            credential, clientData(.authentication, challenge), outputs.authenticator)
        return Self.credential(credential.id, response, .object(outputs.client)).bytes
    }

    private func next(after count: UInt32) -> UInt32 {
        switch behaviour.counter {
        case .zero: 0
        case .increasing: count &+ 1
        case .backwards: count > 1 ? count - 1 : 1
        }
    }

    private func response(
        _ credential: SoftwareCredential, _ clientData: [UInt8], _ extensions: [CBOREntry]
    ) throws -> JSONValue {
        let data = AuthenticatorData.encode(
            rpIDHash: Digest.sha256(Array((behaviour.relyingPartyID ?? credential.relyingPartyID).utf8)),
            flags: flags, signCount: credential.signCount, extensions: extensions)
        let signature = try sign(
            data + Digest.sha256(clientData), credential.key, credential.algorithm)
        var members: [String: JSONValue] = [
            "clientDataJSON": Self.text(clientData), "authenticatorData": Self.text(data),
            "signature": Self.text(signature),
        ]
        members["userHandle"] = shown(behaviour.userHandle ?? credential.userHandle)
        return .object(members)
    }

    private func shown(_ handle: [UInt8]) -> JSONValue? {
        guard !handle.isEmpty else { return nil }
        return switch behaviour.userHandleForm {
        case .base64url: Self.text(handle)
        case .text: String(validating: handle, as: UTF8.self).map(JSONValue.string)
        case .absent: nil
        }
    }
}
