import Essentials
import SQLite

/// One line of the audit log.
struct AuditEntry: Sendable, Equatable {
    let id: String
    let type: AuditType
    /// What went wrong, for the types that say so.
    let error: String?
    let requestID: String
    let sourceAddress: String
    let userAgent: String
    let userID: String?
    let address: String?
    /// Such as `flow_id`, `login_method`.
    let details: [String: String]
    let createdAt: Date
}

extension AuditEntry: RowDecodable {
    init(row: Row) throws {
        id = try row.text("id")
        let type = try row.text("type")
        guard let known = AuditType(rawValue: type) else { throw AuditTypeUnknown(type: type) }
        self.type = known
        error = try row.optionalText("error")
        requestID = try row.text("request_id")
        sourceAddress = try row.text("source_address")
        userAgent = try row.text("user_agent")
        userID = try row.optionalText("user_id")
        address = try row.optionalText("address")
        details = try JSONDecoder().decode([String: String].self, from: Data(row.text("details").utf8))
        createdAt = try row.date("created_at")
    }
}

/// A data file of a version that knows more types.
struct AuditTypeUnknown: Error {
    let type: String
}

/// `{"id", "type", "error"?, "meta_http_request_id", …, "details", "created_at", "updated_at"}`
extension AuditEntry: Encodable {
    enum CodingKeys: String, CodingKey {
        case id, type, error
        case requestID = "meta_http_request_id"
        case sourceAddress = "meta_source_ip"
        case userAgent = "meta_user_agent"
        case userID = "actor_user_id"
        case address = "actor_email"
        case details
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(type, forKey: .type)
        try members.encodeIfPresent(error, forKey: .error)
        try members.encode(requestID, forKey: .requestID)
        try members.encode(sourceAddress, forKey: .sourceAddress)
        try members.encode(userAgent, forKey: .userAgent)
        try members.encodeIfPresent(userID, forKey: .userID)
        try members.encodeIfPresent(address, forKey: .address)
        try members.encode(details.isEmpty ? nil : details, forKey: .details)
        try members.encode(createdAt, forKey: .createdAt)
        // An entry never changes.
        try members.encode(createdAt, forKey: .updatedAt)
    }
}
