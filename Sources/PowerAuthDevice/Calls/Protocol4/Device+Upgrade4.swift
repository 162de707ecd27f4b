import Crypto
import DeviceKit
import Essentials

// The upgrade of an activation from protocol 3.3 to 4.0. Source: PowerAuth documentation 2.x, “Protocol upgrade”.
extension Device {
    /// `upgrade/start` and `upgrade/confirm`: the activation keeps its id and its counter byte, and gets keys of protocol 4.0 in the
    /// device's suite, another counter and another fingerprint. The former keys are forgotten.
    ///
    /// When the confirmation is lost on the way, ``Activation/pending`` says so, and ``confirmUpgrade()`` is to be called again.
    ///
    /// - Throws: ``ServerRefusal``; ``DeviceError`` without a suite. The activation is as before unless the server has answered the start.
    package func upgradeToProtocol4(pin: String) throws {
        try startUpgradeToProtocol4(pin: pin)
        try confirmUpgrade()
    }

    /// `upgrade/start` alone, after which ``Activation/pending`` says what is left.
    package func startUpgradeToProtocol4(pin: String) throws {
        guard let algorithm else { throw DeviceError("the app is not configured for protocol 4.0") }
        let former = try requireActivation()
        _ = try (former.ofThird(), Protocol4.pinKey(pin, salt: []))
        version = .v33
        let exchange = try Protocol4.SecretExchange(algorithm, drawing: draw)
        let device = try DeviceKeys(algorithm, drawing: draw)
        let answer = try startUpgrade4(
            [
                "sharedSecretRequest": try exchange.request(), "devicePublicKeys": try sentKeys(device),
                "enableBiometry": .boolean(former.biometryKey != nil),
            ], pin: pin)
        var upgraded = try makeActivation4(
            answer, id: former.id, algorithm, secret: exchange.secret(answer["sharedSecretResponse"]), device,
            pin: pin, biometry: former.biometryKey != nil)
        // The code of the start has moved it.
        upgraded.counter = HashCounter(upgraded.counter.data, count: try requireActivation().counter.count)
        upgraded.pending = .upgrade
        activation = upgraded
        temporaryKeys = [:]
    }

    /// Encrypted by protocol 4.0 for the application, as the activation has no keys of it; the code is of 3.3.
    private func startUpgrade4(_ object: JSONValue, pin: String) throws -> JSONValue {
        let message = try message4(.upgradeStart, fetchTemporarySecret(.application))
        let body = try style.json(
            message.request(
                changed(style.json(object), .upgradeStart), milliseconds: now + faults.timeShift))
        let encryption = DeviceStyle.ios.header([
            ("version", Protocol4.version), ("application_key", configuration.applicationKey),
        ])
        let code = try authorization(uriID: "/pa/upgrade/start", body: body, with: .pin(pin))
        let response = try send(
            DeviceRequest(
                "/pa/v4/upgrade/start",
                headers: [("X-PowerAuth-Authorization", code), ("X-PowerAuth-Encryption", encryption)],
                body: body))
        return try JSONValue(parsing: message.answer(Self.success(response)))
    }

    /// `upgrade/confirm`: the device has its keys. Of an activation that has no upgrade behind it there is nothing to confirm.
    package func confirmUpgrade() throws {
        guard try requireActivation().pending == .upgrade else { return }
        try signedCall("/pa/v4/upgrade/confirm", uriID: "/pa/upgrade/confirm", with: .possession)
        activation?.pending = nil
    }
}
