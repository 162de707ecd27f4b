import Essentials
import HTTP
import PlatformKit
import SQLite

/// Templates of operations. Source of all: published behaviour of the PowerAuth Server.
extension PowerAuth {
    /// `POST /rest/v3/operation/template/list`.
    ///
    /// - Request: `{}`.
    /// - Response: a list of templates.
    /// - Errors: none of its own.
    func listOperationTemplates(_ request: Request) throws -> Response {
        _ = try managementInput(request)
        let templates = try database.read { try $0.all(OperationTemplate.self) }
        return .powerAuth(responseObject: .array(templates.map { .object($0.managedMembers) }))
    }

    /// `POST /rest/v3/operation/template/detail`.
    ///
    /// - Request: `{"id"}`, a number.
    /// - Response: the template.
    /// - Errors: `ERR0024`, `ERR0033`.
    func showOperationTemplate(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let number = try input.templateNumber()
        try input.check()
        let template = try database.read { try requireTemplate(number, in: $0) }
        return .management(template.managedMembers)
    }

    /// `POST /rest/v3/operation/template/create`.
    ///
    /// - Request: `{"templateName", "operationType", "dataTemplate", "signatureType", "maxFailureCount", "expiration", "riskFlags"?,
    ///   "proximityCheckEnabled"?}`.
    /// - Response: the template with its number.
    /// - Errors: `ERR0024`, `ERR0039` for a name that is taken.
    func createOperationTemplate(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let template = try input.template(named: input.text("templateName"))
        let created = try change { turn -> OperationTemplate in
            turn.forgetTemplates()
            do {
                try turn.insert(template)
            } catch let error as SQLiteError where error.isUniqueViolation {
                throw ManagementRefusal(
                    .templateExists, "There is an operation template “\(template.name)” already.")
            }
            return try requireTemplate(turn.db.lastInsertID, in: turn.db)
        }
        return .management(created.managedMembers)
    }

    /// `POST /rest/v3/operation/template/update`: everything but the name. Operations that exist stay as they are.
    ///
    /// - Request: `{"id"}` and what a creation has besides the name.
    /// - Response: the template.
    /// - Errors: `ERR0024`, `ERR0033`.
    func updateOperationTemplate(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let number = try input.templateNumber()
        let wanted = try input.template(named: "-")
        let updated = try change { turn -> OperationTemplate in
            turn.forgetTemplates()
            var template = wanted
            template.name = try requireTemplate(number, in: turn.db).name
            template.number = number
            try turn.update(template)
            return template
        }
        return .management(updated.managedMembers)
    }

    /// `POST /rest/v3/operation/template/remove`. Operations that exist stay as they are.
    ///
    /// - Request: `{"id"}`, a number.
    /// - Response: `{"status":"OK"}`.
    /// - Errors: `ERR0024`, `ERR0033`.
    func removeOperationTemplate(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let number = try input.templateNumber()
        try input.check()
        try change { turn in
            turn.forgetTemplates()
            try turn.delete(try requireTemplate(number, in: turn.db))
        }
        return .powerAuth()
    }

    private func requireTemplate(_ number: Int, in db: Connection) throws -> OperationTemplate {
        if let template = try db.first(OperationTemplate.self, where: "number = \(number)") {
            return template
        }
        throw ManagementRefusal(.templateUnknown, "There is no operation template with the number \(number).")
    }
}

extension Members {
    fileprivate func templateNumber() throws -> Int {
        if let number = try optionalInteger("id", 1...Int.max) { return number }
        if self["id"] == nil { try refuse("id", "the number of a template") }
        return 0
    }

    /// - Throws: `ERR0024` with everything that is wrong.
    fileprivate func template(named name: String) throws -> OperationTemplate {
        let words = try optionalTexts("signatureType") ?? []
        let types = words.compactMap(SignatureType.init(_:))
        if types.count != words.count { try refuse("signatureType", "a list of combinations of factors") }
        let template = try OperationTemplate(
            name: name, type: text("operationType"), data: text("dataTemplate", 0...65_536), types: types,
            maxFailures: optionalInteger("maxFailureCount", OperationTemplate.failureLimits) ?? 5,
            seconds: optionalInteger("expiration", OperationTemplate.secondLimits) ?? 300,
            riskFlags: optionalText("riskFlags", 0...3) ?? "",
            checksProximity: optionalBoolean("proximityCheckEnabled") ?? false)
        if let fault = template.fault { try refuse(fault.member.wireName, fault.reason) }
        try check()
        return template
    }
}

extension OperationTemplate {
    fileprivate var managedMembers: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "templateName": .string(name), "operationType": .string(type), "dataTemplate": .string(data),
            "signatureType": JSONValue(types.map { $0.rawValue.uppercased() }),
            "maxFailureCount": .integer(maxFailures), "expiration": .integer(seconds),
            "riskFlags": .string(riskFlags), "proximityCheckEnabled": .boolean(checksProximity),
        ]
        members["id"] = number.map(JSONValue.integer)
        return members
    }
}

extension OperationTemplate.Member {
    fileprivate var wireName: String {
        switch self {
        case .name: "templateName"
        case .type: "operationType"
        case .types: "signatureType"
        case .maxFailures: "maxFailureCount"
        case .seconds: "expiration"
        case .riskFlags: "riskFlags"
        }
    }
}
