/// Writes a client's request as HTTP/1.1 bytes. Source: RFC 9112 §3 and §5, RFC 9110 §8.6.
package enum RequestWriter {
    /// - Parameters:
    ///   - target: path and query, percent-encoded.
    ///   - headers: `Content-Length`, `Transfer-Encoding`, `Connection` and `Upgrade` are the writer's own and left out here. One `Host`.
    ///   - connection: what becomes of it after this request.
    /// - Throws: when something in them would not stay in its place on the wire.
    package static func bytes(
        _ method: Request.Method, _ target: String, headers: Headers, body: [UInt8],
        connection: ConnectionOption = .closes
    ) throws(WireFault) -> [UInt8] {
        guard !method.rawValue.isEmpty, method.rawValue.utf8.allSatisfy(\.isToken) else {
            throw .malformed("\(excerpt(method.rawValue.utf8)) is not a method")
        }
        guard target.utf8.first == UInt8(ascii: "/"), target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            throw .malformed("the target \(excerpt(target.utf8)) is not a percent-encoded path")
        }
        var bytes = [UInt8]("\(method.rawValue) \(target) HTTP/1.1\r\n".utf8)
        for field in headers.fields where !own.contains(where: { field.name.equalsIgnoringCase($0) }) {
            try write(field, into: &bytes)
        }
        if !body.isEmpty || withContent.contains(method) {
            bytes += "Content-Length: \(body.count)\r\n".utf8
        }
        bytes += connection.field.utf8
        bytes += "\r\n".utf8
        return bytes + body
    }

    /// What becomes of the connection. Source: RFC 9112 §9.6, RFC 6455 §4.1.
    package enum ConnectionOption: Sendable {
        case closes, staysOpen
        /// It is to turn into a web socket.
        case upgrades

        fileprivate var field: String {
            switch self {
            case .closes: "Connection: close\r\n"
            case .staysOpen: ""
            case .upgrades: "Connection: Upgrade\r\nUpgrade: websocket\r\n"
            }
        }
    }

    private static let own = ["Content-Length", "Transfer-Encoding", "Connection", "Upgrade"]
    /// Methods whose request says its length also when there is nothing.
    private static let withContent: [Request.Method] = [.post, .put, .patch]

    private static func write(_ field: Headers.Field, into bytes: inout [UInt8]) throws(WireFault) {
        guard !field.name.isEmpty, field.name.utf8.allSatisfy(\.isToken) else {
            throw .malformed("\(excerpt(field.name.utf8)) is not a header name")
        }
        guard !field.value.utf8.contains(where: \.isForbiddenControl) else {
            throw .malformed("the value of \(field.name) has a line end or another control character")
        }
        bytes += "\(field.name): \(field.value)\r\n".utf8
    }
}
