import Essentials
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

extension PushDevice {
    /// With the application of its activation.
    struct Addressed: RowDecodable {
        let device: PushDevice
        let application: String

        init(row: Row) throws {
            (device, application) = (try PushDevice(row: row), try row.text("application"))
        }
    }

    /// Those of a user in every application, in the order in which they registered.
    static func all(of user: String, in db: Connection) throws -> [Addressed] {
        try db.all(
            Addressed.self,
            """
            SELECT device.*, application FROM powerauth_push_device AS device
            JOIN powerauth_activation ON powerauth_activation.id = device.activation
            WHERE user = \(user) ORDER BY registered_at, device.rowid
            """)
    }
}
