import COpenSSL

/// The settings that many TLS sessions share: TLS 1.2 or newer, and either a certificate to show or authorities to
/// trust.
///
/// Unchecked: an `SSL_CTX` is counted and locked by OpenSSL, and none of its settings changes after `init`.
package final class TLSContext: @unchecked Sendable {
    let handle: OpaquePointer
    let isServer: Bool
    let verifies: Bool
    /// Who chooses what a server shows; nil where it always shows the same.
    private let chooser: TLSChooser?

    /// What a server shows.
    ///
    /// - Parameters:
    ///   - certificate: path of a PEM file with the certificate and after it those of its issuers.
    ///   - key: path of a PEM file with the private key of the certificate.
    /// - Throws: ``SocketError`` that names the file, or says that the two do not belong together.
    package init(certificate: String, key: String) throws {
        handle = try Self.makeHandle(TLS_server_method())
        isServer = true
        verifies = false
        chooser = nil
        sockets_ctx_disable_session_cache(handle)
        ERR_clear_error()
        guard SSL_CTX_use_certificate_chain_file(handle, certificate) == 1 else {
            throw SocketError(
                openSSL: "the certificate \(certificate) cannot be used",
                call: "SSL_CTX_use_certificate_chain_file")
        }
        try use(key: key, of: certificate)
        SSL_CTX_set_alpn_select_cb(handle, chooseProtocol, nil)
    }

    /// A server that chooses for each client what to show it.
    ///
    /// - Parameter choose: nil ends the handshake with an alert. Called on the server's threads, with a connection locked.
    package init(choosing choose: @escaping @Sendable (TLSGreeting) -> TLSIdentity?) throws {
        handle = try Self.makeHandle(TLS_server_method())
        isServer = true
        verifies = false
        let chooser = TLSChooser(choose)
        self.chooser = chooser
        sockets_ctx_disable_session_cache(handle)
        SSL_CTX_set_cert_cb(handle, showIdentity, Unmanaged.passUnretained(chooser).toOpaque())
        SSL_CTX_set_alpn_select_cb(handle, chooseProtocol, nil)
    }

    /// What a client trusts: the system's authorities, and those in the PEM file at `authorities`, or in the text `pem`.
    ///
    /// - Parameter verifies: false takes any certificate, for talking to development servers.
    package init(verifies: Bool, authorities: String? = nil, pem: String? = nil) throws {
        handle = try Self.makeHandle(TLS_client_method())
        isServer = false
        self.verifies = verifies
        chooser = nil
        SSL_CTX_set_verify(handle, verifies ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nil)
        guard verifies else { return }
        _ = SSL_CTX_set_default_verify_paths(handle)
        ERR_clear_error()
        if let pem { try trust(pem) }
        guard let authorities else { return }
        guard SSL_CTX_load_verify_locations(handle, authorities, nil) == 1 else {
            throw SocketError(
                openSSL: "the authorities in \(authorities) cannot be used",
                call: "SSL_CTX_load_verify_locations")
        }
    }

    deinit { SSL_CTX_free(handle) }

    /// Certificates of the user's own need not be signed by themselves.
    private func trust(_ pem: String) throws {
        defer { ERR_clear_error() }
        let text = Array(pem.utf8)
        let bio = crypto_bio_of(text, Int32(clamping: text.count))
        defer { BIO_free(bio) }
        let store = SSL_CTX_get_cert_store(handle)
        var count = 0
        while let certificate = PEM_read_bio_X509(bio, nil, nil, nil) {
            X509_STORE_add_cert(store, certificate)
            X509_free(certificate)
            count += 1
        }
        guard count > 0 else {
            throw SocketError(openSSL: "no certificate among the authorities", call: "PEM_read_bio_X509")
        }
        X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
    }

    private func use(key: String, of certificate: String) throws {
        // A key of another certificate is refused by the first call when its kind is right, else by the second.
        if SSL_CTX_use_PrivateKey_file(handle, key, SSL_FILETYPE_PEM) != 1 {
            let isMismatch = ERR_peek_error() & 0x7F_FFFF == UInt(X509_R_KEY_VALUES_MISMATCH)
            throw SocketError(
                openSSL: isMismatch
                    ? "the key \(key) does not belong to the certificate \(certificate)"
                    : "the key \(key) cannot be used",
                call: "SSL_CTX_use_PrivateKey_file")
        }
        guard SSL_CTX_check_private_key(handle) == 1 else {
            throw SocketError(
                openSSL: "the key \(key) does not belong to the certificate \(certificate)",
                call: "SSL_CTX_check_private_key")
        }
    }

    private static func makeHandle(_ method: OpaquePointer?) throws -> OpaquePointer {
        System.ignoreBrokenPipes()
        guard let handle = SSL_CTX_new(method) else {
            throw SocketError(openSSL: "no TLS context", call: "SSL_CTX_new")
        }
        sockets_ctx_set_mode(
            handle,
            Int(
                SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS
            ))
        sockets_ctx_set_options(handle)
        // RFC 8996: TLS 1.0 and 1.1 are not to be used.
        guard sockets_ctx_set_min_proto_version(handle, TLS1_2_VERSION) == 1 else {
            SSL_CTX_free(handle)
            throw SocketError(openSSL: "no TLS 1.2", call: "SSL_CTX_set_min_proto_version")
        }
        return handle
    }
}

/// Takes `http/1.1` from the client's list and refuses a list without it. Source: RFC 7301 §3.2.
private func chooseProtocol(
    _: OpaquePointer?, chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    length: UnsafeMutablePointer<UInt8>?, offered: UnsafePointer<UInt8>?, offeredLength: UInt32,
    _: UnsafeMutableRawPointer?
) -> Int32 {
    let wanted: StaticString = "http/1.1"
    guard let offered else { return SSL_TLSEXT_ERR_NOACK }
    var index = 0
    while index < Int(offeredLength) {
        let count = Int(offered[index])
        let name = UnsafeBufferPointer(start: offered + index + 1, count: count)
        guard index + 1 + count <= Int(offeredLength) else { break }
        if name.elementsEqual(UnsafeBufferPointer(start: wanted.utf8Start, count: wanted.utf8CodeUnitCount)) {
            chosen?.pointee = offered + index + 1
            length?.pointee = offered[index]
            return SSL_TLSEXT_ERR_OK
        }
        index += 1 + count
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}

extension SocketError {
    /// Takes the oldest error that OpenSSL has queued on this thread, and empties the queue.
    init(openSSL message: String, call: String) {
        let code = ERR_get_error()
        ERR_clear_error()
        self.init(.tls, code: Int(bitPattern: code), message: message + Self.reason(of: code), call: call)
    }

    /// OpenSSL's words with a colon before them, or those of the system, whose errors have a bit of their own.
    private static func reason(of code: UInt) -> String {
        if code == 0 { return "" }
        let systemBit: UInt = 0x8000_0000
        return ": "
            + (code & systemBit == 0
                ? String(cString: sockets_reason(code)) : System.words(for: Int32(code & (systemBit - 1))))
    }
}
