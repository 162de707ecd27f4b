import Essentials
import HTTP
import PlatformKit

/// A refusal of the server API, the one that back ends call: its static members are the cases.
///
/// Source: API description 2.2 for 403 and 404; 401 and the shape are ours.
struct BackEndRefusal: NextAuthRefusal, Equatable {
    let status: Status
    let code: String
    let message: String
    let explanation: String
    /// What the path answers, where the method was wrong.
    private let allow: String?

    private init(
        _ status: Status, _ code: String, _ message: String, _ explanation: String, allow: String? = nil
    ) {
        (self.status, self.code, self.message) = (status, code, message)
        (self.explanation, self.allow) = (explanation, allow)
    }

    var response: Response {
        let body: JSONValue = ["error": ["code": .string(code), "message": .string(message)]]
        var response = Response(
            status: status, headers: ["Content-Type": "application/json"], body: body.bytes)
        if let allow { response.headers["Allow"] = allow }
        return response
    }
}

extension BackEndRefusal {
    static var keyMissing: Self {
        Self(
            .unauthorized, "unauthorized", "The header X-apikey is missing",
            "The header X-apikey is missing; every call of the server API names the API key of a role in it.")
    }

    static func keyUnknown(_ key: String) -> Self {
        Self(
            .unauthorized, "unauthorized", "The API key is unknown",
            "No role has the API key “\(key.prefix(60))”. The fixtures bring keys, POST /apikeys/ makes more."
        )
    }

    /// - Parameters: what the call needs, and the role that lacks it.
    static func permissionMissing(_ permission: Permission, role: String) -> Self {
        Self(
            .forbidden, "forbidden", "The role lacks a permission",
            "The call needs the permission “\(permission.rawValue)” on this server, or globally; the role \(role) has "
                + "neither. Grant it: POST /servers/SERVERID/permissions/ROLEID.")
    }

    static func permissionsMissing(_ permissions: [Permission], role: String) -> Self {
        Self(
            .forbidden, "forbidden", "The role lacks a permission",
            "The call needs one of the permissions \(Self.list(permissions)) on this server, or globally; the role \(role) "
                + "has none of them. Grant one: POST /servers/SERVERID/permissions/ROLEID.")
    }

    static func permissionMissingEverywhere(_ permissions: [Permission], role: String) -> Self {
        Self(
            .forbidden, "forbidden", "The role lacks a permission",
            "The call needs one of the global permissions \(Self.list(permissions)); the role \(role) has none of them."
        )
    }

    static func impersonationForbidden(role: String) -> Self {
        Self(
            .forbidden, "forbidden", "The role may not act as another one",
            "The header X-su asks to act as another role, which needs the global permission “root” or “setrid”; "
                + "the role \(role) has neither.")
    }

    static func roleUnknown(_ id: String) -> Self {
        Self(
            .notFound, "not_found", "No such role",
            "There is no role “\(id.prefix(60))”.")
    }

    static var nonceMissing: Self {
        Self(
            .badRequest, "bad_request", "The header X-nonce is missing",
            "The header X-nonce is missing; it names the session: the text that the back end chose for its own."
        )
    }

    /// The value is a sentence.
    static func inputInvalid(_ reason: String) -> Self {
        Self(
            .badRequest, "bad_request", "The request is malformed",
            reason)
    }

    static func serverUnknown(_ id: String) -> Self {
        Self(
            .notFound, "not_found", "No such server",
            "There is no server “\(id.prefix(60))”. The id is the Base64 text of “serverid”, percent-encoded or in its "
                + "URL-safe form.")
    }

    static func userUnknown(_ id: String) -> Self {
        Self(
            .notFound, "not_found", "No such user",
            "The server has no user “\(id.prefix(60))”.")
    }

    static func accountUnknown(_ id: String) -> Self {
        Self(
            .notFound, "not_found", "No such account",
            "The server has no account “\(id.prefix(60))”.")
    }

    static func userIDForbidden(_ id: String) -> Self {
        Self(
            .forbidden, "forbidden", "The user id is not allowed",
            "A user id has 1 to \(User.idLimit) characters, this one has \(id.count).")
    }

    static func userRoleless(_ id: String) -> Self {
        Self(
            .notFound, "not_found", "The user has no role",
            "The user “\(id.prefix(60))” has no role; POST to the same path makes one.")
    }

    static func transactionUnknown(_ id: String) -> Self {
        Self(
            .notFound, "not_found", "No such transaction",
            "The server has no transaction “\(id.prefix(60))”.")
    }

    static var nobodyLoggedIn: Self {
        Self(
            .forbidden, "forbidden", "No account belongs to this session",
            "No user is logged in on this session. It is found by X-nonce: the same text as when the code was created."
        )
    }

    /// - Parameter because: a sentence.
    static func provocationImpossible(because reason: String) -> Self {
        Self(
            .forbidden, "forbidden", "A login cannot be pushed on this session",
            reason)
    }

    static func notEmulated(_ reason: String) -> Self {
        Self(
            .notImplemented, "not_implemented", "Not emulated",
            reason)
    }

    static var pathUnknown: Self {
        Self(
            .notFound, "not_found", "Nothing answers at this path",
            "Nothing answers at this path.")
    }

    static func methodUnknown(allow: String) -> Self {
        Self(
            .methodNotAllowed, "method_not_allowed", "The path does not answer this method",
            "The path answers \(allow) alone.",
            allow: allow)
    }

    static var broken: Self {
        Self(
            .internalServerError, "internal_error", "Internal error",
            "The emulator failed.")
    }

    private static func list(_ permissions: [Permission]) -> String {
        permissions.map { "“\($0.rawValue)”" }.joined(separator: ", ")
    }
}

/// A refusal of one of the platform's APIs. Each API has a type and a shape of its own.
protocol NextAuthRefusal: Refusal {
    /// How the client hears it.
    var response: Response { get }
}
