import PlatformKit

/// What a callback tells of. The two APIs call it differently.
enum CallbackKind: String, Codable, Sendable, CaseIterable {
    case operation = "OPERATION_STATUS_CHANGE"
    case registration = "REGISTRATION_STATUS_CHANGE"

    /// Also the name of the management API.
    init?(text: String) {
        self.init(rawValue: text == Self.activationName ? Self.registration.rawValue : text)
    }

    /// In the management API.
    var managementName: String { self == .registration ? Self.activationName : rawValue }

    private static let activationName = "ACTIVATION_STATUS_CHANGE"

    /// Members that a back end may ask for; the first two come in any case.
    ///
    /// Source: PowerAuth documentation, callbacks; published tests of the server ask for the id as well.
    var attributes: [String] {
        switch self {
        case .operation:
            [
                "type", "operationId", "userId", "applications", "operationType", "parameters",
                "additionalData", "activationFlag",
                "status", "data", "failureCount", "maxFailureCount", "signatureType",
                "authenticationCodeType", "externalId", "timestampCreated", "timestampExpires",
                "timestampFinalized",
            ]
        case .registration:
            [
                "type", "activationId", "userId", "activationName", "deviceInfo", "platform", "protocol",
                "activationFlags",
                "activationStatus", "blockedReason", "applicationId",
            ]
        }
    }
}

/// How a callback proves where it comes from.
struct CallbackAuthentication: Codable, Sendable, Equatable {
    struct Basic: Codable, Sendable, Equatable {
        var enabled: Bool
        var username: String?
        var password: String?
    }

    struct OAuth2: Codable, Sendable, Equatable {
        var enabled: Bool
        var clientId: String?
        var clientSecret: String?
        var tokenUri: String?
        var scope: String?
    }

    var httpBasic: Basic?
    /// Client credentials grant.
    var oauth2: OAuth2?
}
