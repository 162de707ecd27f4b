import Essentials
import HTTP
import OpenID
import PlatformKit

/// Refusals of a PIN, which the server knows as a refresh token or, in the convenience mode, as itself.
enum PINError: AuditedRefusal, Equatable {
    /// How the wire says that a PIN is wrong.
    enum Place: Sendable, Equatable {
        /// At the token endpoint or at the login: `invalid_grant`.
        case login
        /// Inside of an answer to a push message: `invalid_pin`.
        case push
    }

    /// - Parameter finding: what could be found out about the value that came, in a sentence.
    case wrong(Place, profileID: String, used: Int, max: Int, finding: String)
    case locked(Place, profileID: String, max: Int, finding: String)
    case deregistered(profileID: String, because: String?)
    /// The refresh token lived too long, or was used twice: the profile is gone now. A sentence.
    case profileEnded(String)
    case profileUnknown(String)
    case notSet(String)
    case refused(PINPolicy.Violation)
    case modeOff(application: String)

    /// Source: the device protocol.
    var wire: OAuthWire {
        switch self {
        case .wrong(let place, _, let used, let max, _):
            Self.wrong(place, used: used, max: max, 9009)
        case .locked(let place, _, let max, _):
            Self.wrong(place, used: max, max: max, 9003, ["onegini_error": "user_deregistered"])
        case .deregistered, .profileEnded:
            .device(
                .badRequest, "invalid_grant", "The user is not registered on this device any more", 9003,
                members: ["onegini_error": "user_deregistered"])
        case .profileUnknown:
            .device(.badRequest, "invalid_grant", "The profile is not registered on this device", 10015)
        case .notSet: .device(.conflict, "pin_not_set", "The profile has no PIN at the server", 10015)
        case .refused(let violation): violation.wire
        case .modeOff: .device(.notFound, "not_found", "PINs are not sent to this server", 10015)
        }
    }

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

    /// The rest is told by the authorization server, or in the transaction that counts.
    var event: EventType? { nil }

    var explanation: String {
        switch self {
        case .wrong(_, let profileID, let used, let max, let finding):
            max == 0
                ? "\(finding) That is failure \(used) of the profile \(profileID), which has no limit."
                : "\(finding) \(Self.times(used)) wrong in a row for the profile \(profileID), \(max - used) attempts left."
        case .locked(_, let profileID, let max, let finding):
            "\(finding) \(Self.times(max)) wrong in a row is the limit: the profile \(profileID) is deregistered, with its "
                + "tokens and its enrollment. The user has to register again."
        case .deregistered(let profileID, let reason):
            "The profile \(profileID) is gone from the device. "
                + (reason ?? "Its tombstone is too old to say why.")
        case .profileEnded(let reason): reason
        case .profileUnknown(let profileID):
            "The device has no profile \"\(profileID.prefix(40))\" and never had one; register a user first."
        case .notSet(let profileID):
            "The profile \(profileID) has no PIN at the server. Set one with PUT /sdk/v1/profiles/\(profileID)/pin, or "
                + "log in with the refresh token."
        case .refused(let violation): violation.explanation
        case .modeOff(let application):
            "convenience_mode is off for \(application): there a PIN never leaves the device, it masks the refresh token."
        }
    }

    private static func times(_ count: Int) -> String { count == 1 ? "Once" : "\(count) times" }
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
        case .blocked: "The PIN stands in blocked_pins of the application's policy."
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
