/// Tokens for a user who leaves nothing on the device.
enum StatelessGrant {
    /// Source: Token Server documentation, «stateless custom registration».
    static let type = "urn:onewelcome:oauth2:grant_type:stateless_authentication"
}
