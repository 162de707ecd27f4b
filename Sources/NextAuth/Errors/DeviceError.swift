import Essentials
import HTTP

/// A refusal of the device protocol. Names say what went wrong.
enum DeviceError: Error, Equatable {
    /// The value is a sentence.
    case malformed(String)
    case tokenMissing
    case tokenUnknown
    case signatureWrong(SignatureFault)
    case proofWrong(String)
    case accountBlocked(Int)
    case accountUnknown(String)
    case accountsMissing(server: String)
    case serverUnknown(String)
    case flowUnknown(String)
    case flowExpired(String, seconds: Int)
    /// The value is a sentence.
    case stateWrong(String)
    case severalAccounts(Int)
    case singleAccountTaken
    case continuousAuthenticationRequired(server: String)
    case codeUsed(secondsAgo: Int)
    case codeExpired(secondsAgo: Int)
    case codeUnknown
    case secondFactorBlocked
    case sessionUnknown(String)
    /// - Parameter because: a sentence that says how it ended.
    case sessionEnded(because: String)
    case messageUnknown(String)
    case pathUnknown
    case methodUnknown(allow: String)
}

extension DeviceError {
    /// Name, number and text on the wire. Source: the device protocol, which is ours.
    struct Wire: Equatable {
        let status: Status
        let code: String
        let number: Int
        let message: String

        init(_ status: Status, _ code: String, _ number: Int, _ message: String) {
            (self.status, self.code, self.number, self.message) = (status, code, number, message)
        }

        var json: JSONValue {
            ["code": .string(code), "number": .integer(number), "message": .string(message)]
        }
    }

    var wire: Wire {
        switch self {
        case .malformed: Wire(.badRequest, "BAD_REQUEST", 1, "The request is malformed")
        case .tokenMissing, .tokenUnknown:
            Wire(.unauthorized, "UNAUTHORIZED", 2, "The device token is missing or unknown")
        case .signatureWrong, .proofWrong:
            Wire(.forbidden, "BAD_SIGNATURE", 3, "The proof does not verify")
        case .accountBlocked: Wire(.forbidden, "ACCOUNT_BLOCKED", 30, "The account is blocked")
        case .accountUnknown: Wire(.notFound, "ACCOUNT_NOT_FOUND", 31, "No such account")
        // The number is the real SDK's.
        case .accountsMissing:
            Wire(.notFound, "NO_ACCOUNTS_FOR_SERVER", 34, "There is no account for this server")
        case .serverUnknown: Wire(.notFound, "SERVER_NOT_FOUND", 35, "No such server")
        case .flowUnknown, .flowExpired: Wire(.notFound, "FLOW_NOT_FOUND", 36, "No such flow")
        case .stateWrong: Wire(.conflict, "WRONG_STATE", 37, "The step does not fit the state")
        case .severalAccounts, .singleAccountTaken:
            Wire(.conflict, "MULTIPLE_ACCOUNTS", 38, "Only one account is allowed")
        case .continuousAuthenticationRequired:
            Wire(.conflict, "CONTINUOUS_AUTH_REQUIRED", 39, "The server has no continuous authentication")
        case .codeUsed, .codeExpired, .codeUnknown:
            Wire(.gone, "CODE_USED", 40, "The code was used or has expired")
        case .secondFactorBlocked:
            Wire(Status(code: 423), "SECOND_FACTOR_BLOCKED", 41, "The second factor is blocked")
        case .sessionUnknown, .sessionEnded:
            Wire(.notFound, "SESSION_NOT_FOUND", 42, "No such running session")
        case .messageUnknown: Wire(.notFound, "MESSAGE_NOT_FOUND", 43, "No such message")
        case .pathUnknown: Wire(.notFound, "NOT_FOUND", 44, "Nothing answers at this path")
        case .methodUnknown:
            Wire(.methodNotAllowed, "METHOD_NOT_ALLOWED", 45, "The path does not answer this method")
        }
    }
}

extension DeviceError: NextAuthRefusal {
    var response: Response {
        let wire = wire
        var response = Response(
            status: wire.status, headers: ["Content-Type": "application/json"], body: wire.json.bytes)
        if case .methodUnknown(let allow) = self { response.headers["Allow"] = allow }
        return response
    }
}
