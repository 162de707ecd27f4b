package import Crypto

/// A client and authenticator in software: it takes the options in JSON that a page would give to the browser, and returns the
/// credential in JSON that the page would get from it. Source: Web Authentication Level 3 §5.1.3, §5.1.4, §6.3.2,
/// §6.3.3, §8, and §10.1.3 to §10.1.5.
///
/// A value without time or chance of its own; whoever keeps it keeps its credentials. Credentials are always discoverable and always
/// sent with the user handle, as phones have it.
package struct SoftwareAuthenticator: Sendable {
    /// Where chance comes from.
    package struct Entropy: Sendable {
        /// That many bytes.
        let bytes: @Sendable (Int) throws -> [UInt8]
        /// A key of RSA with 2,048 bits; see ``init(bytes:rsaKey:)``.
        let rsaKey: @Sendable () throws -> PrivateKey

        /// - Parameter rsaKey: OpenSSL's own chance when left out, which no seed repeats; so are ECDSA signatures in any case.
        package init(
            bytes: @escaping @Sendable (Int) throws -> [UInt8],
            rsaKey: @escaping @Sendable () throws -> PrivateKey = { try .generate(.rsa(bits: 2048)) }
        ) {
            (self.bytes, self.rsaKey) = (bytes, rsaKey)
        }
    }

    package var behaviour: SoftwareBehaviour
    package var credentials: [SoftwareCredential]
    let entropy: Entropy

    package init(_ behaviour: SoftwareBehaviour, credentials: [SoftwareCredential] = [], entropy: Entropy) {
        (self.behaviour, self.credentials, self.entropy) = (behaviour, credentials, entropy)
    }
}
