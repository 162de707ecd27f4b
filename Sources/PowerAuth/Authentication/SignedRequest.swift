/// What the device signed, as the one who asks believes it.
struct SignedRequest: Sendable, Equatable {
    /// Upper case.
    let method: String
    /// Agreed identifier, not the path.
    let uriID: String
    /// Raw bytes; of GET the canonical query.
    let body: [UInt8]
}
