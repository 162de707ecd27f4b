import Essentials
import HTTP

/// A refusal of the device protocol, which is ours: its static members are the cases.
struct DeviceRefusal: NextAuthRefusal, Equatable {
    let wire: Wire
    let explanation: String
    /// What the path answers, where the method was wrong.
    private let allow: String?

    /// Name, number and text on the wire.
    struct Wire: Equatable {
        let status: Status
        let code: String
        let number: Int
        let message: String

        var json: JSONValue {
            ["code": .string(code), "number": .integer(number), "message": .string(message)]
        }
    }

    private init(
        _ status: Status, _ code: String, _ number: Int, _ message: String, _ explanation: String,
        allow: String? = nil
    ) {
        wire = Wire(status: status, code: code, number: number, message: message)
        (self.explanation, self.allow) = (explanation, allow)
    }

    var response: Response {
        var response = Response(
            status: wire.status, headers: ["Content-Type": "application/json"], body: wire.json.bytes)
        if let allow { response.headers["Allow"] = allow }
        return response
    }
}

extension DeviceRefusal {
    /// The value is a sentence.
    static func malformed(_ reason: String) -> Self {
        Self(
            .badRequest, "BAD_REQUEST", 1, "The request is malformed",
            reason)
    }

    static var tokenMissing: Self {
        Self(
            .unauthorized, "UNAUTHORIZED", 2, "The device token is missing or unknown",
            "The header Authorization is missing or of another scheme; expected “Device TOKEN” with the token of POST "
                + "/instances.")
    }

    static var tokenUnknown: Self {
        Self(
            .unauthorized, "UNAUTHORIZED", 2, "The device token is missing or unknown",
            "No instance has this device token. Losing it equals uninstalling the app: register with POST /instances and "
                + "enrol again. Fixtures that were reloaded bring only their own instances.")
    }

    static func signatureWrong(_ fault: SignatureFault) -> Self {
        Self(
            .forbidden, "BAD_SIGNATURE", 3, "The proof does not verify",
            fault.explanation)
    }

    static func proofWrong(_ reason: String) -> Self {
        Self(
            .forbidden, "BAD_SIGNATURE", 3, "The proof does not verify",
            reason)
    }

    static func accountBlocked(_ id: Int) -> Self {
        Self(
            .forbidden, "ACCOUNT_BLOCKED", 30, "The account is blocked",
            "The account \(id) is blocked; a back end unblocks it with PUT /servers/SERVERID/accounts/\(id)/?blocked=false."
        )
    }

    static func accountUnknown(_ id: String) -> Self {
        Self(
            .notFound, "ACCOUNT_NOT_FOUND", 31, "No such account",
            "This device has no account “\(id.prefix(40))”: it was deleted meanwhile, or belongs to another device."
        )
    }

    static func accountsMissing(server: String) -> Self {
        Self(
            .notFound, "NO_ACCOUNTS_FOR_SERVER", 34, "There is no account for this server",
            "This device has no account for the server \(server). Enrol first: GET sessions/qr/enrol makes the code."
        )
    }

    static func serverUnknown(_ id: String) -> Self {
        Self(
            .notFound, "SERVER_NOT_FOUND", 35, "No such server",
            "There is no server “\(id.prefix(60))”; a code of another world or of earlier fixtures names another one."
        )
    }

    static func flowUnknown(_ id: String) -> Self {
        Self(
            .notFound, "FLOW_NOT_FOUND", 36, "No such flow",
            "This device has no flow “\(id.prefix(60))”.")
    }

    static func flowExpired(_ id: String, seconds: Int) -> Self {
        Self(
            .notFound, "FLOW_NOT_FOUND", 36, "No such flow",
            "The flow \(id) waited too long for its next step: it expired \(seconds) s ago.")
    }

    /// The value is a sentence.
    static func stateWrong(_ reason: String) -> Self {
        Self(
            .conflict, "WRONG_STATE", 37, "The step does not fit the state",
            reason)
    }

    static func severalAccounts(_ count: Int) -> Self {
        Self(
            .conflict, "MULTIPLE_ACCOUNTS", 38, "Only one account is allowed",
            "The device has \(count) accounts for this server, and an AppLogin assumes exactly one.")
    }

    static var singleAccountTaken: Self {
        Self(
            .conflict, "MULTIPLE_ACCOUNTS", 38, "Only one account is allowed",
            "The flow's config has singleAccount, and the device has an account already; delete that one first."
        )
    }

    static func continuousAuthenticationRequired(server: String) -> Self {
        Self(
            .conflict, "CONTINUOUS_AUTH_REQUIRED", 39, "The server has no continuous authentication",
            "The server \(server) has pingTime 0, so its logins are one-shot, and an AppLogin needs one that lasts. Give it "
                + "a pingTime: 300 s for critical apps, 600 s or more for others.")
    }

    static func codeUsed(secondsAgo seconds: Int) -> Self {
        Self(
            .gone, "CODE_USED", 40, "The code was used or has expired",
            "The code was used \(seconds) s ago, and it works once. Make a new one.")
    }

    static func codeExpired(secondsAgo seconds: Int) -> Self {
        Self(
            .gone, "CODE_USED", 40, "The code was used or has expired",
            "The code expired \(seconds) s ago. Make a new one.")
    }

    static var codeUnknown: Self {
        Self(
            .gone, "CODE_USED", 40, "The code was used or has expired",
            "This code was never issued, or so long ago that it is forgotten. Its ticket has to belong to the "
                + "session and server in the same code.")
    }

    static var secondFactorBlocked: Self {
        Self(
            Status(code: 423), "SECOND_FACTOR_BLOCKED", 41, "The second factor is blocked",
            "The PIN is blocked after too many wrong ones, and no biometric key may replace it. Unlock it on the devices "
                + "page, or enrol a new installation of the app.")
    }

    static func sessionUnknown(_ id: String) -> Self {
        Self(
            .notFound, "SESSION_NOT_FOUND", 42, "No such running session",
            "This device has no session “\(id.prefix(60))”.")
    }

    /// - Parameter because: a sentence that says how it ended.
    static func sessionEnded(because reason: String) -> Self {
        Self(
            .notFound, "SESSION_NOT_FOUND", 42, "No such running session",
            reason)
    }

    static func messageUnknown(_ id: String) -> Self {
        Self(
            .notFound, "MESSAGE_NOT_FOUND", 43, "No such message",
            "This device has no message “\(id.prefix(60))”, or it has expired.")
    }

    static var pathUnknown: Self {
        Self(
            .notFound, "NOT_FOUND", 44, "Nothing answers at this path",
            "Nothing answers at this path of the device protocol.")
    }

    static func methodUnknown(allow: String) -> Self {
        Self(
            .methodNotAllowed, "METHOD_NOT_ALLOWED", 45, "The path does not answer this method",
            "The path answers \(allow) alone.",
            allow: allow)
    }
}

/// Why a signature of a device does not verify, as far as can be found out.
enum SignatureFault: Equatable, Sendable {
    /// Neither DER nor 64 bytes.
    case shapeless(byteCount: Int)
    /// It is right for the text without the line feed behind the last line.
    case lineFeedMissing
    /// It is right for an earlier challenge of this flow.
    case challengeOutdated
    /// It is right for another account of the device.
    case otherAccount(Int)
    /// Nothing that was tried fits. The value is the text that should have been signed.
    case unknown(expected: String)
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
                .map { "“\($0)\\n”" }.joined(separator: " ") + "."
        }
    }
}
