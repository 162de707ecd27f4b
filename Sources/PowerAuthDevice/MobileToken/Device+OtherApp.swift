import DeviceKit
package import Essentials

extension Device {
    /// A code with which another app of the same house is activated.
    package struct SpawnedCode: Sendable, Equatable {
        package let activationID: String
        package let code: ActivationCode
    }

    /// `/api/activation/code`: signed with two factors, and then encrypted.
    ///
    /// - Parameters:
    ///   - applicationID: of the other app.
    ///   - otp: at least 16 signs.
    ///   - isWrapped: whether what is encrypted has an envelope.
    package func activationCode(
        forApplication applicationID: String, otp: String, with credential: Credential,
        isWrapped: Bool = true
    ) throws -> SpawnedCode {
        let path = "/api/activation/code"
        let members: JSONValue = ["applicationId": .string(applicationID), "otp": .string(otp)]
        let request = isWrapped ? Self.wrapped(members) : members
        let object = try Self.opened(
            encryptedCall(
                path, style.json(request), .activation, signing: .plaintext(uriID: path, credential)))
        let text = try object.text("activationCode") + "#" + object.text("activationSignature")
        return SpawnedCode(
            activationID: try object.text("activationId"), code: try ActivationCode(parsing: text))
    }

    /// `/api/config/oidc`: how to start at a provider; no activation is needed.
    ///
    /// - Parameter isWrapped: whether what is encrypted has an envelope; the published SDKs send the object alone.
    package func openIDConfiguration(provider: String, isWrapped: Bool = true) throws -> JSONValue {
        let members: JSONValue = ["providerId": .string(provider)]
        let request = isWrapped ? Self.wrapped(members) : members
        return try Self.opened(encryptedCall("/api/config/oidc", style.json(request), .application))
    }

    private static func opened(_ plaintext: [UInt8]) throws -> JSONValue {
        let answer = try JSONValue(parsing: plaintext)
        guard answer["status"]?.string == "OK", let object = answer["responseObject"] else {
            throw DeviceError("the decrypted answer is not an envelope: \(answer.text)")
        }
        return object
    }
}
