import Essentials
import HTTP
import OpenID
import PlatformKit

/// Refusals of a PIN, which the server knows as a refresh token or, in the convenience mode, as itself.
struct PINRefusal: AuditedRefusal, Equatable {
    /// How the wire says that a PIN is wrong.
    enum Place: Sendable, Equatable {
        /// At the token endpoint or at the login: `invalid_grant`.
        case login
        /// Inside of an answer to a push message: `invalid_pin`.
        case push
    }

    let wire: OAuthWire
    let explanation: String
    /// The last attempt that was allowed: the profile is deregistered.
    private(set) var isLocked = false
    /// The rest is told by the authorization server, or in the transaction that counts.
    var event: EventType? { nil }

    private init(_ wire: OAuthWire, _ explanation: String) {
        (self.wire, self.explanation) = (wire, explanation)
    }
}

extension PINRefusal {
    /// - Parameter finding: what could be found out about the value that came, in a sentence.
    static func wrong(_ place: Place, profileID: String, used: Int, max: Int, finding: String) -> Self {
        Self(
            Self.wrong(place, used: used, max: max, 9009),
            max == 0
                ? "\(finding) That is failure \(used) of the profile \(profileID), which has no limit."
                : "\(finding) The PIN of the profile \(profileID) was wrong \(Self.times(used)), \((max - used).counted("attempt")) left."
        )
    }

    static func locked(_ place: Place, profileID: String, max: Int, finding: String) -> Self {
        var refusal = Self(
            Self.wrong(place, used: max, max: max, 9003, ["onegini_error": "user_deregistered"]),
            "\(finding) The PIN was wrong \(Self.times(max)), which is the limit: the profile \(profileID) is deregistered, with its "
                + "tokens and its enrollment. The user has to register again.")
        refusal.isLocked = true
        return refusal
    }

    static func deregistered(profileID: String, because reason: String?) -> Self {
        Self(
            .device(
                .badRequest, "invalid_grant", "The user is not registered on this device any more", 9003,
                members: ["onegini_error": "user_deregistered"]),
            "The profile \(profileID) was removed from the device. "
                + (reason ?? "Its tombstone is too old to say why."))
    }

    /// The refresh token lived too long, or was used twice: the profile is gone now. A sentence.
    static func profileEnded(_ reason: String) -> Self {
        Self(
            .device(
                .badRequest, "invalid_grant", "The user is not registered on this device any more", 9003,
                members: ["onegini_error": "user_deregistered"]),
            reason)
    }

    static func profileUnknown(_ profileID: String) -> Self {
        Self(
            .device(.badRequest, "invalid_grant", "The profile is not registered on this device", 10015),
            "The device has no profile “\(profileID.prefix(40))” and never had one; register a user first.")
    }

    static func notSet(_ profileID: String) -> Self {
        Self(
            .device(.conflict, "pin_not_set", "The profile has no PIN at the server", 10015),
            "The profile \(profileID) has no PIN at the server. Set one with PUT /sdk/v1/profiles/\(profileID)/pin, or "
                + "log in with the refresh token.")
    }

    static func refused(_ violation: PINPolicy.Violation) -> Self {
        Self(
            violation.wire,
            violation.explanation)
    }

    static func modeOff(application: String) -> Self {
        Self(
            .device(.notFound, "not_found", "PINs are not sent to this server", 10015),
            "convenience_mode is off for \(application): there a PIN never leaves the device, it masks the refresh token."
        )
    }
}

extension PINRefusal {
    private static func wrong(
        _ place: Place, used: Int, max: Int, _ code: Int, _ members: [String: JSONValue] = [:]
    ) -> OAuthWire {
        var members = members
        members["used_attempts"] = .integer(used)
        members["max_attempts"] = .integer(max)
        if max > 0 { members["remaining_attempts"] = .integer(max - used) }
        return switch place {
        case .login: .device(.badRequest, "invalid_grant", "The PIN is wrong", code, members: members)
        case .push: .device(.unauthorized, "invalid_pin", "The PIN is wrong", code, members: members)
        }
    }

    private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times in a row" }
}

extension PINPolicy.Violation {
    fileprivate var wire: OAuthWire {
        switch self {
        case .notDigits: .device(.badRequest, "invalid_request", "A PIN has digits alone", 10015)
        case .blocked: .device(.unprocessableContent, "pin_blocked", "The PIN is blocked", 9011)
        case .sequence: .device(.unprocessableContent, "pin_sequence", "The PIN is a sequence", 9012)
        case .similarDigits(let limit, _):
            .device(
                .unprocessableContent, "pin_similar_digits", "Too many equal digits in a row", 9013,
                members: ["max_similar_digits": .integer(limit)])
        case .length(let expected, _):
            .device(
                .unprocessableContent, "pin_length", "The PIN has the wrong length", 9014,
                members: ["pin_length": .integer(expected)])
        }
    }

    fileprivate var explanation: String {
        switch self {
        case .notDigits: "The PIN has the right length, but not all of it are ASCII digits."
        case .blocked: "The PIN is in blocked_pins of the application's policy."
        case .sequence(let step):
            "Each digit of the PIN is \(abs(step)) \(step > 0 ? "more" : "less") than the one before, and sequences are "
                + "not allowed."
        case .similarDigits(let limit, let found):
            "The PIN has \(found) equal digits in a row; \(limit) are allowed."
        case .length(let expected, let found):
            "The PIN has \(found) characters; the policy asks for \(expected) digits."
        }
    }
}
