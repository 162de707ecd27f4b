import Crypto
import DeviceKit
import Essentials

extension Device {
    /// `activation/status` of protocol 4.0: an encrypted call, and 80 bytes in its answer.
    func status4() throws -> ActivationStatus {
        let activation = try requireActivation()
        let keys = try activation.ofFourth()
        let answer = try JSONValue(
            parsing: encryptedCall("/pa/v4/activation/status", nothing, .activation))
        let told = try Protocol4.Status(
            Wire.bytes(answer["activationStatus"]?.string, "activationStatus"), key: keys.statusKey)
        let custom = answer["customObject"].flatMap { $0.isNull ? nil : $0 }
        let status = try ActivationStatus(told, customObject: custom)
        settle(status.flags)
        guard status.state != .removed else { return status }
        let distance = try synchronise(
            byte: told.counterByte, window: Int(told.lookAhead), isActive: status.state == .active
        ) { counter in
            let code = try Protocol4.Status.counterCode(counter, key: keys.counterKey)
            return constantTimeEqual(code, told.counterCode)
        }
        return try ActivationStatus(told, counterDistance: distance, customObject: custom)
    }

    /// The server knows what it has heard, also where its answer was lost.
    private func settle(_ flags: ActivationStatus.Flags) {
        if flags.contains(.upgradePending) {
            activation?.pending = .upgrade
        } else {
            activation?.pending = flags.contains(.confirmationPending) ? .confirmation : nil
        }
    }
}
