import Essentials
import HTTP
import OpenID
import PlatformKit

/// Refusals of the mobile authentication API besides those of who calls (``APIAccessRefused``).
///
/// Source: mobile authentication API v4 and v3, table of error codes.
enum PortalError: Error, Equatable {
    /// 1000
    case disabled
    /// 1000, for v1 alone.
    case version1Off
    /// 1001
    case noRoute(String)
    /// 1003; a sentence.
    case parameterInvalid(String)
    /// 1005
    case messageTooLong(Int, limit: Int)
    /// 3000
    case smsDisabled
    /// 3001
    case phoneNumberMissing
    /// 3003; a sentence.
    case codeWrong(String)
    /// 3004
    case transactionUnknown(String, String)
    /// 3005
    case userWrong(String, transaction: String)
    /// 3006
    case resendLimitReached(Int, type: String)
    /// 4000
    case typeUnknown(String, known: [String])
    /// 4001
    case versionTooOld(String)
}

extension PortalError {
    struct Wire {
        let status: Status
        let number: String
        let error: String
        let description: String

        init(_ number: String, _ status: Status, _ error: String, _ description: String) {
            (self.number, self.status, self.error, self.description) = (number, status, error, description)
        }
    }

    /// Status, number, OAuth error, and the text of both shapes.
    var wire: Wire {
        switch self {
        case .disabled, .version1Off:
            Wire("1000", .notFound, "not_found", "Mobile authentication is disabled.")
        case .noRoute:
            Wire(
                "1001", .notFound, "not_found",
                "No authentication possibilities for user/application or user not found.")
        case .parameterInvalid:
            Wire("1003", .badRequest, "invalid_request", "A parameter is invalid or missing.")
        case .messageTooLong: Wire("1005", .badRequest, "invalid_request", "The message is too long.")
        case .smsDisabled: Wire("3000", .notFound, "not_found", "SMS is disabled.")
        case .phoneNumberMissing:
            Wire("3001", .badRequest, "invalid_request", "The phone number is missing.")
        case .codeWrong:
            Wire("3003", .notFound, "invalid_verification_code", "The verification code is wrong.")
        case .transactionUnknown: Wire("3004", .notFound, "not_found", "Invalid transaction id.")
        case .userWrong: Wire("3005", .notFound, "not_found", "Invalid user id.")
        case .resendLimitReached:
            Wire("3006", .forbidden, "resend_limit_reached", "The resend limit is reached.")
        case .typeUnknown:
            Wire("4000", .notFound, "not_found", "Authentication properties are not found.")
        case .versionTooOld:
            Wire("4001", .notFound, "not_found", "The configuration demands API version 4 or later.")
        }
    }

    var explanation: String {
        switch self {
        case .disabled:
            "Mobile authentication is switched off in this world: onegini.mobile_authentication.enabled is false."
        case .version1Off:
            "The path is one of API v1, which asks for no credentials and is off: call /oauth/api/v4/authenticate/… with an API "
                + "client, or set onegini.mobile_authentication.deprecated_api_enabled to true."
        case .noRoute(let reason), .parameterInvalid(let reason), .codeWrong(let reason): reason
        case .messageTooLong(let count, let limit):
            "The message has \(count) characters and may have \(limit). Put long or sensitive text into secure_message, "
                + "or raise onegini.mobile_authentication.message_limit."
        case .smsDisabled:
            "No mobile authentication type of method SMS is set up; add one under onegini.mobile_authentication.types."
        case .phoneNumberMissing:
            "A start by SMS needs phone_number, in international notation such as +31612345678."
        case .transactionUnknown(let id, let reason): "The transaction \"\(id.prefix(60))\" \(reason)."
        case .userWrong(let user, let id):
            "The path names the user \"\(user.prefix(60))\", but the transaction \(id) was started for another one."
        case .resendLimitReached(let limit, let type):
            limit == 0
                ? "The type \"\(type)\" forbids to send again: its max_resends is 0."
                : "The code was sent again \(limit) times already, which is max_resends of the type \"\(type)\"."
        case .typeUnknown(let name, let known):
            "There is no mobile authentication type \"\(name.prefix(60))\""
                + (Suggestion.nearest(to: String(name.prefix(60)), among: known).map {
                    "; did you mean \"\($0)\"? This"
                }
                    ?? "; this") + " world has: " + (known.isEmpty ? "none" : known.joined(separator: ", "))
                + ". Types are named in onegini.mobile_authentication.types."
        case .versionTooOld(let version):
            "The path is one of API \(version), which cannot name a device. With onegini.enrollment.push_mode "
                + "\"multiple_devices\" only /api/v4 answers."
        }
    }
}

/// A refusal in the shape that the world's settings choose.
struct PortalRefusal: OAuthRefusal, Equatable {
    let error: PortalError
    let shape: PortalErrorShape

    var wire: OAuthWire { OAuthWire(error.wire.status, error.wire.error, error.wire.description) }
    var explanation: String { error.explanation }

    func response() throws -> Response {
        let wire = error.wire
        let oauth: [String: JSONValue] = [
            "error": .string(wire.error), "error_description": .string(wire.description),
        ]
        let numbered: [String: JSONValue] = [
            "error_code": .string(wire.number), "description": .string(wire.description),
        ]
        let members =
            switch shape {
            case .union: oauth.merging(numbered) { kept, _ in kept }
            case .oauth: oauth
            case .numbered: numbered
            }
        return .portal(.object(members), status: wire.status)
    }
}

extension Response {
    /// JSON as the mobile authentication API sends it. Source: mobile authentication API v4, its examples.
    static func portal(_ body: JSONValue, status: Status = .ok) -> Response {
        Response(status: status, headers: portalHeaders, body: body.bytes)
    }

    static var portalDone: Response { Response(status: .noContent, headers: portalHeaders) }

    private static var portalHeaders: Headers {
        [
            "Content-Type": "application/json;charset=UTF-8",
            "Cache-Control": "no-cache, no-store, must-revalidate", "Pragma": "no-cache",
        ]
    }
}
