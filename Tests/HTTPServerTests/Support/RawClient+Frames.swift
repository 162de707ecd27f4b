import Sockets
import Testing

/// A web socket's client, by its own simple means.
extension RawClient {
    struct Frame: Equatable {
        /// FIN, reserved bits and opcode, as they stand on the wire.
        var first: UInt8
        var payload: [UInt8]

        static func text(_ text: String) -> Frame { Frame(first: 0x81, payload: [UInt8](text.utf8)) }
        static func pong(_ text: String) -> Frame { Frame(first: 0x8A, payload: [UInt8](text.utf8)) }
        static let ping = Frame(first: 0x89, payload: [])

        static func close(_ code: UInt16, _ reason: String = "") -> Frame {
            Frame(first: 0x88, payload: [UInt8(code >> 8), UInt8(code & 0xFF)] + reason.utf8)
        }

        /// The code of a Close frame; nil for any other.
        var code: UInt16? {
            first == 0x88 && payload.count >= 2 ? UInt16(payload[0]) << 8 | UInt16(payload[1]) : nil
        }

        /// As a client sends it.
        var masked: [UInt8] {
            let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
            var bytes = [first]
            switch payload.count {
            case ...125: bytes.append(0x80 | UInt8(payload.count))
            case ...65535: bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
            default:
                bytes.append(0x80 | 127)
                bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: payload.count >> (8 * $0)) }
            }
            return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
        }
    }

    static let handshake =
        "GET /chat HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"

    /// Turns the connection into a web socket.
    func upgrade() throws {
        try send(Self.handshake)
        #expect(try answer().status == 101)
    }

    /// Sends `frames` in one piece.
    func send(_ frames: Frame...) throws { try socket.write(frames.flatMap(\.masked)) }

    /// The next frame of the server, which masks none.
    func frame() throws -> Frame {
        let head = try take(2)
        let extended = try take([126: 2, 127: 8][head[1]] ?? 0)
        let length = extended.isEmpty ? Int(head[1]) : extended.reduce(0) { $0 << 8 | Int($1) }
        return Frame(first: head[0], payload: try take(length))
    }
}
