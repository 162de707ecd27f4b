import Essentials
import PlatformKit
import SQLite

extension PowerAuth {
    /// Makes an operation of a template: state PENDING, data with the parameters put in.
    ///
    /// - Throws: ``OperationRefusal``.
    func createOperation(_ new: NewOperation, in turn: inout Turn) throws -> Operation {
        let known = try template(for: new, in: turn.db)
        let user = try owner(of: new, in: turn.db)
        try check(new, at: turn.now)
        let template = known.template
        let checksProximity = new.checksProximity ?? template.checksProximity
        let operation = Operation(
            id: services.entropy.uuid(for: "powerauth.operation"), user: user, activation: new.activation,
            applications: new.applications, template: template.name, type: template.type,
            data: try data(of: new, by: known),
            parameters: new.parameters, additionalData: new.additionalData, state: .pending,
            types: template.types, riskFlags: template.riskFlags, failures: 0,
            maxFailures: template.maxFailures,
            proximitySeed: checksProximity
                ? Base64Bytes(services.entropy.bytes(16, "powerauth.proximity")) : nil,
            flag: new.flag, externalID: new.externalID, language: new.language, createdAt: turn.now,
            expiresAt: new.expiresAt ?? turn.now.addingTimeInterval(Double(template.seconds)))
        try turn.db.insert(operation)
        turn.news.append(.operationCreated(operation, isSilent: new.isSilent))
        return operation
    }

    /// In bytes: a template may name a long parameter often.
    static let operationDataLimit = 65_536

    private func data(of new: NewOperation, by known: Templates.Known) throws -> String {
        let values = new.parameters.mapValues(\.escapedForOperationData)
        guard known.data.byteCount(with: values) <= Self.operationDataLimit else {
            throw OperationRefusal(
                .invalidRequest,
                "With these parameters the data of the operation has more than \(Self.operationDataLimit) bytes."
            )
        }
        return known.data.filled(with: values)
    }

    private func template(for new: NewOperation, in db: Connection) throws -> Templates.Known {
        guard !new.template.isEmpty else {
            throw OperationRefusal(.invalidRequest, "An operation needs the name of a template.")
        }
        guard !new.applications.isEmpty else {
            throw OperationRefusal(.invalidRequest, "An operation needs at least one application.")
        }
        guard new.activation.map({ $0.utf8.count <= 37 }) ?? true else {
            throw OperationRefusal(.invalidRequest, "The id of a registration has at most 37 characters.")
        }
        let templates = try templates(in: db)
        guard let known = templates.operations[new.template] else {
            let names = templates.operations.keys.sorted().joined(separator: ", ")
            throw OperationRefusal(
                .templateUnknown,
                "There is no operation template \"\(new.template.prefix(60))\"; known are: "
                    + "\(names.isEmpty ? "none" : names).")
        }
        for id in new.applications where try Application.find(id, in: db) == nil {
            throw OperationRefusal.applicationUnknown(id)
        }
        return known
    }

    /// The user who is named, or else the device's.
    private func owner(of new: NewOperation, in db: Connection) throws -> String? {
        guard let id = new.activation else { return new.user }
        guard let activation = try Activation.find(id, in: db) else {
            throw OperationRefusal(.activationUnknown, "There is no registration \"\(id)\".")
        }
        guard new.user == nil || new.user == activation.user else {
            throw OperationRefusal(
                .invalidRequest,
                "The registration \(id) belongs to \"\(activation.user)\", and the operation is for "
                    + "\"\(new.user ?? "")\".")
        }
        return activation.user
    }

    private func check(_ new: NewOperation, at now: Date) throws {
        if let expiry = new.expiresAt, expiry <= now {
            throw OperationRefusal(
                .invalidRequest, "An operation expires in the future, and \(expiry) is not after \(now).")
        }
        // By name, so that the same request hears the same reason.
        for (name, value) in new.parameters.sorted(by: { $0.key < $1.key })
        where value.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\n" }) {
            throw OperationRefusal(
                .invalidRequest,
                "The parameter \"\(name)\" has a control character in it; only line feeds are allowed.")
        }
    }
}

extension String {
    /// As operation data spells a text: `\\`, `\*` and `\n`. Source: PowerAuth documentation, «Operation Data Structure».
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
