import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

/// Signatures over free data, and what devices sign without a network. Source of all: published behaviour of the PowerAuth Server.
extension PowerAuth {
    /// `POST /rest/v3/signature/ecdsa/verify`: a signature by the key of a device, over any data.
    ///
    /// - Request: `{"activationId", "data", "signature", "signatureFormat"?: "DER" or "JOSE"}`, data and signature in Base64.
    /// - Response: `signatureValid`, false for an activation that never was.
    /// - Errors: `ERR0008` unless it is active, `ERR0024`.
    func verifyDeviceSignature(_ request: Request) throws -> Response {
        try .management(["signatureValid": .boolean(checkedDeviceSignature(request).isValid)])
    }

    /// - Returns: no activation for one that never was.
    func checkedDeviceSignature(_ request: Request) throws -> (activation: Activation?, isValid: Bool) {
        let input = try managementInput(request)
        let id = try input.text("activationId")
        let data = try bytes("data", input)
        let signature = try bytes("signature", input)
        let form = try signatureForm(input)
        try input.check()
        guard let activation = try change({ turn in try activations.find(id, in: turn) }) else {
            note(
                "signature refused",
                "There is no activation \(id.prefix(60)), whose device could have signed.")
            return (nil, false)
        }
        guard activation.state == .active,
            let key = try database.read({ db in try activation.deviceSigningKey(in: db) })
        else {
            throw ManagementRefusal(.wrongState(activation.state, wanted: "ACTIVE"))
        }
        let isValid = DataSignature.isValid(signature, for: data, by: key, form: form)
        if !isValid {
            note(
                "signature refused", about: activation.user,
                "The signature is not one over these \(data.count) bytes by the device key of \(id).")
        }
        return (activation, isValid)
    }

    /// `POST /rest/v3/signature/ecdsa/sign`: a signature by the server's key of an activation.
    ///
    /// - Request: `{"activationId", "data", "signatureFormat"?}`, data in Base64.
    /// - Response: `signature`, Base64.
    /// - Errors: `ERR0008` unless it is active, `ERR0009`, `ERR0024`.
    func makeServerSignature(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("activationId")
        let data = try bytes("data", input)
        let form = try signatureForm(input)
        try input.check()
        let signature = try DataSignature.sign(data, by: serverKey(of: id), form: form)
        return .management(["signature": .string(Base64.encode(signature))])
    }

    /// `POST /rest/v3/signature/offline/personalized/create`: the content of a QR code for one device.
    ///
    /// - Request: `{"activationId", "data", "nonce"?, "proximityCheck"?: {"seed", "stepLength"?}}`.
    /// - Response: `offlineData`, `nonce`.
    /// - Errors: `ERR0008` unless it is active, `ERR0009`, `ERR0024`.
    func createPersonalizedOfflineData(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("activationId")
        let data = try input.text("data", 1...65_536)
        let nonce = try input.optionalText("nonce")
        let check = try proximityCheck(input)?.password
        try input.check()
        let activation = try requireActive(id)
        let key = try database.read { db in try activation.offlineKey(in: db) }
        return try offlineData(data, check, nonce: nonce, key: key)
    }

    /// `POST /rest/v3/signature/offline/non-personalized/create`: the same for every device of an application.
    ///
    /// - Request: `{"applicationId", "data"}`.
    /// - Response: `offlineData`, `nonce`.
    /// - Errors: `ERR0015`, `ERR0024`.
    func createOfflineData(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("applicationId")
        let data = try input.text("data", 1...65_536)
        try input.check()
        let application = try database.read { try requireApplication(id, in: $0) }
        return try offlineData(data, nil, nonce: nil, key: .master(world.masterKey(of: application)))
    }

    /// `POST /rest/v3/signature/list`: how checks of a user's activations came out, oldest first.
    ///
    /// - Request: `{"userId", "applicationId"?, "timestampFrom"?, "timestampTo"?}`.
    /// - Response: `items` of `activationId`, `userId`, `applicationId`, `activationStatus`, `signatureType`, `valid`, `version`,
    ///   `timestampCreated`; of codes that this API verified also `signature`, `signatureVersion`, and `dataBase64` up to 64 KiB.
    /// - Errors: `ERR0001`, `ERR0024`.
    func listSignatures(_ request: Request) throws -> Response {
        let newer = ["signatureAlgorithm", "signatureFormat"]
        return try listedSignatures(request) { record in
            guard !record.isOfDeviceKey else { return nil }
            return record.data.object.map { $0.filter { !newer.contains($0.key) } }
        }
    }

    /// `POST /rest/v4/audit/list`: the same, with checks of signatures by `dsa/verify`, *assumed* as the names of algorithms have them.
    ///
    /// - Request: as of version 3.
    /// - Response: as of version 3, and `signatureAlgorithm` (`PowerAuth-V3`, `PowerAuth-V4`, `ECDSA_P256`, `ECDSA_P384`, `MLDSA_65`,
    ///   `MLDSA_87`), `signatureFormat` (`DECIMAL`, `BASE64`, `DER`, `JOSE`).
    /// - Errors: `ERR0001`, `ERR0024`.
    func listAudit(_ request: Request) throws -> Response { try listedSignatures(request) { $0.data.object } }

    /// - Parameter shown: what is told of a record beside what every list tells; nil leaves it out.
    private func listedSignatures(
        _ request: Request, _ shown: (AuditRecord) -> [String: JSONValue]?
    ) throws -> Response {
        let input = try managementInput(request)
        if input["userId"] == nil { throw ManagementRefusal(.userMissing, "No user ID was set.") }
        let user = try input.text("userId")
        let application = try input.optionalText("applicationId")
        let from = try input.optionalTime("timestampFrom") ?? .distantPast
        let to = try input.optionalTime("timestampTo") ?? .distantFuture
        try input.check()
        let records = try database.read { try AuditRecord.all(of: user, from: from, to: to, in: $0) }
        let items = records.filter {
            ($0.type.hasPrefix("signature_") || $0.isOfDeviceKey)
                && (application == nil || $0.application == application)
        }.compactMap { record -> JSONValue? in
            guard var members = shown(record) else { return nil }
            members["signatureType"] = members["signatureType"]?.string.map { .string($0.uppercased()) }
            return JSONValue.object(
                members.merging([
                    "activationId": .string(record.activation), "userId": .string(record.user),
                    "applicationId": .string(record.application),
                    "valid": .boolean(record.type.hasSuffix("_ok")),
                    "timestampCreated": record.at.managementTime,
                ]) { _, own in own })
        }
        return .management(["items": .array(items)])
    }

    private func offlineData(
        _ data: String, _ check: OneTimePassword?, nonce text: String?, key: OfflineQRCode.Key
    ) throws -> Response {
        do {
            let nonce =
                try text.map { try Nonce(base64: $0) }
                ?? Nonce(services.entropy.bytes(16, "powerauth.offline-nonce"))
            let otp = check?.code(at: services.clock.now().unixSeconds)
            let code = try OfflineQRCode(data: data, otp: otp, nonce: nonce, key: key)
            return .management(["offlineData": .string(code.text), "nonce": .string(nonce.base64)])
        } catch let fault as ProtocolFault {
            throw ManagementRefusal(.invalidRequest, "The offline data cannot be made: \(fault).")
        }
    }

    private func serverKey(of id: String) throws -> PrivateKey {
        let activation = try requireActive(id)
        return try database.read { db in try activation.signingKey(in: db) }
    }

    func requireActive(_ id: String) throws -> Activation {
        let activation = try change { turn in try requireActivation(id, in: turn) }
        guard activation.state == .active else {
            throw ManagementRefusal(.wrongState(activation.state, wanted: "ACTIVE"))
        }
        return activation
    }

    func bytes(_ name: String, _ input: Members) throws -> [UInt8] {
        if let bytes = WireBase64.decode(try input.text(name, 1...Int.max)) { return bytes }
        try input.refuse(name, "Base64")
        return []
    }

    func signatureForm(_ input: Members) throws -> DataSignature.Form {
        switch try input.optionalText("signatureFormat") {
        case nil, "DER": return .der
        case "JOSE": return .jose
        default:
            try input.refuse("signatureFormat", "DER or JOSE")
            return .der
        }
    }
}
