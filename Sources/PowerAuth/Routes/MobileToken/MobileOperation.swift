import Essentials
import PlatformKit

extension Operation {
    /// The operation as a device reads it, JSON text.
    func mobileJSON(_ template: ParsedMobileTemplate, language: String, at now: Date) -> [UInt8] {
        var writer = JSONObjectWriter()
        writer.add("id", .string(id))
        writer.add("name", .string(type))
        writer.add("data", .string(data))
        writer.add("status", .string(state(at: now).rawValue))
        if let stateReason { writer.add("statusReason", .string(stateReason)) }
        writer.add("operationCreated", .string(Timestamp.text(createdAt, .seconds)))
        writer.add("operationExpires", .string(Timestamp.text(expiresAt, .seconds)))
        writer.add("allowedSignatureType", json: allowedTypes)
        if let ui = template.ui(of: self) { writer.add("ui", json: ui) }
        writer.add("formData", json: template.formData(with: parameters, language: language))
        return writer.bytes
    }

    /// `1FA` where possession is enough, or else those of the two usual combinations that are allowed.
    private var allowedTypes: [UInt8] {
        let isSingle = types.contains(.possession)
        let variants = types.filter { $0 == .possessionKnowledge || $0 == .possessionBiometry }
        var writer = JSONObjectWriter()
        writer.add("type", .string(isSingle ? "1FA" : "2FA"))
        writer.add("variants", JSONValue(isSingle ? [] : variants.map(\.rawValue)))
        return writer.bytes
    }
}
