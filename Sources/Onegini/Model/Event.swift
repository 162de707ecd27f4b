import Essentials
import HTTP
import PlatformKit
import SQLite

/// Something that happened, as the vendor's catalogue of events names it.
struct Event: Sendable, Equatable {
    /// UUID
    var id: String
    var type: EventType
    var clientID: String?
    var subject: String?
    var transactionID: String?
    var application: String?
    /// Numeric address of the caller.
    var address: String?
    var userAgent: String?
    var at: Date

    init(
        _ type: EventType, clientID: String? = nil, subject: String? = nil, transactionID: String? = nil,
        application: String? = nil, _ request: Request?, _ services: Services
    ) {
        id = services.entropy.uuid(for: "onegini.event")
        (self.type, self.clientID, self.subject) = (type, clientID, subject)
        (self.transactionID, self.application) = (transactionID, application)
        address = request?.peer.address
        userAgent = request?.headers["User-Agent"]
        at = services.clock.now()
    }
}

extension Event: RowDecodable {
    init(row: Row) throws {
        id = try row.text("id")
        type = EventType(rawValue: try row.text("type")) ?? .unknown
        clientID = try row.optionalText("client_id")
        subject = try row.optionalText("subject")
        transactionID = try row.optionalText("transaction_id")
        application = try row.optionalText("application")
        address = try row.optionalText("address")
        userAgent = try row.optionalText("user_agent")
        at = try row.date("occurred_at")
    }
}
