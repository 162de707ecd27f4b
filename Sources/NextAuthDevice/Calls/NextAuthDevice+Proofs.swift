import Crypto
import DeviceKit
import Essentials

// Steps of a flow: keys, signatures and the second factor.
extension NextAuthDevice {
    /// Makes the account's key.
    mutating func confirmEnrolment(
        _ flow: Flow, isHeadless: Bool, using services: DeviceServices
    ) throws -> Flow {
        let key = try AccountKey(drawnFrom: services.draw)
        newKey = key
        let text = text(flow, subject: key.publicText)
        return try step(
            "confirm", flow,
            [
                "publickey": .string(key.publicText), "description": "Phone",
                "headless": .boolean(isHeadless), "signature": .string(key.sign(text)),
            ], using: services)
    }

    func confirmLogin(_ flow: Flow, account: Int?, using services: DeviceServices) throws -> Flow {
        guard let chosen = account ?? flow.candidates.first else {
            throw DeviceError("the flow has no account to choose from")
        }
        guard account != nil || flow.candidates.count == 1 else {
            throw DeviceError("the user has to choose from the accounts \(flow.candidates)")
        }
        let signature = try signature(flow, account: chosen)
        return try step(
            "confirm", flow, ["accountid": .integer(chosen), "signature": .string(signature)],
            using: services)
    }

    func decide(_ flow: Flow, _ approves: Bool, using services: DeviceServices) throws -> Flow {
        let signed = faults.signsOtherDecision ? !approves : approves
        return try step(
            "confirm", flow,
            ["approve": .boolean(approves), "signature": .string(signature(flow, approves: signed))],
            using: services)
    }

    /// Sets or proves the second factor.
    mutating func prove(
        _ flow: Flow, with credential: Credential, using services: DeviceServices
    ) throws -> Flow {
        try step(
            "secondfactor", flow,
            flow.interaction == "SET_SECOND_FACTOR"
                ? newFactor(credential, services) : factorProof(flow, credential), using: services)
    }

    private mutating func newFactor(
        _ credential: Credential, _ services: DeviceServices
    ) throws -> [String: JSONValue] {
        guard case .pin(let pin) = credential else { throw DeviceError("no PIN is set yet") }
        var members: [String: JSONValue] = ["pinkey": .string(Base64URL.encode(try pinKey(pin)))]
        guard config.biometricsDisabled != true else { return members }
        let key = try AccountKey(drawnFrom: services.draw)
        biometry = key
        members["biometrickey"] = .string(key.publicText)
        return members
    }

    /// The account signs too, where nothing was signed before.
    private func factorProof(_ flow: Flow, _ credential: Credential) throws -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        if ["LOGIN", "APPLOGIN"].contains(flow.type) { members["signature"] = .string(try signature(flow)) }
        switch credential {
        case .pin(let pin):
            members["pinproof"] = .string(try pinProof(pin, faults.challenge ?? flow.challenge))
        case .biometry:
            let subject = try newKey?.publicText ?? String(owner(of: flow).id)
            let approves = flow.type == "TRANSACTION" ? true : nil
            members["biometricsignature"] = .string(
                try requireBiometry().sign(text(flow, subject: subject, approves: approves)))
        }
        return members
    }

    /// The account's, over the flow.
    func signature(_ flow: Flow, account: Int? = nil, approves: Bool? = nil) throws -> String {
        let subject = try account ?? owner(of: flow).id
        let text = text(flow, subject: String(subject), approves: approves)
        return try self.account(faults.signer ?? subject).key.sign(text)
    }

    func requireBiometry() throws -> AccountKey {
        guard let biometry else { throw DeviceError("biometrics are not set up") }
        return biometry
    }

    /// Whom the flow is for: the one that the server named, or the only one of the server.
    private func owner(of flow: Flow) throws -> Account {
        if flow.candidates.count == 1 { return try account(flow.candidates[0]) }
        let own = accounts.filter { $0.serverID == flow.serverID }
        guard own.count == 1 else { throw DeviceError("the device has \(own.count) accounts of the server") }
        return own[0]
    }

    private func text(_ flow: Flow, subject: String, approves: Bool? = nil) -> String {
        DeviceText(
            id: flow.id, type: faults.breaksSignature ? "OTHER" : flow.type,
            challenge: faults.challenge ?? flow.challenge, subject: subject, approves: approves
        ).text
    }

    func pinKey(_ pin: String) throws -> [UInt8] {
        guard let salt = Base64URL.decode(id) else { throw DeviceError("“\(id)” is not base64url") }
        return try KeyDerivation.pbkdf2(
            .sha256, password: Array(pin.utf8), salt: salt, iterations: 10_000, count: 32)
    }

    func pinProof(_ pin: String, _ challenge: String) throws -> String {
        guard let bytes = Base64URL.decode(challenge) else {
            throw DeviceError("“\(challenge)” is not base64url")
        }
        return Base64URL.encode(Digest.sha256.authenticationCode(of: bytes, key: try pinKey(pin)))
    }
}
