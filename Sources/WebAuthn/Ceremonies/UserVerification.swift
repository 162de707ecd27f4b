/// Source: Web Authentication Level 3 §5.8.6.
package enum UserVerification: String, Sendable, Codable {
    case required
    case preferred
    case discouraged
}
