import DeviceKit
import Essentials
import PlatformKit

/// The way of a software device to its platform, through the network of its phone, and what its SDK reports.
struct DeviceLine {
    let handset: Handset
    let carrier: Carrier
    /// Base path of the platform: `nextauth`.
    let mount: String
    /// What the SDK calls a network that fails.
    let networkError: String

    private var services: DeviceServices {
        DeviceServices(
            clock: { handset.now }, random: { handset.draw($0) },
            transport: { try carrier.carry($0, to: mount) })
    }

    /// Does what the SDK does; what it would report becomes a refusal of the phone.
    func asking<Value>(_ body: (DeviceServices) throws -> Value) throws -> Value {
        do {
            return try body(services)
        } catch let refusal as SDKRefusal {
            throw self.refusal(refusal)
        } catch let failure as WebCallFailed {
            throw handset.phone.network == .offline
                ? PhoneRefusal.offline(handset.phone, sdkError: networkError)
                : PhoneRefusal(
                    .refused, sdkError: networkError, "The platform does not answer: \(failure).")
        } catch let error as DeviceError {
            throw PhoneRefusal(.refused, "The SDK stopped: \(error.reason).")
        }
    }

    private func refusal(_ refusal: SDKRefusal) -> PhoneRefusal {
        let code = refusal.code.map { " " + $0 } ?? ""
        let answer = refusal.status == 0 ? nil : "The platform answered \(refusal.status)\(code)."
        return PhoneRefusal(
            .refused, sdkError: refusal.sdk.text,
            [answer, carrier.explanation].compactMap(\.self).joined(separator: " "))
    }
}

extension SDKRefusal.SDKError {
    /// `INCORRECT_PIN (11)`
    var text: String { name + (number.map { " (\($0))" } ?? "") }
}
