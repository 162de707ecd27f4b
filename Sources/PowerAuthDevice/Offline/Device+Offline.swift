import Crypto
import DeviceKit

extension Device {
    /// Reads a QR code and checks its signature.
    ///
    /// - Throws: ``DeviceError`` when the code is malformed or not signed by the server.
    package func offlineOperation(_ text: String) throws -> OfflineOperation {
        let operation = try OfflineOperation(parsing: text)
        guard
            operation.signer == .application || activation != nil,
            try isSignedByServer(
                Array(operation.signedText.utf8), operation.signature, by: operation.signer)
        else {
            throw DeviceError("the signature of the QR code is wrong")
        }
        return operation
    }

    /// The code that the person types: a group of digits for each of the two factors; steps the counter.
    ///
    /// - Parameters:
    ///   - digits: of a group, 4 to 8.
    ///   - uriID: the agreed name, where the app has another one.
    package func offlineCode(
        for operation: OfflineOperation, with credential: Credential, digits: Int = 8,
        uriID: String = "/operation/authorize/offline"
    ) throws -> String {
        try offlineCode(
            body: operation.body, nonce: operation.nonce, with: credential, digits: digits, uriID: uriID)
    }

    /// The same for any data of which the app knows the nonce.
    package func offlineCode(
        body: [UInt8], nonce: String, with credential: Credential, digits: Int = 8,
        uriID: String = "/operation/authorize/offline"
    ) throws -> String {
        let data = AuthenticationCode.data(
            "POST", faults.uriID ?? uriID, nonce: nonce, body: body, secret: "offline")
        return AuthenticationCode.decimal(try components(of: data, with: credential), digits: digits)
    }

    /// Whether data carries a signature of the server, in DER, or a MAC of it.
    package func isSignedByServer(
        _ data: [UInt8], _ signature: [UInt8], by signer: OfflineOperation.Signer
    ) throws -> Bool {
        switch signer {
        case .application: return CurveKey.isValid(signature, for: data, try masterKey())
        case .activation: return CurveKey.isValid(signature, for: data, try serverKey(requireActivation()))
        case .shared:
            let key = try requireActivation().ofFourth().personalizedDataKey
            return try constantTimeEqual(Protocol4.code(key, data, "PA4MAC-QR"), signature)
        }
    }

    private func serverKey(_ activation: Activation) throws -> PublicKey {
        try PublicKey(activation.fourth == nil ? .p256 : .p384, x962: activation.serverKey)
    }

    /// Of the curve of the protocol that the device speaks.
    private func masterKey() throws -> PublicKey {
        guard isOfFourth else { return configuration.masterKey }
        return try configuration.masterKeys(of: activation?.algorithm ?? algorithm ?? .p384).point
    }
}
