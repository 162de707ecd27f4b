import Crypto
import Essentials
package import PlatformKit
import PowerAuthDevice

// What the person can do in the app by themselves.
extension PowerAuthApp {
    private enum Act: String {
        case unlockVault = "unlock_vault"
        case addBiometry = "add_biometry"
        case removeBiometry = "remove_biometry"
        case changePIN = "change_pin"
        case rename
        case userInfo = "user_info"
        case signData = "sign_data"
        case confirmRecovery = "confirm_recovery"
        case upgrade
        case remove

        func action(_ title: String, _ inputs: ConsoleRecord.Input..., isFinal: Bool = false)
            -> ConsoleRecord
            .Action
        {
            ConsoleRecord.Action(rawValue, title, inputs: inputs, isFinal: isFinal)
        }
    }

    package var actions: [ConsoleRecord.Action] {
        guard isEnrolled, kept?.state == "ACTIVE" else { return [] }
        let pin = ConsoleRecord.Input("pin", "PIN, or nothing for the right one")
        var actions = [
            Act.unlockVault.action("Unlock the vault", pin),
            hasNoBiometry
                ? Act.addBiometry.action("Set up biometry", pin)
                : Act.removeBiometry.action("Remove biometry"),
            Act.changePIN.action(
                "Change the PIN", pin, ConsoleRecord.Input("new_pin", "New PIN", isRequired: true)),
            Act.rename.action(
                "Rename the activation", pin, ConsoleRecord.Input("name", "New name", isRequired: true)),
            Act.userInfo.action("Show what the server knows of the person"),
            Act.signData.action(
                "Sign data with the device's key", pin,
                ConsoleRecord.Input("data", "Data, a text", isRequired: true)),
        ]
        if canUpgrade { actions.append(Act.upgrade.action("Upgrade to protocol 4.0", pin)) }
        if kept?.recovery != nil {
            actions.append(Act.confirmRecovery.action("Confirm the recovery code", pin))
        }
        return actions + [Act.remove.action("Remove the activation", pin, isFinal: true)]
    }

    package func perform(_ action: String, _ inputs: [String: String]) throws -> PhoneReport {
        guard let act = Act(rawValue: action) else { throw unknown(action) }
        let typed = inputs["pin"].flatMap { $0.isEmpty ? nil : $0 }
        do {
            return try asking(.sdk) { try perform(act, typed ?? kept?.pin ?? "", inputs) }
        } catch let refusal as PhoneRefusal {
            // As after a refused answer; without a network nobody knows.
            try? askStatus()
            throw refusal
        }
    }

    private func perform(_ act: Act, _ pin: String, _ inputs: [String: String]) throws -> PhoneReport {
        let device = try device()
        let id = device.activation?.id ?? ""
        let told = try outcome(of: act, device, id, pin, inputs)
        return PhoneReport(act.rawValue, id, code: told.code, told.sentence)
    }

    /// Something to read from the phone, where there is, and what happened.
    private typealias Outcome = (code: String?, sentence: String)

    private func outcome(
        of act: Act, _ device: Device, _ id: String, _ pin: String, _ inputs: [String: String]
    ) throws -> Outcome {
        switch act {
        case .unlockVault: return try unlockVault(device, pin)
        case .addBiometry:
            try device.addBiometry(pin: pin)
            return (nil, "biometry is set up.")
        case .removeBiometry:
            try device.removeBiometry()
            return (nil, "biometry is removed.")
        case .changePIN: return (nil, try changePIN(device, from: pin, to: inputs["new_pin"] ?? ""))
        case .rename:
            let name = try device.renameActivation(inputs["name"] ?? "", with: .pin(pin)) ?? ""
            return (nil, "the activation \(id) is called “\(name)” from now on.")
        case .userInfo:
            let claims = try device.userInfo().text
            return (claims, "the server says of the person: \(claims)")
        case .signData: return try sign(Array((inputs["data"] ?? "").utf8), device, pin)
        case .upgrade: return (nil, try upgraded(id, pin))
        case .confirmRecovery:
            let isOld = try device.confirmRecovery(kept?.recovery?.first ?? "", with: .pin(pin))
            return (nil, "the recovery code is confirmed\(isOld ? ", which it was before" : "").")
        case .remove:
            try device.removeActivation(with: .pin(pin))
            empty()
            return (nil, "the activation \(id) is removed, and the app is empty again.")
        }
    }

    private func unlockVault(_ device: Device, _ pin: String) throws -> Outcome {
        let reason = Device.VaultReason.fetchEncryptionKey.rawValue
        let key = Hex.encode(try device.unlockVault(reason: reason, with: .pin(pin)))
        return (key, "the vault was unlocked; the key that encrypts it is \(key).")
    }

    private func sign(_ data: [UInt8], _ device: Device, _ pin: String) throws -> Outcome {
        let signature = Base64.encode(try device.signWithDeviceKey(data, with: .pin(pin)))
        return (
            signature,
            "the device's key signed \(data.count) bytes; in DER the signature is \(signature)."
        )
    }

    private func changePIN(_ device: Device, from pin: String, to new: String) throws -> String {
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
        return "the PIN is another one from now on."
    }

    private func upgraded(_ id: String, _ pin: String) throws -> String {
        try upgrade(pin: pin)
        let fingerprint = kept?.activation?.fingerprint ?? ""
        return
            "the activation \(id) speaks protocol 4.0 from now on; its fingerprint is \(fingerprint)."
    }

    private func empty() {
        kept?.activation = nil
        kept?.recovery = nil
        kept?.state = "REMOVED"
        kept?.operations = []
        kept?.offline = [:]
    }
}
