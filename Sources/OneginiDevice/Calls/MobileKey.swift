import Crypto
import DeviceKit
package import Essentials

/// The key pair of an enrolment with OpenPGP, for who carries the messages of a device itself.
package struct MobileKey: Sendable {
    private let key: PGPKey

    /// A new one of RSA, which takes some 200 ms.
    ///
    /// - Parameter seconds: since 1970, of the server's clock.
    package init(at seconds: Int) throws {
        // A key from the future is no good, and clocks differ.
        key = PGPKey(pem: try PrivateKey.generate(.rsa(bits: 2048)).pem(), createdAt: seconds - 10)
    }

    /// In armor.
    package func certificate() throws -> String { try key.certificate() }

    /// What the server asks.
    ///
    /// - Parameter message: as it came, in Base64.
    package func question(_ message: String) throws -> JSONValue {
        guard let bytes = Base64.decode(message) else { throw DeviceError("the message is not Base64") }
        return try JSONValue(parsing: PGPMessage.decrypt(bytes, with: key))
    }

    /// An answer as it is sent.
    ///
    /// - Parameters:
    ///   - serverKey: the server's certificate in armor.
    ///   - draw: that many bytes that nobody can guess.
    package func message(
        _ answer: JSONValue, to serverKey: String, at seconds: Int, drawnFrom draw: (Int) -> [UInt8]
    ) throws -> String {
        Base64.encode(
            try PGPMessage.encrypt(
                answer.bytes, to: PGPCertificate(serverKey), signer: nil, at: seconds, draw: draw))
    }

    /// Of data that the server wants signed, in Base64.
    package func signature(of data: String) throws -> String {
        Base64.encode(try key.secret().sign(Array(data.utf8), with: .rs256))
    }
}

extension OneginiDevice {
    /// The response to the challenge of a registration: 8 digits.
    ///
    /// - Parameters:
    ///   - signature: of the application.
    ///   - challenge: in hexadecimal.
    ///   - seconds: since 1970.
    package static func response(
        signature: String, challenge: String, seconds: Int
    ) throws -> String {
        try DeviceSecrets.response(signature: signature, challenge: challenge, seconds: seconds)
    }
}
