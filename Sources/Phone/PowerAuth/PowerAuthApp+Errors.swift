import PlatformKit
import DeviceKit
import PowerAuthDevice

/// Which of the vendor's kits hears an error of the server, and what it makes of it.
enum ErrorTeller {
    /// PowerAuthSDK itself, for everything about the activation. On iOS it has one error for all that goes wrong on the network, with the
    /// server's answer inside; on Android the exception of its networking.
    case sdk
    /// The kits above it, for operations, the inbox and pushes.
    case networking
}

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
    func asking<Value>(_ teller: ErrorTeller = .networking, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let refusal as ServerRefusal {
            throw self.refusal(refusal, teller)
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

    private func refusal(_ refusal: ServerRefusal, _ teller: ErrorTeller) -> PhoneRefusal {
        let code = refusal.code ?? "no code"
        let name =
            switch teller {
            case .sdk: sdkName(of: refusal)
            case .networking: sdkName(ofCode: code) ?? sdkName("networkError")
            }
        return PhoneRefusal(
            .refused, sdkError: name,
            ["The platform answered \(refusal.status) \(code).", carrier.explanation].compactMap(\.self)
                .joined(separator: " "))
    }

    /// Source: `PowerAuthErrorCode` of PowerAuth2 for iOS, `io.getlime.security.powerauth.networking.exceptions` for Android.
    private func sdkName(of refusal: ServerRefusal) -> String {
        guard handset.phone.model == .android else { return sdkName("networkError") }
        return refusal.code == nil ? "FailedApiException" : "ErrorResponseApiException"
    }

    private func sdkName(for error: DeviceError) -> String {
        if error.reason.hasPrefix("biometry") { return sdkName("biometryNotAvailable") }
        if error.reason.hasPrefix("the signature of the QR code") { return sdkName("wrongParameter") }
        return sdkName("invalidActivationData")
    }
}
