import Crypto
import Essentials
import HTTP
import PlatformKit
import PostQuantum
import SQLite

/// Signatures by the keys of protocol 4.0. Source of all: documentation of the PowerAuth Server 2.x, “Web Services – Methods V4”.
extension PowerAuth {
    /// `POST /rest/v4/dsa/sign`: signatures by the server's keys of an activation.
    ///
    /// - Request: `{"activationId", "data", "signatureFormat"?}`, data in Base64.
    /// - Response: `signature`, and in the hybrid suites `signatureMldsa`, both in Base64.
    /// - Errors: `ERR0008` unless it is active, `ERR0009`, `ERR0024`.
    func makeServerSignatures(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("activationId")
        let data = try bytes("data", input)
        let form = try signatureForm(input)
        try input.check()
        let activation = try requireActive(id)
        let (key, second) = try database.read { db in
            (try activation.signingKey(in: db), try activation.secrets(in: db)?.signer().second)
        }
        var members: [String: JSONValue] = [
            "signature": .string(Base64.encode(try DataSignature.sign(data, by: key, form: form)))
        ]
        members["signatureMldsa"] = try second.map {
            .string(
                Base64.encode(
                    try $0.sign(data, randomness: services.entropy.bytes(32, "powerauth.signature"))))
        }
        return .management(members)
    }

    /// `POST /rest/v4/dsa/verify`: a signature by a key of a device, over any data.
    ///
    /// - Request: `{"activationId", "data", "signature", "signatureFormat"?, "signatureType"?: "ECDSA" or "MLDSA"}`, data and signature in
    ///   Base64.
    /// - Response: `signatureValid`, false for an activation that never was.
    /// - Errors: `ERR0008` unless it is active, `ERR0024`.
    func verifyDeviceSignature4(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        guard try input.optionalText("signatureType") ?? "ECDSA" != "ECDSA" else {
            let (activation, isValid) = try checkedDeviceSignature(request)
            let curve = activation?.generation == 4 ? "P384" : "P256"
            return try audited(
                activation, "ECDSA_" + curve, input["signatureFormat"]?.string ?? "DER", isValid: isValid)
        }
        let id = try input.text("activationId")
        let (data, signature) = (try bytes("data", input), try bytes("signature", input))
        if input["signatureType"]?.string != "MLDSA" { try input.refuse("signatureType", "ECDSA or MLDSA") }
        try input.check()
        guard try change({ turn in try activations.find(id, in: turn) }) != nil else {
            note(
                "signature refused",
                "There is no activation \(id.prefix(60)), whose device could have signed.")
            return .management(["signatureValid": false])
        }
        let activation = try requireActive(id)
        let secrets = try database.read { db in try activation.secrets(in: db) }
        guard let set = secrets?.suite.signature, let info = secrets?.deviceSecondKey?.bytes else {
            throw ManagementRefusal(.invalidRequest, "The activation \(id) has no key of ML-DSA.")
        }
        let isValid = try MLDSA.VerificationKey(set, subjectPublicKeyInfo: info).isValid(signature, for: data)
        if !isValid {
            note(
                "signature refused", about: activation.user,
                "The signature is not one over these \(data.count) bytes by the key of \(set.rawValue) of the device of \(id)."
            )
        }
        let algorithm = set.rawValue.replacing("ML-DSA-", with: "MLDSA_")
        return try audited(activation, algorithm, "BASE64", isValid: isValid)
    }

    private func audited(
        _ activation: Activation?, _ algorithm: String, _ format: String, isValid: Bool
    ) throws -> Response {
        if let activation {
            try world.change { turn in
                try turn.audit(signatureOf: activation, algorithm, format, isValid: isValid)
            }
        }
        return .management(["signatureValid": .boolean(isValid)])
    }
}
