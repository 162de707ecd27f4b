/// CTR_DATA of either generation: 16 bytes in 3.x, 32 in 4.0.
enum CodeCounter: Sendable, Hashable {
    case folded(HashCounter)
    case hashed(V4.Counter)

    /// - Throws: ``ProtocolFault`` unless there are 16 or 32 bytes.
    init(_ data: [UInt8]) throws {
        self = data.count == V4.keyCount ? .hashed(try V4.Counter(data)) : .folded(try HashCounter(data))
    }

    var data: [UInt8] {
        switch self {
        case .folded(let counter): counter.data
        case .hashed(let counter): counter.data
        }
    }

    var next: CodeCounter {
        switch self {
        case .folded(let counter): .folded(counter.next)
        case .hashed(let counter): .hashed(counter.next)
        }
    }
}
