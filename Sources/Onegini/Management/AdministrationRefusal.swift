import Essentials
import HTTP
import OpenID
import PlatformKit

/// Refusals of the end-user, config and admin APIs, besides those of who calls (``APIAccessRefused``).
///
/// Source: Token Server documentation, end-user API (lists), device API v4 and config API (error tables).
struct AdministrationRefusal: OAuthRefusal, Equatable {
    let wire: OAuthWire
    let explanation: String
    /// What the body says in the place of OAuth's members.
    private let body: [String: JSONValue]
    /// What is wrong with members or parameters, where that is the reason.
    private(set) var faults: [Members.Fault] = []

    /// `{"code", "message", "details"}`
    private init(
        _ status: Status, _ code: String, _ message: String, details: [JSONValue] = [], _ explanation: String
    ) {
        wire = OAuthWire(status, code)
        body = ["code": .string(code), "message": .string(message), "details": .array(details)]
        self.explanation = explanation
    }

    private init(_ wire: OAuthWire, body: [String: JSONValue], _ explanation: String) {
        (self.wire, self.body, self.explanation) = (wire, body, explanation)
    }

    func response() throws -> Response {
        body.isEmpty ? wire.response : .management(.object(body), status: wire.status)
    }
}

extension AdministrationRefusal {
    /// `{"error":"No devices found"}`
    static func nothingFound(what: String, of user: String) -> Self {
        Self(
            OAuthWire(.notFound, "No \(what) found"), body: ["error": .string("No \(what) found")],
            "The user “\(user)” has no \(what), or does not exist; this API answers an empty list with 404."
        )
    }

    /// A member or parameter is missing or wrong; each with what was expected and what came.
    static func invalid(_ faults: [Members.Fault]) -> Self {
        var refusal = Self(
            .badRequest, "invalid_request", "One or more parameters is missing or incorrect.",
            details: faults.map { .string($0.name.isEmpty ? "body" : $0.name) },
            faults.map(\.sentence).joined(separator: " "))
        refusal.faults = faults
        return refusal
    }

    /// One fault.
    static func invalid(_ name: String, _ reason: String) -> Self {
        .invalid([Members.Fault(name, reason: reason)])
    }

    static func notFound(what: String, id: String, known: [String]) -> Self {
        Self(
            .notFound, "not_found", "\(what) cannot be found.",
            "\(what) “\(id)” does not exist. "
                + (known.isEmpty ? "There is none at all." : "There are: \(known.joined(separator: ", "))."))
    }

    static func conflict(message: String, id: String, with other: String) -> Self {
        Self(
            .conflict, "conflict", message,
            "The id “\(id)” is taken by \(other): change that one with PATCH, or remove it first.")
    }

    /// Ids of those that could not be removed.
    static func devicesLeft(_ ids: [String], of user: String) -> Self {
        Self(
            .internalServerError, "not_all_devices_deleted", "Some of the devices could not be deleted.",
            details: ids.map { id in
                [
                    "id": .string(id),
                    "status": [
                        "code": "device_not_deleted", "message": "The device could not be deleted.",
                        "details": [],
                    ],
                ]
            },
            "The user “\(user)” has no device \(ids.joined(separator: ", ")); the others in the list were removed."
        )
    }

    /// A path that answers with a slash at its end alone.
    static func slashMissing(_ path: String) -> Self {
        Self(
            .notFound, "not_found", "Nothing answers at this path.",
            "Expected the path with a slash at its end, \(path)/; the original answers that one alone.")
    }

    /// The feature, and what to use in its place.
    static func notEmulated(_ feature: String, instead: String) -> Self {
        Self(
            OAuthWire(.notImplemented, "not_emulated", "Not emulated: \(feature)"), body: [:],
            "Not emulated: \(feature). Use \(instead).")
    }
}
