import COpenSSL

/// TLS over one non-blocking socket, which the session uses but does not own.
///
/// Unchecked: an `SSL` serves one thread at a time; whoever shares a session between threads holds a lock around
/// every call, as the server's connection does.
package final class TLSSession: @unchecked Sendable {
    private let handle: OpaquePointer
    /// Lives as long as the session, which calls what it holds.
    private let context: TLSContext

    /// - Parameter host: for a client, the name or address that the server's certificate must bear.
    package init(_ context: TLSContext, over socket: Socket, host: String? = nil) throws {
        guard let handle = SSL_new(context.handle) else {
            throw SocketError(openSSL: "no TLS session", call: "SSL_new")
        }
        self.handle = handle
        self.context = context
        guard SSL_set_fd(handle, socket.descriptor) == 1 else {
            throw SocketError(openSSL: "no TLS session", call: "SSL_set_fd")
        }
        if context.isServer {
            SSL_set_accept_state(handle)
        } else {
            SSL_set_connect_state(handle)
            try expect(host ?? "", verifies: context.verifies)
        }
    }

    deinit { SSL_free(handle) }

    /// Goes on with the handshake; `.moved(0)` when it is complete.
    package func handshake() -> Transfer {
        ERR_clear_error()
        let outcome = SSL_do_handshake(handle)
        return outcome == 1 ? .moved(0) : transfer(after: outcome, call: "SSL_do_handshake")
    }

    package func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        ERR_clear_error()
        var count = 0
        let outcome = SSL_read_ex(handle, buffer.baseAddress, buffer.count, &count)
        return outcome == 1 ? .moved(count) : transfer(after: outcome, call: "SSL_read_ex")
    }

    package func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        guard !bytes.isEmpty else { return .moved(0) }
        ERR_clear_error()
        var count = 0
        let outcome = SSL_write_ex(handle, bytes.baseAddress, bytes.count, &count)
        return outcome == 1 ? .moved(count) : transfer(after: outcome, call: "SSL_write_ex")
    }

    /// Says that no more will come, as far as the socket takes it now.
    package func endWriting() {
        ERR_clear_error()
        guard SSL_is_init_finished(handle) == 1 else { return }
        _ = SSL_shutdown(handle)
        ERR_clear_error()
    }

    /// After `.mustWait`: whether the socket must become writable rather than readable.
    package var waitsToWrite: Bool { sockets_wants_write(handle) == 1 }

    /// Such as `TLSv1.3`.
    package var version: String { String(cString: SSL_get_version(handle)) }

    private func expect(_ host: String, verifies: Bool) throws {
        let isAddress = (try? SocketAddress(numeric: host)) != nil  // A name is no error here.
        if isAddress {
            _ = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(handle), host)
        } else {
            // RFC 6066 §3: names only, no addresses.
            guard sockets_set_server_name(handle, host) == 1, SSL_set1_host(handle, host) == 1 else {
                throw SocketError(openSSL: "\(host): not a host name", call: "SSL_set1_host")
            }
        }
        let protocols: [UInt8] = [8] + Array("http/1.1".utf8)
        _ = SSL_set_alpn_protos(handle, protocols, UInt32(protocols.count))
    }

    private func transfer(after outcome: Int32, call: String) -> Transfer {
        let errno = System.lastError
        switch SSL_get_error(handle, outcome) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .mustWait
        case SSL_ERROR_ZERO_RETURN: return .ended
        case SSL_ERROR_SYSCALL where ERR_peek_error() == 0:
            return errno == 0 ? .ended : .failed(SocketError(errno: errno, call: call))
        default: return .failed(failure(call))
        }
    }

    private func failure(_ call: String) -> SocketError {
        let verdict = SSL_get_verify_result(handle)
        guard verdict != Int(X509_V_OK), call == "SSL_do_handshake" else {
            return SocketError(openSSL: "TLS failed", call: call)
        }
        ERR_clear_error()
        return SocketError(
            .tls, code: verdict,
            message: "the server's certificate is not trusted: "
                + String(cString: X509_verify_cert_error_string(verdict)), call: call)
    }
}
