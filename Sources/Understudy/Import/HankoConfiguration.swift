import Essentials

/// Hanko's own configuration as JSON; the file itself is YAML.
///
/// Source: Hanko, backend/docs/Config.md.
enum HankoConfiguration: ForeignFormat {
    static let title = "a configuration of Hanko"

    private static let telling: Set = [
        "webauthn", "passkey", "third_party", "email_delivery", "security_notifications", "rate_limiter",
    ]
    private static let others: Set = [
        "secrets", "service", "session", "email", "emails", "password", "username", "account", "privacy",
        "mfa", "smtp", "passcode", "database",
        "server", "saml", "audit_log", "log", "webhooks", "convert_legacy_config", "flow_locker",
        "multi_tenancy", "default_email_delivery",
    ]

    static func fits(_ value: JSONValue) -> Bool {
        let names = Set((value.object ?? [:]).keys)
        let known = names.intersection(telling.union(others))
        return known.count > 1 || !names.isDisjoint(with: telling)
    }

    static func fixtures(of file: Foreign) -> JSONValue {
        var config: [String: JSONValue] = [:]
        for name in (file.value.object ?? [:]).keys.sorted() { config[name] = file.any(name) }
        file.note("the profile is classic, Hanko 2.7; with \"profile\": \"current\" beside config it is 3.x")
        return ["hanko": .object(["config": .object(config)])]
    }
}
