import PlatformKit

struct ServerConfiguration: ConfigurationSection {
    var `public` = Public()
    var ip = ClientAddressRules()

    static let members: [ConfigurationMember<Self>] = [
        .section("public", \.public), .section("ip", \.ip),
        .ignored("admin", "the admin API is at /hanko-admin"),
        // No schema has it, a file of the vendor's does.
        .ignored("cors", "CORS stands under “public” of “server”"),
        .ignored("management", "the management API is not emulated"),
    ]

    struct Public: ConfigurationSection {
        var cors = CORS()

        static let members: [ConfigurationMember<Self>] = [
            .section("cors", \.cors), .ignored("address", "one port serves everything; see --port"),
        ]
    }

    struct CORS: ConfigurationSection {
        var allowedOrigins = ["http://localhost:8888"]
        var allowsUnsafeWildcard = false

        static let members: [ConfigurationMember<Self>] = [
            .value("allow_origins", \.allowedOrigins),
            .value("unsafe_wildcard_origin_allowed", \.allowsUnsafeWildcard),
            // No schema has these, files of the vendor's do.
            .ignored(
                "allow_credentials",
                "pages of the allowed origins always send and read with credentials"),
            .ignored("enabled", "CORS is what “allow_origins” says"),
        ]
    }
}

struct WebhooksConfiguration: ConfigurationSection {
    var isEnabled = false
    /// Whether hooks that were made over the admin API end after 30 days without a success.
    var allowsTimeExpiration = false
    /// Hooks of the configuration itself, which never end.
    var hooks: [Hook] = []

    static let members: [ConfigurationMember<Self>] = [
        .value("enabled", \.isEnabled), .value("allow_time_expiration", \.allowsTimeExpiration),
        .value("hooks", \.hooks),
    ]

    struct Hook: Codable, Sendable, Equatable {
        var callback: String
        var events: [String]
    }

    func check() throws {
        for (index, hook) in hooks.enumerated() {
            guard WebhookRules.isURL(hook.callback) else {
                throw FixtureProblem(
                    at: ["hooks", String(index), "callback"], "expected an http or https URL")
            }
            if let unknown = hook.events.first(where: { WebhookEvent(rawValue: $0) == nil }) {
                throw FixtureProblem(
                    at: ["hooks", String(index), "events"], "“\(unknown)” is not a webhook event")
            }
        }
    }
}

struct AuditLogConfiguration: ConfigurationSection {
    var consoleOutput = Output()
    var storage = SwitchConfiguration()

    static let members: [ConfigurationMember<Self>] = [
        .section("console_output", \.consoleOutput), .section("storage", \.storage),
        .ignored("mask", "addresses are shown as they are"),
        .ignored("retention", "the newest 10000 entries are kept"),
    ]

    struct Output: ConfigurationSection {
        var isEnabled = true

        static let members: [ConfigurationMember<Self>] = [
            .value("enabled", \.isEnabled), .ignored("output", "the journal is the console"),
        ]
    }

    var isStored: Bool { storage.isEnabled ?? false }
    /// Whether entries become events of the journal.
    var isTold: Bool { consoleOutput.isEnabled }
}

struct EmailDeliveryConfiguration: ConfigurationSection {
    var isEnabled: Bool?
    var fromAddress: String?
    var fromName: String?

    static let members: [ConfigurationMember<Self>] = [
        .optional("enabled", \.isEnabled), .text("from_address", \.fromAddress),
        .text("from_name", \.fromName), .ignored("smtp", noSMTP),
    ]

    static let noSMTP = "mails go to the outbox; see --smtp-relay"

    func check() throws {
        for (name, text) in [("from_address", fromAddress), ("from_name", fromName)] {
            // RFC 5322 §3.2: what would end a field of the mail.
            guard let text, text.utf8.count > 320 || text.unicodeScalars.contains(where: Self.isControl)
            else { continue }
            throw FixtureProblem(at: [name], "expected at most 320 bytes without control characters")
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || scalar.value == 0x7F
    }
}

struct SecurityNotificationsConfiguration: ConfigurationSection {
    /// By the name of the notification.
    private var notifications: [String: SwitchConfiguration] = [:]

    static let members: [ConfigurationMember<Self>] = [.value("notifications", \.notifications)]

    func mails(_ notification: SecurityNotification) -> Bool {
        notifications[notification.rawValue]?.isEnabled ?? false
    }

    func check() throws {
        let names = SecurityNotification.allCases.map(\.rawValue)
        if let unknown = notifications.keys.sorted().first(where: { !names.contains($0) }) {
            throw FixtureProblem(
                at: ["notifications", unknown], "expected one of " + names.joined(separator: ", "))
        }
    }
}
