import Crypto

/// How the components of an authentication code, 32 bytes each, are written.
package enum AuthenticationCodeFormat: Sendable, Equatable {
    /// Digits for each component, joined by `-`.
    case decimal(digits: Int)
    /// The last 16 bytes of each component, together in Base64: 3.1 and later.
    case base64
    /// The whole components, together in Base64: 4.0.
    case wholeBase64

    /// Bytes of each component in Base64; nil for decimal codes.
    var componentCount: Int? {
        switch self {
        case .decimal: nil
        case .base64: 16
        case .wholeBase64: 32
        }
    }

    /// - Parameter digits: 4 to 8, `nil` for others.
    package static func offline(digits: Int = 8) -> AuthenticationCodeFormat? {
        (4...8).contains(digits) ? .decimal(digits: digits) : nil
    }

    func text(of components: [[UInt8]]) -> String {
        switch self {
        case .decimal(let digits):
            components.map { decimalCode(of: $0, digits: digits) }.joined(separator: "-")
        case .base64: Base64.encode(components.flatMap { $0.suffix(16) })
        case .wholeBase64: Base64.encode(components.flatMap(\.self))
        }
    }

    /// Characters of a code with so many factors.
    package func count(factors: Int) -> Int {
        switch self {
        case .decimal(let digits): factors * (digits + 1) - 1
        case .base64: (factors * 16 + 2) / 3 * 4
        case .wholeBase64: (factors * 32 + 2) / 3 * 4
        }
    }

    /// Whether `code` has the form of a code with so many factors.
    package func isWellFormed(_ code: String, factors: Int) -> Bool {
        guard code.utf8.count == count(factors: factors) else { return false }
        switch self {
        case .base64, .wholeBase64: return WireBase64.decode(code) != nil
        case .decimal(let digits):
            return code.utf8.enumerated().allSatisfy { index, character in
                index % (digits + 1) == digits
                    ? character == UInt8(ascii: "-")
                    : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
            }
        }
    }

    /// A code that a person typed, in its exact form: decimal codes are accepted with and without the signs between their
    /// components. `nil` when it is no code with so many factors.
    package func completed(_ code: String, factors: Int) -> String? {
        guard case .decimal(let digits) = self else {
            return isWellFormed(code, factors: factors) ? code : nil
        }
        let typed = Array(code.utf8)
        guard !typed.contains(UInt8(ascii: "-")) else {
            return isWellFormed(code, factors: factors) ? code : nil
        }
        let groups = stride(from: 0, to: typed.count, by: digits).map { start in
            String(decoding: typed[start..<min(start + digits, typed.count)], as: UTF8.self)
        }
        let exact = groups.joined(separator: "-")
        return isWellFormed(exact, factors: factors) ? exact : nil
    }
}
