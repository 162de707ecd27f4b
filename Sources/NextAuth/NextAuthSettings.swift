import PlatformKit
import SQLite

/// Limits that the fixtures may set.
struct Settings: Sendable, Equatable, Codable {
    /// Wrong PINs until it is blocked. 5 when left out.
    var pinTries: Int?
    /// How long a flow waits for its next step. 120 when left out.
    var flowSeconds: Int?
    /// How long codes for enrolment and signature live. 600 when left out.
    var codeSeconds: Int?
    /// How long a push can be answered. 600 when left out.
    var messageSeconds: Int?

    static let kept = Setting<Settings>("nextauth.settings")

    enum CodingKeys: String, CodingKey {
        case pinTries = "pin_tries"
        case flowSeconds = "flow_seconds"
        case codeSeconds = "code_seconds"
        case messageSeconds = "message_seconds"
    }

    var tries: Int { pinTries ?? 5 }
    var flowLife: Double { Double(flowSeconds ?? 120) }
    var codeLife: Double { Double(codeSeconds ?? 600) }
    var messageLife: Double { Double(messageSeconds ?? 600) }
}

extension World {
    /// Limits of this world. They change when fixtures are loaded, and not otherwise.
    func settings(in db: Connection) throws -> Settings {
        try services.memo.value("nextauth.settings") { try Settings.kept.value(in: db) ?? Settings() }
    }
}
