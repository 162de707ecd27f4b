/// What each side drew for one answer about the status.
package struct StatusExchange: Sendable, Equatable {
    /// Of the device.
    package let challenge: Nonce
    /// Of the server.
    package let nonce: Nonce

    package init(challenge: Nonce, nonce: Nonce) {
        self.challenge = challenge
        self.nonce = nonce
    }
}
