/// What a flow is for. The raw value is its path.
enum FlowKind: String, Codable, Sendable, CaseIterable {
    case login, registration, profile
    case tokenExchange = "token_exchange"

    /// 24 hours; a token exchange lives for one.
    var lifespanSeconds: Double { self == .tokenExchange ? 3600 : 86_400 }
}
