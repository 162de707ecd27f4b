/// The error codes of the management API, which the refusals of every room carry. Source: the published error codes of the PowerAuth Server.
enum ManagementCode: String, RefusalCode, CaseIterable {
    case userMissing = "ERR0001"
    case applicationMissing = "ERR0002"
    case activationExpired = "ERR0007"
    case activationState = "ERR0008"
    case activationUnknown = "ERR0009"
    case signatureInvalid = "ERR0012"
    case urlInvalid = "ERR0014"
    case applicationUnknown = "ERR0015"
    case decryptionFailed = "ERR0018"
    case invalidRequest = "ERR0024"
    case recoveryCodeExists = "ERR0025"
    case recoveryCodeUnknown = "ERR0027"
    case recoveryCodeInvalid = "ERR0028"
    /// Beside `currentRecoveryPukIndex`.
    case recoveryPUKInvalid = "ERR_RECOVERY"
    case recoveryConfigurationInvalid = "ERR0029"
    case tokenTooOld = "ERR0030"
    case otpWrong = "ERR0031"
    case otpMode = "ERR0032"
    case templateUnknown = "ERR0033"
    case operationUnknown = "ERR0034"
    case operationState = "ERR0036"
    case operationCannotBeApproved = "ERR0037"
    case operationCannotBeRejected = "ERR0038"
    case templateExists = "ERR0039"
    case activationCannotBeMade = "ERR0040"
    case applicationExists = "ERR0043"
    case tokenTooFarAhead = "ERR0044"
    case temporaryKeyMissing = "ERR0045"
    case algorithmUnsupported = "ERR0046"
    case protocolUnsupported = "ERR0047"
}

extension ManagementCode {
    /// The generations of servers that have it: 1 for 1.9, 2 for 2.x.
    var generations: ClosedRange<Int> {
        switch self {
        case .applicationMissing, .tokenTooOld, .tokenTooFarAhead, .recoveryCodeExists, .recoveryCodeUnknown,
            .recoveryCodeInvalid, .recoveryPUKInvalid, .recoveryConfigurationInvalid:
            1...1
        case .algorithmUnsupported, .protocolUnsupported: 2...2
        default: 1...2
        }
    }

    /// Whether it is in the list of the codes.
    var isListed: Bool { self != .recoveryPUKInvalid }

    /// What a server of that generation calls it.
    func told(by generation: Int) -> ManagementCode {
        generations.contains(generation) ? self : .invalidRequest
    }

    /// For lists of the codes.
    var meaning: String {
        switch self {
        case .userMissing: "No user ID was set."
        case .applicationMissing: "No application ID was set."
        case .activationExpired: "The activation is expired."
        case .activationState: "The activation is in a wrong state."
        case .activationUnknown: "The activation was not found."
        case .signatureInvalid: "The signature is invalid."
        case .urlInvalid: "The URL is invalid."
        case .applicationUnknown: "The application is invalid."
        case .invalidRequest: "The request is invalid."
        case .tokenTooOld: "The timestamp of the token is too old."
        case .otpWrong: "The activation OTP does not match."
        case .otpMode: "The activation OTP cannot be used in this mode."
        case .templateUnknown: "The operation template was not found."
        case .operationUnknown: "The operation was not found."
        case .operationState: "The state of the operation does not allow the change."
        case .operationCannotBeApproved: "The operation cannot be approved."
        case .operationCannotBeRejected: "The operation cannot be rejected."
        case .templateExists: "The operation template exists already."
        case .activationCannotBeMade: "The activation cannot be created with these properties."
        case .applicationExists: "The application or version exists already."
        case .decryptionFailed: "The request could not be decrypted."
        case .recoveryCodeExists: "The user has a recovery code already."
        case .recoveryCodeUnknown: "The recovery code was not found."
        case .recoveryCodeInvalid: "The recovery code or its PUK is invalid."
        case .recoveryPUKInvalid: "The PUK is not the one that is due."
        case .recoveryConfigurationInvalid: "The configuration of the recovery is invalid."
        case .temporaryKeyMissing: "The temporary key is missing or expired."
        case .tokenTooFarAhead: "The timestamp of the token is too far in the future."
        case .algorithmUnsupported: "The algorithm is not supported."
        case .protocolUnsupported: "The protocol version is not supported."
        }
    }
}
