import Essentials
import PlatformKit
import SQLite

/// Where pushes of an activation go.
struct PushDevice: Record, Equatable {
    static let table = Table("powerauth_push_device", key: "activation", order: "registered_at, rowid")

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
    let service: Service
    let token: String
    /// The server's default when nil.
    var environment: Environment?
    let registeredAt: Date

    enum CodingKeys: String, CodingKey {
        case activation, service, token, environment
        case registeredAt = "registered_at"
    }
}

extension PushDevice.Service {
    /// - Parameter name: as devices and back ends have it, who called services by the names of systems before.
    init?(named name: String) {
        switch name {
        case "apns", "ios": self = .apns
        case "fcm", "android": self = .fcm
        case "hms", "huawei": self = .hms
        default: return nil
        }
    }
}

extension PushDevice {
    /// Takes the place of what the activation had. Where it had nothing, it is a device whose owner activated the app anew: its token goes
    /// over from the other activation of the application.
    ///
    /// - Source: published behaviour of the PowerAuth Push Server.
    func register(in turn: Turn) throws {
        let holder = try Activation.find(activation, in: turn.db)
        if let holder, try turn.first(PushDevice.self, where: "activation = \(activation)") == nil {
            try Self.forget(token, of: holder.application, in: turn.db)
        }
        try turn.save(self)
    }

    static func forget(_ token: String, of application: String, in db: Connection) throws {
        try db.execute(
            """
            DELETE FROM powerauth_push_device WHERE token = \(token)
            AND activation IN (SELECT id FROM powerauth_activation WHERE application = \(application))
            """)
    }

    /// With the application of its activation.
    struct Addressed: RowDecodable {
        let device: PushDevice
        let application: String
        /// Whether its activation is.
        let isActive: Bool

        init(row: Row) throws {
            (device, application) = (try PushDevice(row: row), try row.text("application"))
            isActive = try row.text("state") == Activation.State.active.rawValue
        }
    }

    /// Those of a user in every application, in the order in which they registered.
    static func all(of user: String, in db: Connection) throws -> [Addressed] {
        try db.all(
            Addressed.self,
            """
            SELECT device.*, application, state FROM powerauth_push_device AS device
            JOIN powerauth_activation ON powerauth_activation.id = device.activation
            WHERE user = \(user) ORDER BY registered_at, device.rowid
            """)
    }
}
