/// A member of client metadata that cannot be accepted.
struct MetadataFault: Error, Equatable {
    let member: String
    /// What was expected and what came, without a full stop.
    let reason: String
    /// Which of several values it is.
    var index: Int?

    /// Below the client.
    var path: [String] { [member] + (index.map { [String($0)] } ?? []) }

    init(_ member: String, _ reason: String) { (self.member, self.reason) = (member, reason) }

    /// Source: RFC 7591 §3.2.2.
    var code: String { member == "redirect_uris" ? "invalid_redirect_uri" : "invalid_client_metadata" }
}
