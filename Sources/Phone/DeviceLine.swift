import DeviceKit
import Essentials
import HTTP
import PlatformKit

/// The way of a software device to its platform, through the network of its phone. It hears why the platform refuses.
final class DeviceLine {
    private let handset: Handset
    /// Base path of the platform: `nextauth`.
    private let mount: String
    /// What the SDK calls a network that fails.
    private let networkError: String
    /// Of the last answer, as the platform told it for developers.
    private var explanation: String?

    init(_ handset: Handset, mount: String, networkError: String) {
        (self.handset, self.mount, self.networkError) = (handset, mount, networkError)
    }

    private var services: DeviceServices {
        DeviceServices(
            clock: { [handset] in handset.now }, random: { [handset] in handset.draw($0) },
            transport: { [unowned self] in try carry($0) })
    }

    private func carry(_ request: DeviceRequest) throws -> DeviceResponse {
        let path = "/" + mount + request.path + (request.query.map { "?" + $0 } ?? "")
        let response = try handset.send(
            request.method, path, headers: request.headers, body: request.body)
        explanation = response.headers[Handset.explanation]
        return DeviceResponse(
            status: response.status.code, headers: response.headers.fields.map { ($0.name, $0.value) },
            body: response.bytes)
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
            [answer, explanation].compactMap(\.self).joined(separator: " "))
    }
}

extension SDKRefusal.SDKError {
    /// `INCORRECT_PIN (11)`
    var text: String { name + (number.map { " (\($0))" } ?? "") }
}
