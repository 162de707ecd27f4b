import COpenSSL
import Essentials

/// A certificate and its key, as a server shows them.
///
/// Unchecked: neither is changed after `init`; OpenSSL counts who uses them.
package final class TLSIdentity: @unchecked Sendable {
    fileprivate let certificate: OpaquePointer
    fileprivate let key: OpaquePointer

    /// - Parameters:
    ///   - certificate: DER.
    ///   - key: its key, PEM without a password.
    package init(certificate: [UInt8], key: String) throws {
        let leaf = certificate.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return d2i_X509(nil, &start, bytes.count)
        }
        guard let leaf else { throw SocketError(openSSL: "no certificate", call: "d2i_X509") }
        let text = Array(key.utf8)
        let bio = crypto_bio_of(text, Int32(clamping: text.count))
        defer { BIO_free(bio) }
        guard let secret = PEM_read_bio_PrivateKey(bio, nil, nil, nil) else {
            X509_free(leaf)
            throw SocketError(openSSL: "no key", call: "PEM_read_bio_PrivateKey")
        }
        (self.certificate, self.key) = (leaf, secret)
    }

    deinit {
        X509_free(certificate)
        EVP_PKEY_free(key)
    }
}

/// What a client has said before it is shown a certificate.
package struct TLSGreeting: Sendable, Equatable {
    /// The host name that it asks for, lower case; nil for one that asks for none, as for a numeric address. Source: RFC 6066 §3.
    package let name: String?
    /// Numeric address of ours that it reached; nil at a Unix socket.
    package let address: String?

    package init(name: String?, address: String?) { (self.name, self.address) = (name, address) }
}

/// What OpenSSL gets hold of to ask for an identity.
final class TLSChooser: Sendable {
    let choose: @Sendable (TLSGreeting) -> TLSIdentity?

    init(_ choose: @escaping @Sendable (TLSGreeting) -> TLSIdentity?) { self.choose = choose }
}

/// Answers OpenSSL's question for a certificate, in the middle of a handshake: 1 goes on, 0 ends it with an alert.
let showIdentity: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32 = { session, argument in
    guard let session, let argument else { return 0 }
    let chooser = Unmanaged<TLSChooser>.fromOpaque(argument).takeUnretainedValue()
    let name = SSL_get_servername(session, TLSEXT_NAMETYPE_host_name).map {
        String(cString: $0).asciiLowercased
    }
    let own = Socket(descriptor: SSL_get_fd(session)).localAddress
    guard let identity = chooser.choose(TLSGreeting(name: name, address: own)) else { return 0 }
    return SSL_use_certificate(session, identity.certificate) == 1
        && SSL_use_PrivateKey(session, identity.key) == 1 ? 1 : 0
}
