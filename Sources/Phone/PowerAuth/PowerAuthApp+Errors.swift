import PlatformKit
import DeviceKit
import PowerAuthDevice

extension PowerAuthApp {
    /// What the SDK calls an error of its own: `PowerAuthErrorCode.networkError` on iOS, `PowerAuthErrorCodes.NETWORK_ERROR` on Android.
    ///
    /// - Parameter name: as iOS spells it.
    func sdkName(_ name: String) -> String {
        guard handset.phone.model == .android else { return "PowerAuthErrorCode." + name }
        let words = name.map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
        return "PowerAuthErrorCodes." + words
    }

    /// What it calls the server's refusals.
    private func sdkName(ofCode code: String) -> String? {
        guard let name = Self.knownCodes[code] else { return nil }
        return handset.phone.model == .android ? "ApiErrorCode." + code : "WPNKnownRestApiError." + name
    }

    /// Source: `WPNKnownRestApiError` of PowerAuth networking for iOS; `ApiErrorCode` for Android has the codes themselves.
    private static let knownCodes = [
        "ERROR_GENERIC": "genericError", "POWERAUTH_AUTH_FAIL": "authenticationFailure",
        "INVALID_REQUEST": "invalidRequest", "INVALID_ACTIVATION": "invalidActivation",
        "INVALID_APPLICATION": "invalidApplication", "INVALID_OPERATION": "invalidOperation",
        "ERR_ACTIVATION": "activationError", "ERR_AUTHENTICATION": "authenticationError",
        "ERR_SECURE_VAULT": "secureVaultError", "ERR_ENCRYPTION": "encryptionError",
        "ERR_TEMPORARY_KEY": "temporaryKeyError", "ACTIVATION_CODE_FAILED": "activationCodeFailed",
        "PUSH_REGISTRATION_FAILED": "pushRegistrationFailed",
        "OPERATION_ALREADY_FINISHED": "operationAlreadyFinished",
        "OPERATION_ALREADY_FAILED": "operationAlreadyFailed",
        "OPERATION_ALREADY_CANCELED": "operationAlreadyCancelled", "OPERATION_EXPIRED": "operationExpired",
        "OPERATION_FAILED": "operationFailed", "REMOTE_COMMUNICATION_ERROR": "remoteCommunicationError",
    ]

    /// Does what the SDK does; what it would report becomes a refusal of the phone.
    func asking<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let refusal as ServerRefusal {
            throw self.refusal(refusal)
        } catch let failure as WebCallFailed {
            let error = sdkName("networkError")
            throw handset.phone.network == .offline
                ? PhoneRefusal.offline(handset.phone, sdkError: error)
                : PhoneRefusal(.refused, sdkError: error, "The platform does not answer: \(failure).")
        } catch is CounterDeadlock {
            throw PhoneRefusal(
                .refused, sdkError: sdkName("invalidActivationState"),
                "The counters of phone and server are too far from each other; only a new activation helps.")
        } catch let error as DeviceError {
            throw PhoneRefusal(.refused, sdkError: sdkName(for: error), "The SDK stopped: \(error.reason).")
        }
    }

    private func refusal(_ refusal: ServerRefusal) -> PhoneRefusal {
        let code = refusal.code ?? "no code"
        return PhoneRefusal(
            .refused, sdkError: sdkName(ofCode: code) ?? sdkName("networkError"),
            ["The platform answered \(refusal.status) \(code).", carrier.explanation].compactMap(\.self)
                .joined(separator: " "))
    }

    private func sdkName(for error: DeviceError) -> String {
        if error.reason.hasPrefix("biometry") { return sdkName("biometryNotAvailable") }
        if error.reason.hasPrefix("the signature of the QR code") { return sdkName("wrongParameter") }
        return sdkName("invalidActivationData")
    }
}
