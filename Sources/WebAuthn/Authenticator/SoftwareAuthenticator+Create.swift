import Crypto
import Essentials

extension SoftwareAuthenticator {
    /// `navigator.credentials.create()`
    ///
    /// - Parameter json: `PublicKeyCredentialCreationOptionsJSON`, by itself or inside of `publicKey`.
    /// - Returns: `RegistrationResponseJSON`
    /// - Throws: ``SoftwareAuthenticatorError``
    package mutating func create(_ json: [UInt8]) throws -> [UInt8] {
        let options = try Self.options(json)
        let extensions = try RegistrationExtensions(options["extensions"])
        let id = try relyingPartyID(options["rp"]?["id"]?.string)
        let algorithm = try algorithm(options)
        try check(extensions)
        for excluded in try Self.identifiers(options["excludeCredentials"]) {
            guard !credentials.contains(where: { $0.id == excluded && $0.relyingPartyID == id }) else {
                throw SoftwareAuthenticatorError(
                    .invalidState,
                    "the excluded credential \(Base64URL.encode(excluded)) is in this authenticator")
            }
        }
        let userHandle = try Self.bytes(options["user"], "id")
        let challenge = try Self.bytes(options, "challenge")
        var credential = SoftwareCredential(
            id: try entropy.bytes(32), relyingPartyID: id, userHandle: userHandle,
            userName: options["user"]?["name"]?.string ?? "", algorithm: algorithm,
            key: try makeKey(algorithm), signCount: behaviour.counter == .zero ? 0 : 1)
        let outputs = try outputs(extensions, &credential)
        let response = try response(
            credential, clientData(.registration, challenge), options, outputs.authenticator)
        // §6.3.2: an account has one discoverable credential for each relying party.
        credentials.removeAll { $0.relyingPartyID == id && $0.userHandle == userHandle }
        credentials.append(credential)
        return Self.credential(credential.id, response, .object(outputs.client)).bytes
    }

    /// The first of the options' algorithms that is known.
    private func algorithm(_ options: JSONValue) throws -> COSEAlgorithm {
        guard let list = options["pubKeyCredParams"]?.array else {
            throw SoftwareAuthenticatorError(.type, "“pubKeyCredParams” is missing in the options")
        }
        let numbers = list.compactMap { $0["type"]?.string == "public-key" ? $0["alg"]?.integer : nil }
        // §5.1.3 step 10: an empty list stands for these two.
        let wanted = list.isEmpty ? [COSEAlgorithm.es256, .rs256] : numbers.compactMap(COSEAlgorithm.init)
        guard let algorithm = wanted.first(where: behaviour.knownAlgorithms.contains) else {
            let known = behaviour.knownAlgorithms.map { COSEAlgorithm.summary($0.rawValue) }
            throw SoftwareAuthenticatorError(
                .notSupported,
                "none of the algorithms is known: \(numbers.map(String.init).joined(separator: ", ")); "
                    + "the authenticator has " + (known.isEmpty ? "none" : known.joined(separator: ", ")))
        }
        return algorithm
    }

    private func response(
        _ credential: SoftwareCredential, _ clientData: [UInt8], _ options: JSONValue,
        _ extensions: [CBOREntry]
    ) throws -> JSONValue {
        let key = try COSEKey(credential.key.publicKey, credential.algorithm)
        let data = AuthenticatorData.encode(
            rpIDHash: Digest.sha256(Array((behaviour.relyingPartyID ?? credential.relyingPartyID).utf8)),
            flags: flags.union(.attestedCredential), signCount: credential.signCount,
            credential: (behaviour.aaguid, credential.id, key.bytes), extensions: extensions)
        let attestation = behaviour.attestation ?? Self.attestation(options)
        let (format, statement) = try statement(attestation, credential, over: data, clientData)
        let object = AttestationObject(format: format.rawValue, statement: statement, authenticatorData: data)
        return [
            "clientDataJSON": Self.text(clientData), "attestationObject": Self.text(object.encoded),
            "authenticatorData": Self.text(data), "publicKey": Self.text(try credential.key.publicKey.der()),
            "publicKeyAlgorithm": .integer(credential.algorithm.rawValue),
            "transports": JSONValue(behaviour.transports),
        ]
    }

    private static func attestation(_ options: JSONValue) -> SoftwareBehaviour.Attestation {
        ["direct", "indirect", "enterprise"].contains(options["attestation"]?.string ?? "none")
            ? .packedSelf : .none
    }

    /// Source: Web Authentication Level 3 §8.
    private func statement(
        _ attestation: SoftwareBehaviour.Attestation, _ credential: SoftwareCredential, over data: [UInt8],
        _ clientData: [UInt8]
    ) throws -> (AttestationFormat, CBOR) {
        let clientDataHash = Digest.sha256(clientData)
        func writer(_ authority: AttestationAuthority) throws -> AttestationWriter {
            let data = try AuthenticatorData(data)
            guard let attested = data.credential else {
                throw SoftwareAuthenticatorError(.notAllowed, "there is no credential to attest")
            }
            let subject = AttestationSubject(
                data: data, credential: attested, clientData: clientData, clientDataHash: clientDataHash)
            return AttestationWriter(
                authenticator: self, authority: authority, subject: subject, credential: credential)
        }
        switch attestation {
        case .none: return (.none, .map([]))
        case .packedSelf:
            let signature = try sign(data + clientDataHash, credential.key, credential.algorithm)
            return (
                .packed,
                .map([
                    AttestationWriter.algorithm(credential.algorithm),
                    CBOREntry(.text("sig"), .bytes(signature)),
                ])
            )
        case .packed(let authority): return (.packed, try writer(authority).packed())
        case .fidoU2F(let authority): return (.fidoU2F, try writer(authority).fidoU2F())
        case .tpm(let authority): return (.tpm, try writer(authority).tpm())
        case .androidKey(let authority): return (.androidKey, try writer(authority).androidKey())
        case .apple(let authority): return (.apple, try writer(authority).apple())
        }
    }
}
