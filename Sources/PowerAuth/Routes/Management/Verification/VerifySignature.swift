import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

/// Source of all: published behaviour of the PowerAuth Server.
extension PowerAuth {
    /// `POST /rest/v3/signature/verify`: an authentication code over data that the caller normalised.
    ///
    /// - Request: `{"activationId", "applicationKey", "data", "signature", "signatureType", "signatureVersion",
    ///   "forcedSignatureVersion"?}`.
    /// - Response: `signatureValid`, `activationStatus`, `blockedReason`, `activationId`, `userId`, `applicationId`,
    ///   `applicationRoles`, `activationFlags`, `signatureType`, `remainingAttempts`.
    /// - Errors: `ERR0024`.
    func verifySignature(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("activationId")
        let key = try input.text("applicationKey")
        let data = try input.text("data", 1...Int.max)
        let signature = try input.text("signature", 1...1024)
        let type = try input.optionalText("signatureType").flatMap { SignatureType($0) }
        if type == nil { try input.refuse("signatureType", "factors such as POSSESSION_KNOWLEDGE") }
        let version = try input.optionalText("signatureVersion").flatMap(RequestVersion.init(rawValue:))
        if version == nil { try input.refuse("signatureVersion", RequestVersion.expectation) }
        if version == .four, let type, !Set.anyOf4.contains(type) {
            try input.refuse("signatureType", "POSSESSION, POSSESSION_KNOWLEDGE or POSSESSION_BIOMETRY")
        }
        try input.check()
        guard let type, let version else { throw ManagementRefusal(.invalidRequest, "Nothing to verify.") }
        let verification = try change { turn in
            let before = try activations.find(id, in: turn)
            let outcome = try authentication.verify(
                OnlineCode(
                    text: signature, type: type, version: version, activationID: id, applicationKey: key,
                    data: .normalized(Array(data.utf8))), knowing: before, in: turn)
            var details: [String: JSONValue] = [
                "signature": .string(signature), "signatureType": .string(type.rawValue),
                "signatureVersion": .string(version.rawValue),
            ]
            if data.utf8.count <= Self.auditedBytes {
                let secret = try ApplicationVersion.find(key, in: turn.db)?.secret
                let whole = [data, secret].compactMap(\.self).joined(separator: "&")
                details["dataBase64"] = .string(Base64.encode(Array(whole.utf8)))
            }
            try turn.audit(outcome, "signature", version.authenticationCodeFormat, details: details)
            return Verification(outcome, before: before)
        }
        explain(verification.outcome, "authentication code refused")
        return .management(managementMembers(of: verification, "signatureValid", id: id))
    }

    /// `POST /rest/v3/signature/offline/verify`: an offline code, over data that the caller normalised up to the secret.
    ///
    /// - Request: `{"activationId", "data", "signature", "allowBiometry"?, "proximityCheck"?: {"seed", "stepLength"?,
    ///   "stepCount"?}}`.
    /// - Response: as above.
    /// - Errors: `ERR0009`, `ERR0024`.
    func verifyOfflineSignature(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("activationId")
        let data = try input.text("data", 1...Int.max)
        let signature = try input.text("signature", 1...64)
        let allowsBiometry = try input.optionalBoolean("allowBiometry") ?? false
        let check = try proximityCheck(input)
        try input.check()
        let codes = check.map { $0.password.codes(at: services.clock.now().unixSeconds, stepsBack: $0.count) }
        let bodies = codes.map { codes in codes.map { Array(Self.append($0, to: data).utf8) } }
        let verification = try change { turn in
            let before = try requireActivation(id, in: turn)
            let outcome = try authentication.verifyOffline(
                signature, overNormalized: bodies ?? [Array(data.utf8)],
                types: [.possessionKnowledge] + (allowsBiometry ? [.possessionBiometry] : []),
                activation: before, in: turn)
            try turn.audit(outcome, "signature", .offline())
            return Verification(outcome, before: before)
        }
        explain(verification.outcome, "offline code refused")
        return .management(managementMembers(of: verification, "signatureValid", id: id))
    }

    /// Longer data is not kept in the audit log.
    private static let auditedBytes = 65_536

    /// What makes the codes of a proximity check, and for how many steps back they count; nil without one.
    func proximityCheck(_ input: Members) throws -> (password: OneTimePassword, count: Int)? {
        guard let check = try input.optionalObject("proximityCheck") else { return nil }
        func number(_ name: String, _ preset: Int, _ range: ClosedRange<Int>) -> Int? {
            guard let value = check[name], !value.isNull else { return preset }
            return value.integer.flatMap { range.contains($0) ? $0 : nil }
        }
        guard let seed = check["seed"]?.string.flatMap({ Base64.decode($0) }),
            let step = number("stepLength", 30, 1...3600), let count = number("stepCount", 1, 0...20),
            !seed.isEmpty, let password = try? OneTimePassword(seed: seed, stepSeconds: step)
        else {
            try input.refuse(
                "proximityCheck", "a seed in Base64, a stepLength of 1 to 3600, a stepCount of 0 to 20")
            return nil
        }
        return (password, count)
    }

    /// The body is the last part, in Base64. *Assumed*.
    private static func append(_ code: String, to data: String) -> String {
        var parts = data.split(separator: "&", omittingEmptySubsequences: false).map(String.init)
        guard let last = parts.last, let body = Base64.decode(last) else { return "\(data)&\(code)" }
        parts[parts.count - 1] = Base64.encode(body + Array("&\(code)".utf8))
        return parts.joined(separator: "&")
    }

    /// What this API tells of a check.
    func managementMembers(
        of verification: Verification, _ name: String, id: String?
    ) -> [String: JSONValue] {
        let outcome = verification.outcome
        var members: [String: JSONValue] = [
            name: .boolean(outcome.isValid),
            "activationStatus": .string((outcome.activation?.state ?? .removed).rawValue),
        ]
        members["activationId"] = (outcome.activation?.id ?? id).map(JSONValue.string)
        members["blockedReason"] = outcome.activation?.blockedReason.map(JSONValue.string)
        guard verification.isWhole else { return members }
        members["userId"] = outcome.activation.map { .string($0.user) }
        members["applicationId"] = outcome.application.map { .string($0.id) }
        members["applicationRoles"] = outcome.application.map { JSONValue($0.roles) }
        members["activationFlags"] = outcome.activation.map { JSONValue($0.flags) }
        members["signatureType"] = outcome.type.map { .string($0.rawValue.uppercased()) }
        members["remainingAttempts"] = .integer(outcome.remainingAttempts)
        return members
    }
}
