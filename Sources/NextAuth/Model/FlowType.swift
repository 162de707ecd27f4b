/// What a flow is for.
enum FlowType: String, Sendable, Codable, CaseIterable {
    case enrol = "ENROL"
    case login = "LOGIN"
    case appLogin = "APPLOGIN"
    case transaction = "TRANSACTION"
}
