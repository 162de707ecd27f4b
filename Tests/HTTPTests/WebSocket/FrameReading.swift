import HTTP

/// All that a reader says about some bytes.
struct FrameReading: Equatable {
    var events: [WebSocketReader.Event] = []
    var fault: WebSocketFault?

    /// - Parameter pieces: the bytes, in the pieces in which they come.
    init(
        _ pieces: [[UInt8]], from side: WebSocketReader.Side = .client,
        messageBytes: Int = WebSocketUpgrade.messageBytes, kinds: WebSocketKinds = .all
    ) {
        var reader = WebSocketReader(from: side, messageBytes: messageBytes, kinds: kinds)
        for piece in pieces {
            piece.withUnsafeBytes { reader.append($0) }
            drain(&reader)
        }
    }

    private mutating func drain(_ reader: inout WebSocketReader) {
        while fault == nil {
            do {
                let event = try reader.next()
                if event == .needsMore { return }
                events.append(event)
            } catch {
                fault = error
            }
        }
    }
}

/// Bytes written as hexadecimal digits and quoted text: `81 85 00000000 "Hello"`.
func hex(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, part) in text.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
        if index % 2 == 1 {
            bytes += part.utf8
        } else {
            let digits = Array(part.filter { $0 != " " })
            for pair in stride(from: 0, to: digits.count - 1, by: 2) {
                bytes.append(UInt8(String(digits[pair...pair + 1]), radix: 16) ?? 0)
            }
        }
    }
    return bytes
}
