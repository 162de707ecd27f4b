/// What can be wrong with a form or a link of the pages.
enum PageFault: Error, Equatable {
    case interactionUnknown
    case interactionMissing
    /// Nobody is logged in where somebody has to be.
    case sessionMissing
    case cookieMissing
    case formToken(FormToken.Fault)
    case decisionMissing
    case userUnknown(String, known: [String])
    case passwordMissing(String)
    case passwordWrong(String)
    case personMalformed
    case peopleTooMany
    /// - Parameter reason: part of a sentence.
    case claimsMalformed(String)

    case userCodeMissing
    case userCodeUnknown(String, left: Int)
    case userCodeExpired(String)
    case userCodeDecided(String, DeviceRequest.State)
    case userCodesTooMany(address: String)

    case logoutHintMalformed(String)
    case logoutClientUnknown(String)
    case logoutClientOther(named: String, audience: [String])
    case logoutURIUnregistered(String, registered: [String])
    case parameterRepeated(String)
    case tooLarge(Int)
}
