import PlatformKit

/// Why an OpenID Connect provider did not tell who the user is.
package struct ProviderRefusal: Refusal, Equatable {
    package let explanation: String
    /// The code was traded, and then nobody could be told who the user is.
    package private(set) var isOfUser = false

    /// No answer, or not the one that was hoped for.
    static func callFailed(_ url: String, reason: String) -> Self {
        Self(explanation: "The OpenID Connect provider could not be asked at \(url): \(reason).")
    }

    static func settingUnsupported(_ reason: String) -> Self {
        Self(explanation: "The OpenID Connect provider is not set up well: \(reason).")
    }

    static func tokenWrong(_ reason: String) -> Self {
        Self(explanation: "The ID token of the OpenID Connect provider is not accepted: \(reason).")
    }

    static func userUnknown(_ sentence: String) -> Self { Self(explanation: sentence, isOfUser: true) }
}
