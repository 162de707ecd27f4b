import Crypto
import Essentials
import HTTP
package import PlatformKit
import PowerAuthDevice

// Activation by OpenID Connect: the app sends the person to the provider's page in a browser, which comes back by a link.
extension PowerAuthApp {
    /// - Returns: a report whose code is the address to be opened in a browser.
    func beginLogin(_ provider: String, _ typed: TypedIn) throws -> PhoneReport {
        try checkFree()
        var fresh = try built(for: nil, typed)
        let told = try asking { try makeDevice(fresh).openIDConfiguration(provider: provider) }
        guard let page = told["authorizeUri"]?.string, let client = told["clientId"]?.string,
            let back = told["redirectUri"]?.string, let scopes = told["scopes"]?.string
        else {
            throw PhoneRefusal(.refused, "The platform tells no whole settings of the provider: \(told.text)")
        }
        let verifier = told["pkceEnabled"]?.boolean == true ? random(48) : nil
        let login = OpenLogin(
            provider: provider, state: Self.statePrefix + random(16), nonce: random(24), verifier: verifier,
            usesBiometry: typed.usesBiometry)
        fresh.login = login
        kept = fresh
        var query = [
            ("client_id", client), ("redirect_uri", back), ("scope", scopes), ("response_type", "code"),
            ("nonce", login.nonce), ("state", login.state),
        ]
        if let verifier {
            let challenge = Base64URL.encode(Digest.sha256(Array(verifier.utf8)))
            query += [("code_challenge", challenge), ("code_challenge_method", "S256")]
        }
        let address = page + "?" + query.map { $0.0 + "=" + $0.1.percentEncoded }.joined(separator: "&")
        return PhoneReport(
            "login", provider, code: address,
            "log in at \(address), and have the phone scan the address to which that leads back.")
    }

    private func random(_ count: Int) -> String { Base64URL.encode(handset.draw(count)) }

    private static let statePrefix = "powerauth."

    static func isEndOfLogin(_ text: String) -> Bool {
        let values = Link.values(in: text)
        return values.contains { $0.name == "state" && $0.value.hasPrefix(statePrefix) }
    }

    /// The link by which the browser came back.
    func endLogin(_ text: String) throws -> PhoneReport {
        let values = Dictionary(Link.values(in: text)) { first, _ in first }
        guard var fresh = kept, let login = fresh.login, values["state"] == login.state else {
            throw PhoneRefusal(.refused, "The phone “\(handset.phone.name)” has not begun this login.")
        }
        guard let code = values["code"] else {
            throw PhoneRefusal(.refused, "The provider refused: \(values["error"] ?? "no code").")
        }
        fresh.login = nil
        var typed = TypedIn()
        typed.usesBiometry = login.usesBiometry
        return try activate(
            .openID(provider: login.provider, code: code, nonce: login.nonce, verifier: login.verifier),
            fresh,
            typed)
    }
}

// What the person can do in the app by themselves.
extension PowerAuthApp {
    private enum Act: String {
        case unlockVault = "unlock_vault"
        case addBiometry = "add_biometry"
        case removeBiometry = "remove_biometry"
        case changePIN = "change_pin"
        case confirmRecovery = "confirm_recovery"
        case upgrade
        case remove
    }

    package var actions: [ConsoleRecord.Action] {
        guard isEnrolled, kept?.state == "ACTIVE" else { return [] }
        let pin = ConsoleRecord.Input("pin", "PIN, or nothing for the right one")
        var actions = [ConsoleRecord.Action(Act.unlockVault.rawValue, "Unlock the vault", inputs: [pin])]
        actions.append(
            hasNoBiometry
                ? ConsoleRecord.Action(Act.addBiometry.rawValue, "Set up biometry", inputs: [pin])
                : ConsoleRecord.Action(Act.removeBiometry.rawValue, "Remove biometry", inputs: []))
        actions.append(
            ConsoleRecord.Action(
                Act.changePIN.rawValue, "Change the PIN",
                inputs: [pin, ConsoleRecord.Input("new_pin", "New PIN", isRequired: true)]))
        if canUpgrade {
            actions.append(
                ConsoleRecord.Action(Act.upgrade.rawValue, "Upgrade to protocol 4.0", inputs: [pin]))
        }
        if kept?.recovery != nil {
            actions.append(
                ConsoleRecord.Action(Act.confirmRecovery.rawValue, "Confirm the recovery code", inputs: [pin])
            )
        }
        return actions + [
            ConsoleRecord.Action(Act.remove.rawValue, "Remove the activation", inputs: [pin], isFinal: true)
        ]
    }

    package func perform(_ action: String, _ inputs: [String: String]) throws -> PhoneReport {
        guard let act = Act(rawValue: action) else { throw unknown(action) }
        let typed = inputs["pin"].flatMap { $0.isEmpty ? nil : $0 }
        do {
            return try asking { try perform(act, typed ?? kept?.pin ?? "", inputs) }
        } catch let refusal as PhoneRefusal {
            // As after a refused answer; without a network nobody knows.
            try? askStatus()
            throw refusal
        }
    }

    private func empty() {
        kept?.activation = nil
        kept?.recovery = nil
        kept?.state = "REMOVED"
        kept?.operations = []
        kept?.offline = [:]
    }

    private func perform(_ act: Act, _ pin: String, _ inputs: [String: String]) throws -> PhoneReport {
        let device = try device()
        let id = device.activation?.id ?? ""
        switch act {
        case .unlockVault:
            let key = try device.unlockVault(
                reason: Device.VaultReason.fetchEncryptionKey.rawValue, with: .pin(pin))
            return PhoneReport(
                act.rawValue, id, code: Hex.encode(key),
                "the vault was unlocked; the key that encrypts it is \(Hex.encode(key)).")
        case .addBiometry:
            try device.addBiometry(pin: pin)
            return PhoneReport(act.rawValue, id, "biometry is set up.")
        case .removeBiometry:
            try device.removeBiometry()
            return PhoneReport(act.rawValue, id, "biometry is removed.")
        case .changePIN:
            let new = inputs["new_pin"] ?? ""
            guard new.utf8.count >= 4 else {
                throw PhoneRefusal(
                    .malformed, sdkError: sdkName("wrongParameter"), "A PIN has at least four characters.")
            }
            // Protocol 3 keeps the change on the phone; the SDK asks the server whether the old PIN was right.
            if !device.isOfFourth { try device.validate(with: .pin(pin)) }
            let former = device.activation?.knowledgeKey
            // Also where the last answer is lost.
            defer { if device.activation?.knowledgeKey != former { kept?.pin = new } }
            try device.changePIN(from: pin, to: new)
            return PhoneReport(act.rawValue, id, "the PIN is another one from now on.")
        case .upgrade:
            try upgrade(pin: pin)
            return PhoneReport(
                act.rawValue, id,
                "the activation \(id) speaks protocol 4.0 from now on; its fingerprint is \(kept?.activation?.fingerprint ?? "")."
            )
        case .confirmRecovery:
            let isOld = try device.confirmRecovery(kept?.recovery?.first ?? "", with: .pin(pin))
            return PhoneReport(
                act.rawValue, id, "the recovery code is confirmed\(isOld ? ", which it was before" : "").")
        case .remove:
            try device.removeActivation(with: .pin(pin))
            empty()
            return PhoneReport(
                act.rawValue, id, "the activation \(id) is removed, and the app is empty again.")
        }
    }
}
