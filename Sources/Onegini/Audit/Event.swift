import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

/// Something that happened, as the vendor's catalogue of events names it.
struct Event: Record, Equatable {
    static let table = Table("onegini_event", key: "position", limit: 10_000)
    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_event (
            position INTEGER PRIMARY KEY,
            event_identifier TEXT NOT NULL, -- UUID
            event_type TEXT NOT NULL, -- the catalogue name in upper case
            client_id TEXT,
            user_id TEXT,
            transaction_id TEXT,
            app_name TEXT,
            client_ip TEXT,
            user_agent TEXT,
            occurred INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """
    ]

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

    /// The names of the events API.
    enum CodingKeys: String, CodingKey {
        case id = "event_identifier"
        case type = "event_type"
        case clientID = "client_id"
        case subject = "user_id"
        case transactionID = "transaction_id"
        case application = "app_name"
        case address = "client_ip"
        case userAgent = "user_agent"
        case at = "occurred"
    }

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
    /// - Parameter user: who asked; nil where nobody proved it.
    init(
        _ type: EventType, of user: DeviceUser?, transactionID: String? = nil, _ request: Request,
        _ services: Services
    ) {
        self.init(
            type, clientID: user?.client.id, subject: user?.profile.subject, transactionID: transactionID,
            application: user?.device.application, request, services)
    }
}

extension Event: AuditRow {
    var line: AuditLine {
        AuditLine(
            at: at, event: type.rawValue, user: subject, client: clientID, address: address,
            facts: [("application", application), ("transaction", transactionID)])
    }
}
