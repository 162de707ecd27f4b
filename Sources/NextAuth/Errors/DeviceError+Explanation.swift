import PlatformKit

extension DeviceError {
    var explanation: String {
        switch self {
        case .malformed(let reason), .stateWrong(let reason), .proofWrong(let reason),
            .sessionEnded(let reason):
            reason
        case .tokenMissing:
            "The header Authorization is missing or of another scheme; expected \"Device TOKEN\" with the token of POST "
                + "/instances."
        case .tokenUnknown:
            "No instance has this device token. Losing it equals uninstalling the app: register with POST /instances and "
                + "enrol again. Fixtures that were loaded anew bring only their own instances."
        case .signatureWrong(let fault): fault.explanation
        case .accountBlocked(let id):
            "The account \(id) is blocked; a back end unblocks it with PUT /servers/SERVERID/accounts/\(id)/?blocked=false."
        case .accountUnknown(let id):
            "This device has no account \"\(id.prefix(40))\": it was deleted meanwhile, or belongs to another device."
        case .accountsMissing(let server):
            "This device has no account for the server \(server). Enrol first: GET sessions/qr/enrol makes the code."
        case .serverUnknown(let id):
            "There is no server \"\(id.prefix(60))\"; a code of another world or of earlier fixtures names another one."
        case .flowUnknown(let id): "This device has no flow \"\(id.prefix(60))\"."
        case .flowExpired(let id, let seconds):
            "The flow \(id) waited too long for its next step: it expired \(seconds) s ago."
        case .severalAccounts(let count):
            "The device has \(count) accounts for this server, and an AppLogin assumes exactly one."
        case .singleAccountTaken:
            "The flow's config has singleAccount, and the device has an account already; delete that one first."
        case .continuousAuthenticationRequired(let server):
            "The server \(server) has pingTime 0, so its logins are one-shot, and an AppLogin needs one that lasts. Give it "
                + "a pingTime: 300 s for critical apps, 600 s or more for others."
        case .codeUsed(let seconds): "The code was used \(seconds) s ago, and it works once. Make a new one."
        case .codeExpired(let seconds): "The code expired \(seconds) s ago. Make a new one."
        case .codeUnknown:
            "Nobody made this code, or it was made so long ago that it is forgotten. Its ticket has to be the one of the "
                + "session and server that stand beside it."
        case .secondFactorBlocked:
            "The PIN was wrong too often and is blocked, and no biometric key may stand in for it. Unlock it on the devices "
                + "page, or enrol a new installation of the app."
        case .sessionUnknown(let id): "This device has no session \"\(id.prefix(60))\"."
        case .messageUnknown(let id): "This device has no message \"\(id.prefix(60))\", or it has expired."
        case .pathUnknown: "Nothing answers at this path of the device protocol."
        case .methodUnknown(let allow): "The path answers \(allow) alone."
        }
    }
}

extension SignatureFault {
    var explanation: String {
        switch self {
        case .shapeless(let count):
            "The signature has \(count) bytes and is neither the DER form of ECDSA nor r and s of 32 bytes each."
        case .lineFeedMissing:
            "The signature is right for the text without the line feed at its end; each line ends with one, the last too."
        case .challengeOutdated:
            "The signature is right for an earlier challenge; after a wrong PIN the flow has a new one."
        case .otherAccount(let id):
            "The signature is right for the account \(id), whose key it was made with."
        case .unknown(let expected):
            "The signature does not fit the account's key. To be signed, with ECDSA and SHA-256: "
                + expected.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .map { "\"\($0)\\n\"" }.joined(separator: " ") + "."
        }
    }
}
