import PlatformKit

/// Why an OpenID Connect provider did not tell who the user is.
package enum ProviderRefusal: Refusal, Equatable {
    /// No answer, or not the one that was hoped for.
    case callFailed(String, reason: String)
    case settingUnsupported(String)
    case tokenWrong(String)
    /// The code was traded, and then nobody could be told who the user is.
    case userUnknown(String)

    package var explanation: String {
        switch self {
        case .callFailed(let url, let reason):
            "The OpenID Connect provider could not be asked at \(url): \(reason)."
        case .settingUnsupported(let reason): "The OpenID Connect provider is not set up well: \(reason)."
        case .userUnknown(let sentence): sentence
        case .tokenWrong(let reason):
            "The ID token of the OpenID Connect provider is not accepted: \(reason)."
        }
    }
}
