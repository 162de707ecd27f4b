/// How the mobile authentication API spells a refusal: the vendor's pages show two shapes for it.
enum PortalErrorShape: String, Codable, Sendable, CaseIterable {
    /// All members of both.
    case union
    /// `{"error":"not_found","error_description":"…"}`
    case oauth
    /// `{"error_code":"3003","description":"…"}`
    case numbered
}
