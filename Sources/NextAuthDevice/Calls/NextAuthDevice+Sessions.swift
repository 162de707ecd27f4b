import Crypto
package import DeviceKit
package import Essentials

extension NextAuthDevice {
    /// Answers that the device is there.
    ///
    /// - Parameter activity: when the user last did something.
    /// - Returns: seconds until the next ping.
    /// - Throws: ``SDKRefusal`` for a session that has ended, which the device forgets.
    @discardableResult
    package mutating func ping(
        _ session: String, activity: Date? = nil, using services: DeviceServices
    ) throws -> Int {
        var body: [String: JSONValue] = [:]
        body["activity"] = activity.map { .integer($0.unixSeconds) }
        do {
            return try post("/sessions/\(session)/ping", .object(body), using: services).number("next")
        } catch let refusal as SDKRefusal where refusal.status == 404 {
            sessions.removeAll { $0.id == session }
            throw refusal
        }
    }

    /// `AppLogin.stop`, or the end of any session.
    ///
    /// - Parameter reason: `USER`, `INACTIVITY` or `APPLOGIN_TIMEOUT`.
    package mutating func stop(
        _ session: String, reason: String = "USER", using services: DeviceServices
    ) throws {
        try post("/sessions/\(session)/stop", ["reason": .string(reason)], using: services)
        sessions.removeAll { $0.id == session }
    }

    /// What has happened since the last call, which changes accounts and sessions of the device. Asking is no activity of the user.
    ///
    /// - Parameter seconds: waits so long for something to happen.
    package mutating func events(
        waiting seconds: Int = 0, using services: DeviceServices
    ) throws -> [JSONValue] {
        let told = try get(
            "/events", [("since", String(lastEvent)), ("wait", String(seconds))], using: services)
        let events = told["events"]?.array ?? []
        for event in events { try heed(event) }
        lastEvent = try told.number("last")
        return events
    }

    private mutating func heed(_ event: JSONValue) throws {
        switch try event.text("type") {
        case "SESSION_STOP":
            let ended = try event.text("sessionid")
            sessions.removeAll { $0.id == ended }
        case "ACCOUNT_DELETED": try forget(event.number("accountid"))
        case "ACCOUNT_UPDATED":
            let id = try event.number("accountid")
            guard let index = accounts.firstIndex(where: { $0.id == id }) else { return }
            accounts[index].username = event["username"]?.string ?? accounts[index].username
            accounts[index].userID = event["userid"]?.string
        // The app pings, reads messages and looks at servers by itself.
        default: break
        }
    }

    /// Pulls the pushes that nobody has read. No activity of the user.
    package func messages(using services: DeviceServices) throws -> [Message] {
        try (get("/messages", using: services).array ?? []).map(Message.init)
    }

    /// `deleteAccount`, signed by the account.
    package mutating func deleteAccount(_ id: Int, using services: DeviceServices) throws {
        let text = DeviceText(
            id: self.id, type: "DELETE_ACCOUNT", challenge: try challenge(using: services),
            subject: String(id))
        let signature = try account(faults.signer ?? id).key.sign(text.text)
        try delete("/accounts/\(id)", ["signature": .string(signature)], using: services)
        forget(id)
    }

    /// Changes the PIN.
    ///
    /// - Parameter old: biometrics may stand in for the old PIN.
    package func changePIN(
        from old: Credential, to new: String, using services: DeviceServices
    ) throws {
        let challenge = try challenge(using: services)
        var members: [String: JSONValue] = [
            "pinkey": .string(Base64URL.encode(try pinKey(new))), "challenge": .string(challenge),
        ]
        switch old {
        case .pin(let pin): members["oldproof"] = .string(try pinProof(pin, challenge))
        case .biometry:
            let text = DeviceText(id: id, type: "CHANGE_PIN", challenge: challenge)
            members["biometricsignature"] = .string(try requireBiometry().sign(text.text))
        }
        try post("/instance/pin", .object(members), using: services)
    }

    /// State of the second factor at the server: `UNSET`, `SET` or `BLOCKED`.
    package func secondFactor(using services: DeviceServices) throws -> String {
        try get("/instance", using: services).member("secondfactor").text("pin")
    }

    /// Wipes the installation with its accounts.
    package mutating func wipe(using services: DeviceServices) throws {
        try delete("/instance", using: services)
        (accounts, sessions, biometry, newKey) = ([], [], nil, nil)
    }

    private func challenge(using services: DeviceServices) throws -> String {
        try post("/instance/challenge", using: services).text("challenge")
    }

    private mutating func forget(_ account: Int) {
        accounts.removeAll { $0.id == account }
        sessions.removeAll { $0.account == account }
        if accounts.allSatisfy(\.isHeadless) { biometry = nil }
    }
}
