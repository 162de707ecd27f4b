import Essentials

/// What a callback says. What was asked for is there in any case, null where there is no value.
///
/// Source: PowerAuth documentation, callbacks.
struct CallbackBody {
    let callback: RegisteredCallback
    /// How times are written.
    let isISO8601: Bool

    func json(of operation: Operation, at now: Date) -> JSONValue {
        let types = JSONValue(operation.types.map(\.rawValue))
        return filled(
            ["type": "OPERATION", "operationId": .string(operation.id)],
            [
                "userId": text(operation.user), "applications": JSONValue(operation.applications),
                "operationType": .string(operation.type),
                "parameters": .object(operation.parameters.mapValues(JSONValue.string)),
                "additionalData": .object(operation.additionalDataWithDevice),
                "activationFlag": text(operation.flag),
                "status": .string(operation.state(at: now).rawValue), "data": .string(operation.data),
                "failureCount": .integer(operation.failures),
                "maxFailureCount": .integer(operation.maxFailures), "signatureType": types,
                "authenticationCodeType": types, "externalId": text(operation.externalID),
                "timestampCreated": time(operation.createdAt), "timestampExpires": time(operation.expiresAt),
                "timestampFinalized": time(operation.finalizedAt),
            ])
    }

    func json(of activation: Activation) -> JSONValue {
        filled(
            ["type": "ACTIVATION", "activationId": .string(activation.id)],
            [
                "userId": .string(activation.user), "activationName": text(activation.name),
                "deviceInfo": text(activation.deviceInfo), "platform": text(activation.platform),
                "protocol": "powerauth", "activationFlags": JSONValue(activation.flags),
                "activationStatus": .string(activation.state.rawValue),
                "blockedReason": text(activation.blockedReason),
                "applicationId": .string(activation.application),
            ])
    }

    private func filled(
        _ mandatory: [String: JSONValue], _ optional: [String: JSONValue]
    ) -> JSONValue {
        .object(mandatory.merging(optional.filter { callback.attributes.contains($0.key) }) { own, _ in own })
    }

    private func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    private func time(_ date: Date?) -> JSONValue {
        date.map { isISO8601 ? $0.managementTime : $0.cloudTime } ?? .null
    }
}
