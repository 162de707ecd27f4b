/// What the device signed, as the one who asks believes it.
struct SignedRequest: Sendable, Equatable {
    /// Upper case.
    let method: String
    /// Agreed identifier, not the path.
    let uriID: String
    /// Raw bytes; of GET the canonical query.
    let body: [UInt8]
    /// Of the request itself, in each form in which a client may take it for the agreed identifier.
    var paths: [String] = []
}
