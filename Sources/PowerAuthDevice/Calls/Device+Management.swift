import DeviceKit
package import Essentials

extension Device {
    /// `activation/remove`, and forgets the activation when the server says that it did.
    package func removeActivation(with credential: Credential) throws {
        let id = try requireActivation().id
        let response = try signedCall(
            root + "activation/remove", uriID: "/pa/activation/remove", with: credential)
        guard response["responseObject"]?["activationId"]?.string == id else {
            throw DeviceError("the server removed another activation: \(response.text)")
        }
        forget()
    }

    /// `activation/detail`: the name of the activation; asks for a token made with two factors.
    package func activationName(token name: String) throws -> String? {
        let plaintext = try encryptedCall(
            root + "activation/detail", nothing, .activation,
            headers: [("X-PowerAuth-Token", tokenHeader(name))])
        return try activationName(plaintext)
    }

    /// `activation/rename`: the new name as the server repeats it.
    @discardableResult
    package func renameActivation(_ name: String, with credential: Credential) throws -> String? {
        let plaintext = try encryptedCall(
            root + "activation/rename", style.json(["activationName": .string(name)]), .activation,
            signing: .plaintext(uriID: "/pa/activation/rename", credential))
        return try activationName(plaintext)
    }

    /// `user/info`: the claims of the person.
    package func userInfo() throws -> JSONValue {
        let claims = try JSONValue(
            parsing: encryptedCall(root + "user/info", nothing, .activation))
        guard claims.object != nil else { throw DeviceError("the claims are not an object: \(claims.text)") }
        return claims
    }

    /// `/pa/v3/recovery/confirm`: whether the code had been confirmed before.
    package func confirmRecovery(_ code: String, with credential: Credential) throws -> Bool {
        guard !isOfFourth else { throw DeviceError("protocol 4.0 has no recovery codes") }
        let answer = try JSONValue(
            parsing: encryptedCall(
                "/pa/v3/recovery/confirm", style.json(["recoveryCode": .string(code)]), .recovery,
                signing: .transmitted(uriID: "/pa/recovery/confirm", credential)))
        guard let flag = answer["alreadyConfirmed"]?.boolean else {
            throw DeviceError("“alreadyConfirmed” is missing in \(answer.text)")
        }
        return flag
    }

    /// `/pa/v3/upgrade/start`: the counter that the activation would go on with.
    package func startUpgrade() throws -> HashCounter {
        let answer = try JSONValue(
            parsing: encryptedCall("/pa/v3/upgrade/start", style.json([:]), .upgrade))
        return HashCounter(try Wire.bytes(answer["ctrData"]?.string, "ctrData", count: 16))
    }

    /// `/pa/v3/upgrade/commit`.
    package func commitUpgrade() throws {
        try signedCall("/pa/v3/upgrade/commit", uriID: "/pa/upgrade/commit", with: .possession)
    }

    private func activationName(_ plaintext: [UInt8]) throws -> String? {
        let answer = try JSONValue(parsing: plaintext)
        // The SDK 2.x reads the members at the top.
        let inside = answer["status"]?.string == "OK" ? answer["responseObject"] : nil
        guard let object = isOfFourth ? answer : inside else {
            throw DeviceError("the decrypted answer is not an envelope: \(answer.text)")
        }
        guard try object.text("activationId") == requireActivation().id else {
            throw DeviceError("the answer is about another activation")
        }
        return object["activationName"]?.string
    }
}
