/// A value of the part of CBOR that authenticators use: no tags, no floating point numbers, no indefinite lengths.
/// Source: RFC 8949 §3, FIDO CTAP 2.1 §8 (message encoding).
package indirect enum CBOR: Sendable, Equatable {
    case unsigned(UInt64)
    /// −1 − n, so that every negative integer of CBOR has a place.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBOR])
    /// The entries in the order in which they came.
    case map([CBOREntry])
    case boolean(Bool)
    case null

    package init(_ number: Int) {
        self = number < 0 ? .negative(UInt64(bitPattern: Int64(~number))) : .unsigned(UInt64(number))
    }
}

extension CBOR {
    /// The number, when it is one and fits.
    package var integer: Int? {
        switch self {
        case .unsigned(let number): Int(exactly: number)
        case .negative(let number): Int(exactly: number).map(~)
        default: nil
        }
    }

    package var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    package var text: String? { if case .text(let text) = self { text } else { nil } }
    package var array: [CBOR]? { if case .array(let elements) = self { elements } else { nil } }
    package var map: [CBOREntry]? { if case .map(let entries) = self { entries } else { nil } }

    /// The value of a key of a map; nil for any other value or when there is no such key.
    package subscript(_ key: Int) -> CBOR? { value(CBOR(key)) }
    package subscript(_ key: String) -> CBOR? { value(.text(key)) }

    private func value(_ key: CBOR) -> CBOR? { map?.first { $0.key == key }?.value }

    /// What kind of value this is, for sentences.
    package var summary: String {
        switch self {
        case .unsigned, .negative: integer.map { "the integer \($0)" } ?? "an integer beyond 63 bits"
        case .bytes(let bytes): "\(bytes.count) bytes"
        case .text(let text): "the text “\(text.shortened)”"
        case .array(let elements): "an array of \(elements.count)"
        case .map(let entries): "a map of \(entries.count)"
        case .boolean(let flag): "\(flag)"
        case .null: "null"
        }
    }
}

/// A key of a map and its value.
package struct CBOREntry: Sendable, Equatable {
    package let key: CBOR
    package let value: CBOR

    package init(_ key: CBOR, _ value: CBOR) {
        (self.key, self.value) = (key, value)
    }
}
