import Crypto
import Essentials

/// What the extensions of a ceremony give.
struct ExtensionOutputs {
    /// `clientExtensionResults`
    var client: [String: JSONValue] = [:]
    /// What stands in authenticator data.
    var authenticator: [CBOREntry] = []
}

extension SoftwareAuthenticator {
    /// What a page asks for when it registers; what the client refuses is refused before a credential is made.
    struct RegistrationExtensions {
        let wantsProperties: Bool
        let prf: PRFRequest?
        let largeBlob: LargeBlobRequest?

        init(_ extensions: JSONValue?) throws {
            wantsProperties = extensions?["credProps"]?.boolean == true
            prf = try PRFRequest(registering: extensions)
            largeBlob = try LargeBlobRequest(registering: extensions)
        }
    }

    struct AuthenticationExtensions {
        let prf: PRFRequest?
        let largeBlob: LargeBlobRequest?

        init(_ extensions: JSONValue?, allowed: [[UInt8]]) throws {
            prf = try PRFRequest(authenticating: extensions, allowed)
            largeBlob = try LargeBlobRequest(authenticating: extensions, allowed)
        }
    }

    /// Keys of U2F know no extensions.
    private var knowsExtensions: Bool { if case .fidoU2F = behaviour.attestation { false } else { true } }
    private var hasPRF: Bool { knowsExtensions && behaviour.prf != .none }
    private var hasLargeBlob: Bool { knowsExtensions && behaviour.largeBlob }

    /// Whether the page can have its credential here.
    func check(_ asked: RegistrationExtensions) throws {
        guard asked.largeBlob != .support(isRequired: true) || hasLargeBlob else {
            throw SoftwareAuthenticatorError(
                .notSupported, "large blobs are required, and the authenticator keeps none")
        }
    }

    func outputs(
        _ asked: RegistrationExtensions, _ credential: inout SoftwareCredential
    ) throws -> ExtensionOutputs {
        var outputs = ExtensionOutputs()
        if asked.wantsProperties { outputs.client["credProps"] = ["rk": true] }
        if asked.largeBlob != nil {
            credential.keepsLargeBlob = hasLargeBlob
            outputs.client["largeBlob"] = ["supported": .boolean(hasLargeBlob)]
        }
        guard let prf = asked.prf else { return outputs }
        guard hasPRF else {
            outputs.client["prf"] = ["enabled": false]
            return outputs
        }
        credential.credRandom = try entropy.bytes(32)
        outputs.authenticator.append(CBOREntry(.text("hmac-secret"), .boolean(true)))
        var output: [String: JSONValue] = ["enabled": true]
        if behaviour.prf == .create {
            // FIDO CTAP 2.2, `hmac-secret-mc`: the salts come with the registration already.
            output["results"] = try evaluate(prf.eval, credential, &outputs, "hmac-secret-mc")
        }
        outputs.client["prf"] = .object(output)
        return outputs
    }

    func outputs(
        _ asked: AuthenticationExtensions, _ credential: inout SoftwareCredential
    ) throws -> ExtensionOutputs {
        var outputs = ExtensionOutputs()
        if let prf = asked.prf {
            let inputs = prf.evalByCredential[credential.id] ?? prf.eval
            let results = hasPRF ? try evaluate(inputs, credential, &outputs, "hmac-secret") : nil
            outputs.client["prf"] = .object(results.map { ["results": $0] } ?? [:])
        }
        let keeps = hasLargeBlob && credential.keepsLargeBlob
        switch asked.largeBlob {
        case .read:
            let blob = keeps ? credential.largeBlob : nil
            outputs.client["largeBlob"] = .object(blob.map { ["blob": Self.text($0)] } ?? [:])
        case .write(let blob):
            let hasRoom = keeps && blob.count <= WebAuthnLimits.largeBlob
            if hasRoom { credential.largeBlob = blob }
            outputs.client["largeBlob"] = ["written": .boolean(hasRoom)]
        case .nothing, .support, nil: break
        }
        return outputs
    }

    /// The PRF is that of verified users, so without verification there is none.
    ///
    /// - Parameter name: under which the authenticator writes the results, encrypted.
    private func evaluate(
        _ inputs: PRFRequest.Inputs?, _ credential: SoftwareCredential, _ outputs: inout ExtensionOutputs,
        _ name: String
    ) throws -> JSONValue? {
        guard let inputs, let credRandom = credential.credRandom, behaviour.isUserVerified else { return nil }
        let results = HMACSecret(credRandom: credRandom).outputs(inputs.salts)
        let (client, authenticator) = (try makeKey(.es256), try makeKey(.es256))
        let channel = try PINProtocolTwo(client, authenticator.publicKey)
        let encrypted = try channel.encrypt(Array(results.joined()), iv: entropy.bytes(16))
        outputs.authenticator.append(CBOREntry(.text(name), .bytes(encrypted)))
        return .object(
            Dictionary(uniqueKeysWithValues: zip(["first", "second"], results.map(Self.text))))
    }
}
