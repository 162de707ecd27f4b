import Essentials
import PlatformKit

/// A version of a mobile app with the vendor's names, made of ours and back. Source: Token Server documentation, application
/// version API.
enum ApplicationVersionSettings {
    private static let signatures = ["application_signature", "application_signatures"]
    private static let mapped = Set(
        ["mobile_app_id", "platform", "version_name", "status", "integrity_check"] + signatures)

    /// What the API shows: everything but the signatures.
    static func json(of version: ApplicationVersion, application: String) -> JSONValue {
        let members: [String: JSONValue] = [
            "mobile_app_id": .string(application), "platform": .string(version.platform.rawValue),
            "version_name": .string(version.name), "status": .string(version.status.rawValue),
            "integrity_check": .string(version.integrityCheck.rawValue),
            "tampering_protection_enabled": false, "payload_encryption_enabled": false,
        ]
        return .object(members.merging(version.vendor) { _, kept in kept })
    }

    /// Puts the members of a body into a version; those that are absent leave what is there, an empty text takes a setting away.
    ///
    /// - Parameter isNew: whether status and signatures must come.
    static func apply(_ input: Members, to version: inout ApplicationVersion, isNew: Bool) throws {
        let statuses = ApplicationVersion.Status.allCases.map(\.rawValue)
        if let status = try input.choice("status", of: statuses, isRequired: isNew) {
            version.status = ApplicationVersion.Status(rawValue: status) ?? version.status
        }
        let checks = ApplicationVersion.IntegrityCheck.allCases.map(\.rawValue)
        if let check = try input.choice("integrity_check", of: checks) {
            version.integrityCheck =
                ApplicationVersion.IntegrityCheck(rawValue: check) ?? version.integrityCheck
        }
        let isOld = input.values["application_signatures"] == nil
        let old = try isOld ? input.anyText("application_signature").map { [$0] } : nil
        if let sent = try old ?? input.texts("application_signatures", isRequired: isNew && old == nil) {
            if sent.isEmpty || sent.contains("") {
                try input.fail(
                    "application_signatures", "must have at least one signature, none of them empty")
            }
            version.signatures = sent
        }
        for name in ["tampering_protection_enabled", "payload_encryption_enabled"] {
            _ = try input.optionalBoolean(name)
        }
        for (name, value) in input.values where !mapped.contains(name) {
            version.vendor[name] = value == "" ? nil : value
        }
    }
}
