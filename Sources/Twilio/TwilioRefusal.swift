import Essentials
import HTTP
import PlatformKit

/// What Twilio says no with: `{"code", "message", "more_info", "status"}`. Source: API responses, error dictionary.
struct TwilioRefusal: Refusal, Equatable {
    let status: Status
    /// Such as 21211.
    let code: Int
    let message: String
    let explanation: String

    init(_ status: Status, _ code: Int, _ message: String, _ explanation: String) {
        (self.status, self.code, self.message, self.explanation) = (status, code, message, explanation)
    }

    var response: Response {
        let body: JSONValue = .object([
            "code": .integer(code), "message": .string(message),
            "more_info": .string("https://www.twilio.com/docs/errors/\(code)"),
            "status": .integer(status.code),
        ])
        var response = Response(
            status: status, headers: ["Content-Type": "application/json"], body: body.bytes)
        if status == .unauthorized { response.headers["WWW-Authenticate"] = "Basic realm=\"Twilio API\"" }
        return response
    }
}

extension TwilioRefusal {
    static func unauthenticated(_ explanation: String) -> Self {
        Self(.unauthorized, 20003, "Authenticate", explanation)
    }

    static let toMissing = Self(
        .badRequest, 21604, "A 'To' phone number is required.",
        "The form has no To, which must name the recipient.")
    static let fromMissing = Self(
        .badRequest, 21603, "A 'From' phone number is required.",
        "The form has neither From nor MessagingServiceSid; one of them must say who sends.")
    static let bodyMissing = Self(
        .badRequest, 21602, "Message body is required.", "The form has no Body, the text to send.")

    static func toInvalid(_ number: String) -> Self {
        Self(
            .badRequest, 21211, "The 'To' number \(number) is not a valid phone number.",
            "To must be a number as E.164 has it, such as +14155550100, but is “\(number)”.")
    }

    static func fromInvalid(_ sender: String) -> Self {
        Self(
            .badRequest, 21212,
            "The 'From' number \(sender) is not a valid phone number, shortcode, or alphanumeric sender ID.",
            "From must be a number as E.164 has it, a short code of 3 to 6 digits, or a name of at most 11 letters and digits, but is “\(sender)”."
        )
    }

    static func bodyTooLong(_ count: Int) -> Self {
        Self(
            .badRequest, 21617, "The concatenated message body exceeds the 1600 character limit",
            "Body has \(count) characters; Twilio takes 1600.")
    }

    static func serviceUnknown(_ sid: String) -> Self {
        Self(
            .badRequest, 21701, "The Messaging Service does not exist",
            "MessagingServiceSid must be MG and 32 hexadecimal digits, but is “\(sid)”.")
    }

    /// One of the numbers that Twilio's test credentials refuse. Source: test credentials, “Magic input”.
    static func magic(_ code: Int, _ message: String, _ number: String) -> Self {
        Self(
            .badRequest, code, message,
            "The number \(number) is one of Twilio's for tests, which is always refused so.")
    }

    /// - Parameter what: such as “Verify”.
    static func notEmulated(_ what: String, instead: String) -> Self {
        Self(
            .notImplemented, 501, "\(what) is not emulated by Understudy. \(instead)",
            "\(what) is not emulated. \(instead)")
    }
}
