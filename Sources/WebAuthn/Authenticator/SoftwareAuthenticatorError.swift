/// Why the software authenticator makes nothing. A browser would reject the promise with a `DOMException` of the same name.
/// Source: Web Authentication Level 3 §5.1.3, §5.1.4, §6.3.2 and §6.3.3.
package struct SoftwareAuthenticatorError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Name: String, Sendable {
        /// The options are not those of the standard.
        case type = "TypeError"
        /// An extension names a credential that is not allowed.
        case syntax = "SyntaxError"
        /// The relying party id is not one that the origin may use.
        case security = "SecurityError"
        /// None of the algorithms is known, or an extension is asked for what it does not do.
        case notSupported = "NotSupportedError"
        /// One of the excluded credentials is here.
        case invalidState = "InvalidStateError"
        /// No credential of those that are asked for is here.
        case notAllowed = "NotAllowedError"
    }

    package let name: Name
    package let sentence: String

    package init(_ name: Name, _ sentence: String) { (self.name, self.sentence) = (name, sentence) }

    package var description: String { "\(name.rawValue): \(sentence)" }
}
