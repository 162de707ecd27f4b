import Essentials
import HTTP
import OpenID
import PlatformKit

/// Refusals of the end-user, config and admin APIs, besides those of who calls (``APIAccessRefused``).
///
/// Source: Token Server documentation, end-user API (lists), device API v4 and config API (error tables).
enum ManagementError: OAuthRefusal, Equatable {
    /// `{"error":"No devices found"}`
    case nothingFound(what: String, of: String)
    /// A member or parameter is missing or wrong; each with what was expected and what came.
    case invalid([Fault])
    case notFound(what: String, id: String, known: [String])
    case conflict(message: String, id: String, with: String)
    /// Ids of those that could not be removed.
    case devicesLeft([String], of: String)
    /// A path that answers with a slash at its end alone.
    case slashMissing(String)
    /// The feature, and what to use in its place.
    case notEmulated(String, instead: String)

    struct Fault: Sendable, Equatable {
        /// Name of the member or parameter.
        let name: String
        /// What was expected and what came, for the middle of a sentence.
        let reason: String
    }

    /// One fault.
    static func invalid(_ name: String, _ reason: String) -> ManagementError {
        .invalid([Fault(name: name, reason: reason)])
    }

    var wire: OAuthWire {
        switch self {
        case .nothingFound(let what, _): OAuthWire(.notFound, "No \(what) found")
        case .invalid: OAuthWire(.badRequest, "invalid_request")
        case .notFound, .slashMissing: OAuthWire(.notFound, "not_found")
        case .conflict: OAuthWire(.conflict, "conflict")
        case .devicesLeft: OAuthWire(.internalServerError, "not_all_devices_deleted")
        case .notEmulated(let feature, _):
            OAuthWire(.notImplemented, "not_emulated", "Not emulated: \(feature)")
        }
    }

    func response() throws -> Response {
        switch self {
        case .nothingFound: .management(["error": .string(wire.error)], status: wire.status)
        case .notEmulated: wire.response
        default:
            .management(
                ["code": .string(wire.error), "message": .string(message), "details": .array(details)],
                status: wire.status)
        }
    }

    private var message: String {
        switch self {
        case .invalid: "One or more parameters is missing or incorrect."
        case .notFound(let what, _, _): "\(what) cannot be found."
        case .slashMissing: "Nothing answers at this path."
        case .conflict(let message, _, _): message
        case .devicesLeft: "Some of the devices could not be deleted."
        case .nothingFound, .notEmulated: wire.error
        }
    }

    private var details: [JSONValue] {
        switch self {
        case .invalid(let faults): faults.map { .string($0.name) }
        case .devicesLeft(let ids, _):
            ids.map { id in
                [
                    "id": .string(id),
                    "status": [
                        "code": "device_not_deleted", "message": "The device could not be deleted.",
                        "details": [],
                    ],
                ]
            }
        default: []
        }
    }

    var explanation: String {
        switch self {
        case .nothingFound(let what, let user):
            "The user \"\(user)\" has no \(what), or does not exist; this API answers an empty list with 404."
        case .invalid(let faults):
            faults.map { "The member \"\($0.name)\" \($0.reason)." }.joined(separator: " ")
        case .notFound(let what, let id, let known):
            "\(what) \"\(id)\" does not exist. "
                + (known.isEmpty ? "There is none at all." : "There are: \(known.joined(separator: ", ")).")
        case .conflict(_, let id, let other):
            "The id \"\(id)\" is taken by \(other): change that one with PATCH, or remove it first."
        case .devicesLeft(let ids, let user):
            "The user \"\(user)\" has no device \(ids.joined(separator: ", ")); the others in the list were removed."
        case .slashMissing(let path):
            "Expected the path with a slash at its end, \(path)/; the original answers that one alone."
        case .notEmulated(let feature, let instead):
            "Not emulated: \(feature). Use \(instead)."
        }
    }
}
