import Essentials
import HTTP
import OpenID
import PlatformKit

/// What is wrong with a call of the mobile authentication API, besides who calls (``APIAccessRefused``).
///
/// Source: mobile authentication API v4 and v3, table of error codes.
struct PortalFault: Error, Equatable {
    let number: String
    let status: Status
    /// As OAuth says it.
    let error: String
    /// The text of both shapes.
    let description: String
    let explanation: String

    var isTypeUnknown: Bool { number == "4000" }

    private init(
        _ number: String, _ status: Status, _ error: String, _ description: String, _ explanation: String
    ) {
        (self.number, self.status, self.error) = (number, status, error)
        (self.description, self.explanation) = (description, explanation)
    }
}

extension PortalFault {
    /// 1000
    static var disabled: Self {
        Self(
            "1000", .notFound, "not_found", "Mobile authentication is disabled.",
            "Mobile authentication is switched off in this world: onegini.mobile_authentication.enabled is false."
        )
    }

    /// 1000, for v1 alone.
    static var version1Off: Self {
        Self(
            "1000", .notFound, "not_found", "Mobile authentication is disabled.",
            "The path is one of API v1, which asks for no credentials and is off: call /oauth/api/v4/authenticate/… with an API "
                + "client, or set onegini.mobile_authentication.deprecated_api_enabled to true.")
    }

    /// 1001
    static func noRoute(_ reason: String) -> Self {
        Self(
            "1001", .notFound, "not_found",
            "No authentication possibilities for user/application or user not found.",
            reason)
    }

    /// 1003; a sentence.
    static func parameterInvalid(_ reason: String) -> Self {
        Self(
            "1003", .badRequest, "invalid_request", "A parameter is invalid or missing.",
            reason)
    }

    /// 1005
    static func messageTooLong(_ count: Int, limit: Int) -> Self {
        Self(
            "1005", .badRequest, "invalid_request", "The message is too long.",
            "The message has \(count) characters and may have \(limit). Put long or sensitive text into secure_message, "
                + "or raise onegini.mobile_authentication.message_limit.")
    }

    /// 3000
    static var smsDisabled: Self {
        Self(
            "3000", .notFound, "not_found", "SMS is disabled.",
            "No mobile authentication type of method SMS is set up; add one under onegini.mobile_authentication.types."
        )
    }

    /// 3001
    static var phoneNumberMissing: Self {
        Self(
            "3001", .badRequest, "invalid_request", "The phone number is missing.",
            "A start by SMS needs phone_number, in international notation such as +31612345678.")
    }

    /// 3003; a sentence.
    static func codeWrong(_ reason: String) -> Self {
        Self(
            "3003", .notFound, "invalid_verification_code", "The verification code is wrong.",
            reason)
    }

    /// 3004
    static func transactionUnknown(_ id: String, _ reason: String) -> Self {
        Self(
            "3004", .notFound, "not_found", "Invalid transaction id.",
            "The transaction “\(id.prefix(60))” \(reason).")
    }

    /// 3005
    static func userWrong(_ user: String, transaction id: String) -> Self {
        Self(
            "3005", .notFound, "not_found", "Invalid user id.",
            "The path names the user “\(user.prefix(60))”, but the transaction \(id) was started for another one."
        )
    }

    /// 3006
    static func resendLimitReached(_ limit: Int, type: String) -> Self {
        Self(
            "3006", .forbidden, "resend_limit_reached", "The resend limit is reached.",
            limit == 0
                ? "The type “\(type)” forbids to send again: its max_resends is 0."
                : "The code was sent again \(limit.counted("time")) already, which is max_resends of the type “\(type)”."
        )
    }

    /// 4000
    static func typeUnknown(_ name: String, known: [String]) -> Self {
        Self(
            "4000", .notFound, "not_found", "Authentication properties are not found.",
            "There is no mobile authentication type “\(name.prefix(60))”"
                + (Suggestion.nearest(to: String(name.prefix(60)), among: known).map {
                    "; did you mean “\($0)”? This"
                }
                    ?? "; this") + " world has: " + (known.isEmpty ? "none" : known.joined(separator: ", "))
                + ". Types are named in onegini.mobile_authentication.types.")
    }

    /// 4001
    static func versionTooOld(_ version: String) -> Self {
        Self(
            "4001", .notFound, "not_found", "The configuration demands API version 4 or later.",
            "The path is one of API \(version), which cannot name a device. With onegini.enrollment.push_mode "
                + "“multiple_devices” only /api/v4 answers.")
    }
}

/// A refusal in the shape that the world's settings choose.
struct PortalRefusal: OAuthRefusal, Equatable {
    let fault: PortalFault
    let shape: PortalErrorShape

    var wire: OAuthWire { OAuthWire(fault.status, fault.error, fault.description) }
    var explanation: String { fault.explanation }

    func response() throws -> Response {
        let oauth: [String: JSONValue] = [
            "error": .string(fault.error), "error_description": .string(fault.description),
        ]
        let numbered: [String: JSONValue] = [
            "error_code": .string(fault.number), "description": .string(fault.description),
        ]
        let members =
            switch shape {
            case .union: oauth.merging(numbered) { kept, _ in kept }
            case .oauth: oauth
            case .numbered: numbered
            }
        return .portal(.object(members), status: fault.status)
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
