/// Why bytes are not CBOR as authenticators write it, and where.
package struct CBORError: Error, Equatable, CustomStringConvertible {
    package enum Reason: Sendable, Equatable {
        case ends, length, depth, items, size
        case indefiniteLength, tag, float, simpleValue, reserved
        case notShortest, duplicateKey, keyType, text, trailing(Int)
    }

    package let reason: Reason
    /// The offset of the byte where the item begins that is wrong.
    package let offset: Int

    package var description: String { "\(sentence), at byte \(offset)" }

    private var sentence: String {
        switch reason {
        case .ends: "it ends within an item"
        case .length: "a length goes beyond the end"
        case .depth: "more than \(WebAuthnLimits.cborDepth) levels are nested"
        case .items: "there are more than \(WebAuthnLimits.cborItems) items"
        case .size: "there are more than \(WebAuthnLimits.cborBytes) bytes"
        case .indefiniteLength: "a length is indefinite"
        case .tag: "there is a tag"
        case .float: "there is a floating point number"
        case .simpleValue: "there is a simple value other than false, true and null"
        case .reserved: "an item has a reserved form"
        case .notShortest: "a number or length is not in its shortest form"
        case .duplicateKey: "a map has one key twice"
        case .keyType: "the key of a map is neither an integer nor a text"
        case .text: "a text is not UTF-8"
        case .trailing(let count): "\(count) bytes follow the item"
        }
    }
}
