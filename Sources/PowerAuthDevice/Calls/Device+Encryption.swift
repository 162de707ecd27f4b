import Crypto
import DeviceKit
import Essentials

extension Device {
    /// How an encrypted request is signed, if at all.
    package enum Signing: Sendable {
        case none
        /// The transmitted bytes are signed.
        case transmitted(uriID: String, Credential)
        /// The plaintext is signed, and then encrypted.
        case plaintext(uriID: String, Credential)
    }

    /// Sends the plaintext encrypted and answers with that of the response.
    ///
    /// - Parameter headers: beside those of the encryption and the signature.
    package func encryptedCall(
        _ path: String, _ plaintext: [UInt8], _ purpose: Purpose, signing: Signing = .none,
        headers: [(name: String, value: String)] = []
    ) throws -> [UInt8] {
        let plaintext = try changed(plaintext, purpose)
        var headers = headers
        if case .plaintext(let uriID, let credential) = signing {
            headers.append(
                (
                    "X-PowerAuth-Authorization",
                    try authorization(uriID: uriID, body: plaintext, with: credential)
                ))
        }
        let exchange = try seal(plaintext, purpose, breaksMAC: faults.breaksMAC)
        let body = style.json(exchange.request)
        switch signing {
        case .transmitted(let uriID, let credential):
            headers.append(
                ("X-PowerAuth-Authorization", try authorization(uriID: uriID, body: body, with: credential)))
        case .none: headers.append(("X-PowerAuth-Encryption", try encryptionHeader(purpose.scope)))
        case .plaintext: break
        }
        return try exchange.open(Self.success(send(DeviceRequest(path, headers: headers, body: body))))
    }

    /// With the mistake that the device is to make.
    func changed(_ plaintext: [UInt8], _ purpose: Purpose) throws -> [UInt8] {
        try faults.plaintext?(purpose, plaintext) ?? plaintext
    }

    func encryptionHeader(_ scope: Scope) throws -> String {
        var members = [("version", spokenVersion), ("application_key", configuration.applicationKey)]
        if scope == .activation { members.append(("activation_id", try requireActivation().id)) }
        return header(members, isEncryption: true)
    }

    func seal(
        _ plaintext: [UInt8], _ purpose: Purpose, breaksMAC: Bool = false
    ) throws -> any Exchange {
        try isOfFourth
            ? seal4(plaintext, purpose, breaksMAC: breaksMAC)
            : seal3(plaintext, purpose, breaksMAC: breaksMAC)
    }

    private func seal3(
        _ plaintext: [UInt8], _ purpose: Purpose, breaksMAC: Bool
    ) throws -> EnvelopeExchange {
        if version == .v32, clockOffset == nil { _ = try serverStatus() }
        let temporary = version == .v33 ? try temporaryKey(purpose.scope) : nil
        let ephemeral = try CurveKey.generate(draw)
        let point = try ephemeral.publicKey.x962(compressed: style.compressesPoints)
        let recipient = try temporary?.point() ?? permanentKey(purpose.scope)
        let envelope = Envelope(
            keys: try EnvelopeKeys(
                secret: ephemeral.sharedSecret(with: recipient), purpose, ephemeral: point, version),
            context: try context(purpose.scope, temporary), ephemeral: point)
        let nonce = draw(16)
        var request = try envelope.seal(plaintext, nonce: nonce, timestamp: now + faults.timeShift)
        if breaksMAC { request.mac[0] ^= 1 }
        if let id = faults.temporaryKeyID { request.temporaryKeyID = id.isEmpty ? nil : id }
        return EnvelopeExchange(envelope: envelope, nonce: nonce, message: request)
    }

    private func permanentKey(_ scope: Scope) throws -> PublicKey {
        switch scope {
        case .application: configuration.masterKey
        case .activation: try PublicKey(x962: requireActivation().ofThird().serverKey)
        }
    }

    private func context(_ scope: Scope, _ temporary: TemporaryKey?) throws -> EnvelopeContext {
        var context = EnvelopeContext(
            version: version, applicationKey: configuration.applicationKey,
            applicationSecret: configuration.applicationSecret, temporaryKeyID: temporary?.id)
        if scope == .activation {
            let activation = try requireActivation()
            context.activation = (activation.id, try activation.ofThird().transportKey)
        }
        return context
    }
}
