import Essentials

/// Where pushes of an activation go, in a fixture file.
struct PushDeviceFixture: Codable, Sendable {
    var activation: String
    var service: PushDevice.Service
    var token: String
    var environment: PushDevice.Environment?
    var registeredAt: Date

    enum CodingKeys: String, CodingKey {
        case activation, service, token, environment
        case registeredAt = "registered_at"
    }
}
