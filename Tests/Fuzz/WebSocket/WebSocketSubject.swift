import HTTP

/// The frames of a web socket, and the fields of its handshake.
struct WebSocketSubject: Subject {
    static let name = "websocket"

    /// All that a reader says about an input.
    private struct Reading: Equatable {
        var events: [WebSocketReader.Event] = []
        var fault: WebSocketFault?
    }

    func check(_ input: [UInt8], _ random: inout SplitMix64) throws(Violation) {
        let side: WebSocketReader.Side = random.below(8) == 0 ? .server : .client
        let limit = random.below(4) == 0 ? 40 : 4000
        let kinds: WebSocketKinds = random.below(8) == 0 ? .text : .all
        func make() -> WebSocketReader { WebSocketReader(from: side, messageBytes: limit, kinds: kinds) }
        let whole = try read(input, make(), limit) { _ in input.count }
        let single = try read(input, make(), limit) { _ in 1 }
        var sizes = random
        let pieces = try read(input, make(), limit) { left in 1 + sizes.below(min(left, 200)) }
        guard single == whole else { throw Violation("byte by byte differs: \(whole), \(single)") }
        guard pieces == whole else { throw Violation("in pieces differs: \(whole), \(pieces)") }
        for event in whole.events { try checkAllowed(event, limit) }
        try checkAgain(whole.events, &random)
        try checkText(input, &random)
        checkHandshake(input)
    }

    private func read(_ input: [UInt8], _ reader: WebSocketReader, _ limit: Int, size: (Int) -> Int)
        throws(Violation) -> Reading
    {
        var (reader, reading, rest) = (reader, Reading(), input[...])
        while !rest.isEmpty, reading.fault == nil {
            let piece = rest.prefix(size(rest.count))
            rest = rest.dropFirst(piece.count)
            piece.withUnsafeBytes { reader.append($0) }
            drain(&reader, into: &reading)
            // A message, a control frame and the head of a frame.
            guard reader.bufferedBytes <= limit + 125 + 14 else {
                throw Violation("\(reader.bufferedBytes) bytes are held")
            }
            guard reading.events.count <= input.count else { throw Violation("more events than bytes") }
        }
        return reading
    }

    private func drain(_ reader: inout WebSocketReader, into reading: inout Reading) {
        do {
            while true {
                let event = try reader.next()
                if event == .needsMore { return }
                reading.events.append(event)
            }
        } catch {
            reading.fault = error
        }
    }

    private func checkAllowed(_ event: WebSocketReader.Event, _ limit: Int) throws(Violation) {
        switch event {
        case .needsMore: break
        case .message(let message):
            guard message.bytes.count <= limit else { throw Violation("a message beyond the limit") }
        case .ping(let payload), .pong(let payload):
            guard payload.count <= 125 else { throw Violation("a long control frame") }
        case .close(let close):
            guard close.code == .none || close.code.canBeSent else { throw Violation("the code \(close)") }
        }
    }

    /// Written out by a client with another mask, each event reads the same.
    private func checkAgain(_ events: [WebSocketReader.Event], _ random: inout SplitMix64) throws(Violation) {
        var bytes: [UInt8] = []
        for event in events {
            let mask = UInt32(truncatingIfNeeded: random.next())
            switch event {
            case .needsMore: break
            case .message(.text(let text)): WebSocketWriter.write(.text, text.utf8, mask: mask, into: &bytes)
            case .message(.binary(let payload)):
                WebSocketWriter.write(.binary, payload, mask: mask, into: &bytes)
            case .ping(let payload): WebSocketWriter.write(.ping, payload, mask: mask, into: &bytes)
            case .pong(let payload): WebSocketWriter.write(.pong, payload, mask: mask, into: &bytes)
            case .close(let close): WebSocketWriter.write(close, mask: mask, into: &bytes)
            }
        }
        let again = try read(bytes, WebSocketReader(from: .client), .max / 2) { _ in bytes.count }
        guard again == Reading(events: events) else { throw Violation("written out, it reads \(again)") }
    }

    /// Any bytes as a text, in fragments: taken exactly when the standard library takes them.
    private func checkText(_ input: [UInt8], _ random: inout SplitMix64) throws(Violation) {
        var (bytes, rest, opcode) = ([UInt8](), input[...], WebSocketOpcode.text)
        repeat {
            let piece = rest.prefix(random.below(rest.count + 1))
            rest = rest.dropFirst(piece.count)
            WebSocketWriter.write(
                opcode, piece, isFinal: rest.isEmpty, mask: UInt32(truncatingIfNeeded: random.next()),
                into: &bytes)
            opcode = .continuation
        } while !rest.isEmpty
        let reading = try read(bytes, WebSocketReader(from: .client), .max / 2) { _ in bytes.count }
        let expected = String(validating: input, as: UTF8.self)
        guard reading.events == expected.map({ [.message(.text($0))] }) ?? [],
            reading.fault?.code == (expected == nil ? .invalidPayload : nil)
        else { throw Violation("as a text in fragments, it reads \(reading)") }
    }

    /// Whatever stands in the fields, there is an answer.
    private func checkHandshake(_ input: [UInt8]) {
        let value = String(decoding: input.prefix(60), as: UTF8.self)
        for name in ["Connection", "Upgrade", "Sec-WebSocket-Key", "Sec-WebSocket-Protocol"] {
            var headers: Headers = [
                "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
            ]
            headers[name] = value
            // A refusal is as good as an agreement.
            _ = try? Request(.get, "/", headers: headers).webSocket(protocols: ["a"], received: { _, _ in })
        }
    }
}
