/// Writes answers as HTTP/1.1 bytes. Source: RFC 9112, RFC 9110.
///
/// `Content-Length`, `Transfer-Encoding`, `Connection` and `Date` are the writer's own; a response's fields of these names are left
/// out. No field can begin another line: fields whose name is no token are left out, control bytes in values become spaces.
package enum ResponseWriter {
    /// How the body is framed, besides its length being known.
    package struct Framing: Sendable {
        package var isHead: Bool
        package var isHTTP10: Bool
        package var keepsAlive: Bool

        package init(isHead: Bool, isHTTP10: Bool, keepsAlive: Bool) {
            self.isHead = isHead
            self.isHTTP10 = isHTTP10
            self.keepsAlive = keepsAlive
        }

        /// Whether bytes follow the head of `response`; a stream is not started otherwise.
        package func sendsBody(of response: Response) -> Bool { !isHead && response.status.allowsBody }

        /// Whether the connection stays open after `response`: the end of a stream to a 1.0 client is the connection's.
        package func staysOpen(after response: Response) -> Bool {
            switch response.body {
            case .bytes, .waiting: keepsAlive
            case .cut: false
            case .stream, .pieces: keepsAlive && !(isHTTP10 && sendsBody(of: response))
            case .webSocket: response.status == .switchingProtocols
            }
        }
    }

    /// The interim answer to `Expect: 100-continue`.
    package static let continueBytes = [UInt8]("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// Appends the head, and for a plain body all of it. `date` is the value of the `Date` field, made once a second.
    package static func write(_ response: Response, framing: Framing, date: String, into bytes: inout [UInt8])
    {
        let body = response.status.allowsBody ? response.bytes : []
        // Of the status line and of the fields that are the writer's own.
        var room = 256 + date.utf8.count
        for field in response.headers.fields { room += field.name.utf8.count + field.value.utf8.count + 4 }
        bytes.reserveCapacity(bytes.count + room + body.count)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { memory in
            var pen = HeadPen(memory)
            pen.put(statusLine(response.status))
            pen.put("Date: ")
            pen.put(date)
            pen.put(lineEnd)
            for field in response.headers.fields { pen.put(field) }
            putFraming(of: response, bodyBytes: body.count, framing, by: &pen)
            pen.put(lineEnd)
            bytes.append(contentsOf: pen.written)
        }
        if !framing.isHead { bytes += body }
    }

    /// Appends one piece of a streamed body, chunked where the client understands it.
    package static func writeChunk(_ piece: [UInt8], framing: Framing, into bytes: inout [UInt8]) {
        // A chunk of no bytes would end the body.
        if framing.isHead || piece.isEmpty { return }
        if framing.isHTTP10 { return bytes += piece }
        bytes.append(contentsOf: String(piece.count, radix: 16).utf8)
        bytes += lineEnd
        bytes += piece
        bytes += lineEnd
    }

    package static func writeLastChunk(framing: Framing, into bytes: inout [UInt8]) {
        if !framing.isHead, !framing.isHTTP10 { bytes += lastChunk }
    }

    private static let lineEnd = [UInt8]("\r\n".utf8)
    private static let lastChunk = [UInt8]("0\r\n\r\n".utf8)

    /// Status lines of the codes 100 to 599. As bytes: put together as texts, they were a twentieth of a start.
    private static let statusLines = (100...599).map { code in
        var line = [UInt8]("HTTP/1.1 ".utf8)
        line += [code / 100, code / 10 % 10, code % 10].map { UInt8(ascii: "0") + UInt8($0) }
        line.append(UInt8(ascii: " "))
        line += Status(code: code).reason.utf8
        line += lineEnd
        return line
    }

    /// A code that is none becomes 500: the mistake is ours and must not reach the client's parser.
    private static func statusLine(_ status: Status) -> [UInt8] {
        statusLines[(100...599).contains(status.code) ? status.code - 100 : 400]
    }

    private static func putFraming(
        of response: Response, bodyBytes: Int, _ framing: Framing, by pen: inout HeadPen
    ) {
        switch response.body {
        case .bytes where response.status.allowsLength:
            pen.put("Content-Length: ")
            pen.put(bodyBytes)
            pen.put(lineEnd)
        case .stream, .pieces:
            if framing.sendsBody(of: response), !framing.isHTTP10 {
                pen.put("Transfer-Encoding: chunked\r\n")
            }
        default: break
        }
        let staysOpen = framing.staysOpen(after: response)
        if response.status.mayUpgrade, response.headers["Upgrade"] != nil {
            pen.put(staysOpen ? "Connection: Upgrade\r\n" : "Connection: Upgrade, close\r\n")
        } else if !staysOpen {
            pen.put("Connection: close\r\n")
        } else if framing.isHTTP10 {
            pen.put("Connection: keep-alive\r\n")
        }
    }
}

extension Status {
    /// Source: RFC 9110 §6.4.1 and §15.3.6.
    var allowsBody: Bool { allowsLength && code != 205 }

    /// Has an `Upgrade` field, which must be named in `Connection`. Source: RFC 9110 §7.8.
    var mayUpgrade: Bool { code == 101 || code == 426 }

    /// Source: RFC 9110 §8.6; 304 may have a length, which is unknown here.
    var allowsLength: Bool { code >= 200 && code != 204 && code != 304 }
}
