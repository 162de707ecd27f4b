/// A template of operations in a fixture file.
struct OperationTemplateFixture: Codable, Sendable {
    /// Name.
    var id: String
    /// Of the management API; the next free one when left out.
    var number: Int?
    /// Operation type: the id of the mobile template.
    var type: String
    /// Operation data with `${name}` for each parameter.
    var data: String
    /// Allowed factors, such as `possession_knowledge`.
    var factors: [String]
    /// 5 when left out.
    var maxFailures: Int?
    /// How long an operation waits; 300 when left out.
    var seconds: Int?
    /// Letters of `X`, `C` and `F`.
    var riskFlags: String?
    var checksProximity: Bool?

    enum CodingKeys: String, CodingKey {
        case id, number, type, data, factors, seconds
        case maxFailures = "max_failures"
        case riskFlags = "risk_flags"
        case checksProximity = "checks_proximity"
    }
}
