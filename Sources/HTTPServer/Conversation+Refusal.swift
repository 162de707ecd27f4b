import HTTP
import Sockets

/// Clients that are turned away before they have said a request, of which the responder is told.
extension Conversation {
    /// HTTP where nothing but TLS is taken: answered in the language that the client speaks.
    mutating func turnAwayPlain(_ scratch: Scratch) -> Step {
        stage = .open
        refuse(
            .badRequest, "this port speaks https, and the request came without TLS; use https:// in the URL",
            scratch)
        return .note(.plainOnTLS(peer))
    }

    /// TLS where HTTP is expected: a fatal alert, handshake_failure, in a record of the first version, which every client reads.
    /// Source: RFC 8446 §6 and appendix D.
    mutating func turnAwayTLS(_ scratch: Scratch) -> Step {
        borrowOutput(scratch)
        output.bytes += [21, 3, 1, 0, 2, 2, 40]
        output.isLast = true
        return .note(.tlsOnPlain(peer))
    }
}

extension UInt8 {
    /// Content type of a record of the handshake, the first byte of any TLS client. Source: RFC 8446 §5.1.
    static let tlsHandshake: UInt8 = 22

    /// Methods are upper-case words, but for those that nobody has registered. Source: RFC 9110 §9.
    var beginsPlainRequest: Bool { 0x41...0x5A ~= self }
}
