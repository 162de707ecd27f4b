import Essentials
import PlatformKit
import SQLite

/// What a back end asks for when it creates an operation.
struct NewOperation: Sendable {
    var template: String
    var user: String?
    var activation: String?
    /// Those of the caller.
    var applications: [String]
    var parameters: [String: String] = [:]
    var additionalData: [String: JSONValue] = [:]
    var language = "en"
    var externalID: String?
    var flag: String?
    var expiresAt: Date?
    /// The template's when nil.
    var checksProximity: Bool?
    var isSilent = false
}

extension NewOperation {
    /// What becomes of it: state PENDING, data with the parameters put in.
    ///
    /// - Throws: ``OperationRefusal``.
    func operation(of templates: Templates, services: Services, in turn: Turn) throws -> Operation {
        let known = try known(in: templates, turn.db)
        let user = try owner(in: turn.db)
        try check(at: turn.now)
        let template = known.template
        let checksProximity = checksProximity ?? template.checksProximity
        return Operation(
            id: services.entropy.uuid(for: "powerauth.operation"), user: user, activation: activation,
            applications: applications, template: template.name, type: template.type,
            data: try data(of: known), parameters: parameters, additionalData: additionalData,
            state: .pending, types: template.types, riskFlags: template.riskFlags, failures: 0,
            maxFailures: template.maxFailures,
            proximitySeed: checksProximity
                ? Base64Bytes(services.entropy.bytes(16, "powerauth.proximity")) : nil,
            flag: flag, externalID: externalID, language: language, createdAt: turn.now,
            expiresAt: expiresAt ?? turn.now.addingTimeInterval(Double(template.seconds)))
    }

    /// In bytes: a template may name a long parameter often.
    static let operationDataLimit = 65_536

    private func data(of known: Templates.Known) throws -> String {
        let values = parameters.mapValues(\.escapedForOperationData)
        guard known.data.byteCount(with: values) <= Self.operationDataLimit else {
            throw OperationRefusal.dataTooLong(limit: Self.operationDataLimit)
        }
        return known.data.filled(with: values)
    }

    private func known(in templates: Templates, _ db: Connection) throws -> Templates.Known {
        guard !template.isEmpty else { throw OperationRefusal.templateMissing }
        guard !applications.isEmpty else { throw OperationRefusal.applicationMissing }
        if let activation, activation.utf8.count > 37 { throw OperationRefusal.registrationTooLong }
        guard let known = templates.operations[template] else {
            throw OperationRefusal.templateUnknown(template, known: templates.operations.keys.sorted())
        }
        for id in applications where try Application.find(id, in: db) == nil {
            throw OperationRefusal.applicationUnknown(id)
        }
        return known
    }

    /// The user who is named, or else the device's.
    private func owner(in db: Connection) throws -> String? {
        guard let id = activation else { return user }
        guard let device = try Activation.find(id, in: db) else {
            throw OperationRefusal.registrationUnknown(id)
        }
        if let user, user != device.user {
            throw OperationRefusal.registrationForeign(device, user: user)
        }
        return device.user
    }

    private func check(at now: Date) throws {
        if let expiry = expiresAt, expiry <= now {
            throw OperationRefusal.expiryInPast(expiry, now: now)
        }
        // By name, so that the same request hears the same reason.
        for (name, value) in parameters.sorted(by: { $0.key < $1.key })
        where value.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\n" }) {
            throw OperationRefusal.controlCharacter(in: name)
        }
    }
}

extension String {
    /// As operation data spells a text: `\\`, `\*` and `\n`. Source: PowerAuth documentation, “Operation Data Structure”.
    fileprivate var escapedForOperationData: String {
        guard contains(where: { $0 == "\\" || $0 == "*" || $0 == "\n" || $0 == "\r\n" }) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "*": text += "\\*"
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
