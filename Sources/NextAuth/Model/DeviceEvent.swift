import Essentials
import SQLite

/// Something that a device is told, by long poll or WebSocket.
struct DeviceEvent: Record, Equatable {
    static let table = Table("nextauth_event", key: "instance", "number", order: "instance, number")

    enum Kind: String, Sendable, Codable, CaseIterable {
        case ping = "PING"
        case sessionStop = "SESSION_STOP"
        case accountDeleted = "ACCOUNT_DELETED"
        case accountUpdated = "ACCOUNT_UPDATED"
        case serverUpdated = "SERVER_UPDATED"
        case message = "MESSAGE"
    }

    let instance: String
    /// From 1, without a gap, for each instance.
    let number: Int
    let kind: Kind
    /// What the wire shows beside number and type.
    let members: [String: JSONValue]
    let createdAt: Date

    enum CodingKeys: String, CodingKey {
        case instance, number, kind, members
        case createdAt = "created_at"
    }

    /// What rings for the device with this id are about.
    static func topic(_ instance: String) -> String { "nextauth/" + instance }

    var json: JSONValue {
        .object(members.merging(["seq": .integer(number), "type": .string(kind.rawValue)]) { _, own in own })
    }
}
