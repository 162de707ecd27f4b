import PlatformKit

/// Members that only some versions have in their encrypted messages.
package struct EnvelopeMembers: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    package static let nonce = EnvelopeMembers(rawValue: 1)
    package static let timestamp = EnvelopeMembers(rawValue: 2)
    package static let temporaryKeyID = EnvelopeMembers(rawValue: 4)
}
