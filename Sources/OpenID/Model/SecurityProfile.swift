/// A published set of rules by which a whole server stands.
package enum SecurityProfile: String, Codable, Sendable, CaseIterable {
    /// Source: FAPI 2.0 Security Profile §5.3.2.
    case fapi2
    /// The same, with authorization requests that are signed. Source: FAPI 2.0 Message Signing §5.3.1.
    case fapi2MessageSigning = "fapi2-message-signing"
}

/// What the server wants to see of Proof Key for Code Exchange from every client. Source: RFC 9700 §2.1.1.
package enum PKCEDemand: String, Codable, Sendable, CaseIterable {
    /// A challenge, by whichever method.
    case required
    /// A challenge by the method S256.
    case s256 = "S256"
}
