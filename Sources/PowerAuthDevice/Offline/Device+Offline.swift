import Crypto
import DeviceKit

extension Device {
    /// Reads a QR code and checks its signature.
    ///
    /// - Throws: ``DeviceError`` when the code is malformed or not signed by the server.
    package func offlineOperation(_ text: String) throws -> OfflineOperation {
        let operation = try OfflineOperation(parsing: text)
        let server = try activation.map { try PublicKey(x962: $0.serverKey) }
        guard operation.isSigned(master: configuration.masterKey, server: server) else {
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

    /// Whether data carries a signature of the server, in DER.
    package func isSignedByServer(
        _ data: [UInt8], _ signature: [UInt8], by signer: OfflineOperation.Signer
    ) throws -> Bool {
        let key =
            switch signer {
            case .application: configuration.masterKey
            case .activation: try PublicKey(x962: requireActivation().serverKey)
            }
        return CurveKey.isValid(signature, for: data, key)
    }
}
