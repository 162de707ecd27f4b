import Essentials

extension Operation {
    /// The operation as the management API tells it.
    ///
    /// - Parameter withOTP: whether the one-time password of a proximity check is told.
    /// - Throws: `ProtocolFault` for a seed that makes no one-time passwords.
    func managedMembers(at now: Date, withOTP: Bool) throws -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "id": .string(id), "applications": JSONValue(applications), "operationType": .string(type),
            "templateName": .string(template), "data": .string(data),
            "parameters": .object(parameters.mapValues(JSONValue.string)),
            "additionalData": .object(additionalDataWithDevice),
            "status": .string(state(at: now).rawValue),
            "signatureType": JSONValue(types.map { $0.rawValue.uppercased() }),
            "failureCount": .integer(failures), "maxFailureCount": .integer(maxFailures),
            "timestampCreated": createdAt.managementTime, "timestampExpires": expiresAt.managementTime,
            "riskFlags": .string(riskFlags),
        ]
        members["userId"] = user.map(JSONValue.string)
        members["activationId"] = activation.map(JSONValue.string)
        members["externalId"] = externalID.map(JSONValue.string)
        members["activationFlag"] = flag.map(JSONValue.string)
        members["statusReason"] = stateReason.map(JSONValue.string)
        members["timestampFinalized"] = finalizedAt.map(\.managementTime)
        if withOTP { members["proximityOtp"] = try proximityOTP(at: now).map(JSONValue.string) }
        return members
    }
}

extension OperationResult {
    /// `{"result", "operation"}`
    func managedMembers(at now: Date) throws -> [String: JSONValue] {
        [
            "result": .string(word.rawValue),
            "operation": .object(try operation.managedMembers(at: now, withOTP: false)),
        ]
    }
}
