import Essentials
import HTTP
import Synchronization

/// JSON with a long list in it, written a part at a time, so that nobody makes what nobody reads.
final class JSONPieces<Element: Sendable>: Sendable {
    /// What the next part of the list is; nil after the last. An empty one is passed over.
    typealias Source = @Sendable () throws -> [Element]?
    /// Appends an element as JSON text.
    typealias Writer = @Sendable (Element, inout [UInt8]) throws -> Void

    private struct State {
        var isBegun = false
        var isOver = false
        var hasElements = false
    }

    /// Bytes that a piece has, and a whole answer that is sent as one.
    static var size: Int { 64 * 1024 }

    private let head: [UInt8]
    private let tail: [UInt8]
    private let write: Writer
    private let source: Source
    private let state = Mutex(State())

    /// - Parameters:
    ///   - head: what stands before the first element, with the bracket: `{"messages":[`.
    ///   - tail: what stands behind the last.
    init(_ head: String, _ tail: String, write: @escaping Writer, _ source: @escaping Source) {
        (self.head, self.tail, self.write, self.source) = (Array(head.utf8), Array(tail.utf8), write, source)
    }

    /// As one body where that is short.
    func response() throws -> Response {
        var response = Response(headers: ["Content-Type": "application/json"])
        let first = try next() ?? []
        if state.withLock(\.isOver) {
            response.body = .bytes(first)
            return response
        }
        let kept = Mutex<[UInt8]?>(first)
        response.body = .pieces(
            BodyPieces { [self] in
                let first = kept.withLock { kept in
                    defer { kept = nil }
                    return kept
                }
                return try first ?? next()
            })
        return response
    }

    private func next() throws -> [UInt8]? {
        try state.withLock { state in
            if state.isOver { return nil }
            var piece = state.isBegun ? [] : head
            state.isBegun = true
            while piece.count < Self.size {
                guard let elements = try source() else {
                    state.isOver = true
                    return piece + tail
                }
                for element in elements {
                    if state.hasElements { piece.append(UInt8(ascii: ",")) }
                    state.hasElements = true
                    try write(element, &piece)
                }
            }
            return piece
        }
    }
}

extension JSONPieces where Element: Encodable {
    /// Elements are encoded with their members in the order of their names.
    convenience init(_ head: String, _ tail: String, _ source: @escaping Source) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        self.init(head, tail, write: { try $1 += encoder.encode($0) }, source)
    }
}
