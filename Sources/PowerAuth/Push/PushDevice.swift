import Essentials
import SQLite

/// Where pushes of an activation go.
struct PushDevice: Sendable, Equatable, RowDecodable {
    enum Service: String, Codable, Sendable, CaseIterable {
        case apns
        case fcm
        case hms
    }

    /// Of APNs alone.
    enum Environment: String, Codable, Sendable, CaseIterable {
        case development
        case production
    }

    /// The activation; it has one device at most.
    let activation: String
    let application: String
    let user: String
    let service: Service
    let token: String
    /// The server's default when nil.
    let environment: Environment?
    let registeredAt: Date

    init(
        activation: String, application: String, user: String, service: Service, token: String,
        environment: Environment? = nil, registeredAt: Date
    ) {
        (self.activation, self.application, self.user) = (activation, application, user)
        (self.service, self.token, self.environment) = (service, token, environment)
        self.registeredAt = registeredAt
    }

    init(row: Row) throws {
        let activation = try row.text("activation")
        let environment = try row.optionalText("environment")
        guard let service = Service(rawValue: try row.text("service")),
            environment.map({ Environment(rawValue: $0) != nil }) ?? true
        else { throw StoredValueUnknown(table: "powerauth_push_device", id: activation) }
        self.init(
            activation: activation, application: try row.text("application"), user: try row.text("user"),
            service: service, token: try row.text("token"),
            environment: environment.flatMap(Environment.init(rawValue:)),
            registeredAt: try row.date("registered_at"))
    }
}
