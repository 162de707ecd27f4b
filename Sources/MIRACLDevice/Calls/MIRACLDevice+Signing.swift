import Crypto
package import DeviceKit
package import Essentials

extension MIRACLDevice {
    /// Makes the identity that signs in the second generation; in the third one the identity of the login signs.
    ///
    /// - Parameters:
    ///   - pin: of the signatures.
    ///   - loginPIN: of the login.
    package mutating func registerSigning(
        pin: String, loginPIN: String, using services: DeviceServices
    ) throws {
        guard !generation.isTrust else { throw DeviceError("the identity of the login signs already") }
        let told = try logIn(pin: loginPIN, for: .signingRegistration, using: services)
        guard let token = told.renewal else { throw DeviceError("the answer has no “dvsRegister”") }
        let key = try TwistKey(secret: MPinCurve.drawnScalar(services.draw))
        let first = try post(
            address("dvsRegURL"),
            [
                "publicKey": publicKey(key), "deviceName": .string(name), "dvsRegisterToken": .string(token),
            ], for: .registration, using: services)
        let made = try shares(first, of: first.text("mpinId"), using: services)
        signing = try self.token(made, key: key, pin: pin)
    }

    /// `Sign`: proves the PIN first, so that a wrong one is counted, and signs then.
    ///
    /// - Parameter hash: of the document, in hexadecimal.
    /// - Returns: the signature as it goes to who wants it.
    package mutating func sign(
        hash: String, pin: String, using services: DeviceServices
    ) throws -> JSONValue {
        guard let message = Hex.decode(faults.signedHash ?? hash) else {
            throw DeviceError("the hash is not hexadecimal")
        }
        let token: MPinToken
        if generation.isTrust {
            _ = try logIn(pin: pin, for: .signing, using: services)
            token = try required(identity)
        } else {
            token = try required(signing)
            _ = try prove(token, pin, .signing, nil, using: services)
        }
        let seconds = services.now.timeIntervalSince1970 + Double(faults.timeShift)
        guard let time = UInt32(exactly: seconds.rounded(.down)) else {
            throw DeviceError("the time does not fit a signature")
        }
        let x = try MPinCurve.drawnScalar(services.draw)
        let u = try token.commitment(x)
        let v = try token.answer(x, MPinToken.challenge(time, u, message), pin: pin)
        return [
            "hash": .string(hash), "mpinId": .string(token.mpinID), "u": .string(Hex.encode(u.x962)),
            "v": .string(Hex.encode(v.x962)), "publicKey": .string(token.publicKey),
            "dtas": .string(token.dtas), "timestamp": .integer(Int(time)),
        ]
    }

    /// Signs the document of a session, and tells the session.
    ///
    /// - Returns: the signature.
    @discardableResult
    package mutating func signSession(
        _ accessCode: String, pin: String, using services: DeviceServices
    ) throws -> JSONValue {
        let details = try sessionDetails(accessCode, using: services)
        let signature = try sign(hash: details.text("hash"), pin: pin, using: services)
        let text = Base64.encode(signature.bytes)
        _ = try tell("signed", accessCode, ["signature": .string(text)], using: services)
        return signature
    }
}
