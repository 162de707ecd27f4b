/// What sets one encrypted message apart from all others.
package struct EnvelopeFreshness: Sendable, Equatable {
    package let nonce: Nonce?
    /// Milliseconds since 1970.
    package let timestamp: Int?

    package init(nonce: Nonce? = nil, timestamp: Int? = nil) {
        self.nonce = nonce
        self.timestamp = timestamp
    }
}
