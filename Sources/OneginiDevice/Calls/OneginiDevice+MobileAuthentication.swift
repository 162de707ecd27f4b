import Crypto
package import DeviceKit
import Essentials
import HTTP

extension OneginiDevice {
    /// A request as the app shows it, decrypted.
    package struct Question: Sendable, Codable, Equatable {
        package enum Way: String, Sendable, Codable, CaseIterable { case otp, push }

        /// Whether a yes needs the PIN.
        package var asksForPIN: Bool { method == "PUSH_WITH_PIN" }

        package let way: Way
        package let transactionID: String
        /// The configured type's name.
        package let type: String
        package let message: String
        /// `OTP`, `PUSH`, `PUSH_WITH_PIN`; nil when the server does not tell.
        package let method: String?
        /// What is to be signed; nil for nothing.
        package let signingData: String?
        /// Milliseconds since 1970.
        package let expiresAt: Int?
        let challenge: String

        /// What somebody makes up who knows the id of a transaction and has read nothing of it.
        package init(guessed id: String, _ way: Way) {
            (self.way, transactionID, type, message) = (way, id, "", "which nobody asked this phone about")
            (method, signingData, expiresAt) = (nil, nil, nil)
            challenge = String(repeating: "0", count: 32)
        }

        init(_ json: JSONValue, _ way: Way) throws {
            self.way = way
            (transactionID, type) = (try json.text("transaction_id"), try json.text("type"))
            (message, challenge) = (try json.text("message"), try json.text("challenge"))
            (signingData, method) = (json["signing_data"]?.string, json["method"]?.string)
            expiresAt = json["expires_at"]?.integer
        }
    }

    /// A push that waits on the device.
    package struct Pending: Sendable, Codable, Equatable {
        package let transactionID: String
        package let profile: String
        package let message: String
    }

    /// Enrols the user who is logged in: keys are exchanged in three steps.
    ///
    /// - Parameter key: a private key of RSA in PEM; a new one without it, which takes some 200 ms.
    package mutating func enroll(key: String? = nil, using services: DeviceServices) throws {
        let profile = try requireProfile()
        let pem = try key ?? PrivateKey.generate(.rsa(bits: 2048)).pem()
        // A key from the future is no good, and clocks differ.
        let made = PGPKey(pem: pem, createdAt: services.now.unixSeconds - 10)
        let begun = try call(
            "POST", "/mobile-auth/enrollments", ["profile_id": .string(profile.id)], as: .user,
            using: services)
        let place = "/mobile-auth/enrollments/" + (try begun.text("enrollment_id"))
        let keys = try call(
            "PUT", place + "/keys", ["public_key": .string(made.certificate())], as: .user, using: services)
        let serverKey = try keys.text("server_public_key")
        guard try PGPCertificate(serverKey).fingerprint == keys.text("server_key_fingerprint"),
            try Hex.encode(made.publicHalf().fingerprint).uppercased() == keys.text("device_key_fingerprint")
        else { throw DeviceError("the fingerprints are not those of the keys: \(keys.text)") }
        try call("POST", place + "/ack", [:], as: .user, using: services)
        change(profile.id) { ($0.key, $0.serverKey) = (made, serverKey) }
    }

    /// Enrols for pushes as well.
    package mutating func enrollPush(token: String, using services: DeviceServices) throws {
        let profile = try requireProfile()
        try call(
            "PUT", "/mobile-auth/push",
            ["profile_id": .string(profile.id), "push_token": .string(token)], as: .user, using: services)
    }

    /// Ends mobile authentication on this device.
    package mutating func disenroll(using services: DeviceServices) throws {
        let profile = try requireProfile()
        try call(
            "DELETE", "/mobile-auth/enrollment?profile_id=" + profile.id, as: .user, using: services)
        change(profile.id) { ($0.key, $0.serverKey) = (nil, nil) }
    }

    /// Trades what a camera has read for the question, once.
    ///
    /// - Parameter otp: the text of the QR code as it is.
    package mutating func fetch(otp: String, using services: DeviceServices) throws -> Question {
        let profile = try requireProfile()
        let told = try call(
            "POST", "/mobile-auth/otp/fetch",
            ["otp": .string(otp), "profile_id": .string(profile.id)], as: .user, using: services)
        return try read(told, .otp, profile)
    }

    /// The pushes that wait for the users of the device.
    package mutating func pending(using services: DeviceServices) throws -> [Pending] {
        let told = try call("GET", "/mobile-auth/pending", as: .device, using: services)
        return try (told["pending"]?.array ?? []).map {
            Pending(
                transactionID: try $0.text("transaction_id"), profile: try $0.text("profile_id"),
                message: try $0.text("message"))
        }
    }

    /// The question of a push, once.
    ///
    /// - Parameter push: id of its transaction.
    package mutating func fetch(push: String, using services: DeviceServices) throws -> Question {
        let profile = try requireProfile()
        let told = try call(
            "POST", "/mobile-auth/push/\(push.percentEncoded)/fetch", ["profile_id": .string(profile.id)],
            as: .user, using: services)
        return try read(told, .push, profile)
    }

    /// Answers, encrypted to the server.
    ///
    /// - Parameters:
    ///   - pin: where the request asks for it; a wrong one is counted by the server.
    ///   - signs: whether the message is signed around its content as well.
    /// - Returns: the state of the transaction: `AUTHENTICATED` or `DENIED`.
    @discardableResult
    package mutating func answer(
        _ question: Question, confirms: Bool, pin: String? = nil, signs: Bool = false,
        using services: DeviceServices
    ) throws -> String {
        let profile = try requireProfile()
        guard let key = profile.key, let serverKey = profile.serverKey else {
            throw SDKRefusal(local: Self.sdkError(9021))
        }
        let time = services.now.unixSeconds
        let signer = faults.signingKey.map { PGPKey(pem: $0, createdAt: time - 10) } ?? key
        var message = try PGPMessage.encrypt(
            plaintext(question, confirms, pin, profile, signer, time).bytes,
            to: PGPCertificate(serverKey), signer: signs ? signer : nil, at: time, draw: services.draw)
        if faults.breaksMessage { message[message.count - 1] ^= 1 }
        return try call(
            "POST", "/mobile-auth/\(question.way.rawValue)/\(question.transactionID)/answer",
            ["message": .string(Base64.encode(message))], as: .user, using: services
        ).text("state")
    }

    private func plaintext(
        _ question: Question, _ confirms: Bool, _ pin: String?, _ profile: Profile, _ signer: PGPKey,
        _ time: Int
    ) throws -> JSONValue {
        var members: [String: JSONValue] = [
            "v": .integer(faults.version),
            "transaction_id": .string(faults.transactionID ?? question.transactionID),
            "challenge": .string(faults.challenge ?? question.challenge),
            "result": .string(confirms ? "confirm" : "deny"), "timestamp": .integer(time * 1000),
        ]
        members["refresh_token"] = try pin.map { .string(try refreshToken(of: profile, pin: $0)) }
        if confirms, let data = question.signingData {
            let signature = try signer.secret().sign(
                Array((faults.signedData ?? data).utf8), with: .rs256)
            members["signature"] = .string(Base64.encode(signature))
        }
        return .object(members)
    }

    private func read(_ told: JSONValue, _ way: Question.Way, _ profile: Profile) throws -> Question {
        guard let key = profile.key else { throw SDKRefusal(local: Self.sdkError(9021)) }
        guard let message = Base64.decode(try told.text("message")) else {
            throw DeviceError("the message is not Base64")
        }
        let question = try Question(
            JSONValue(parsing: PGPMessage.decrypt(message, with: key)), way)
        guard question.transactionID == (try told.text("transaction_id")) else {
            throw DeviceError("the message is of another transaction")
        }
        return question
    }
}
