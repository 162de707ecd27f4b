import Essentials
import HTTP

/// A refusal of the server API, the one that back ends call. Names say what went wrong.
enum NextAuthError: Error, Equatable {
    case keyMissing
    case keyUnknown(String)
    /// - Parameters: what the call needs, and the role that lacks it.
    case permissionMissing(Permission, role: String)
    case permissionsMissing([Permission], role: String)
    case permissionMissingEverywhere([Permission], role: String)
    case impersonationForbidden(role: String)
    case roleUnknown(String)
    case nonceMissing
    /// The value is a sentence.
    case inputInvalid(String)
    case serverUnknown(String)
    case userUnknown(String)
    case accountUnknown(String)
    case userIDForbidden(String)
    case userRoleless(String)
    case transactionUnknown(String)
    case nobodyLoggedIn
    /// - Parameter because: a sentence.
    case provocationImpossible(because: String)
    case notEmulated(String)
    case pathUnknown
    case methodUnknown(allow: String)
    case broken
}

extension NextAuthError {
    /// Source: API description 2.2 for 403 and 404; 401 and the shape are ours.
    var wire: (status: Status, code: String, message: String) {
        switch self {
        case .keyMissing: (.unauthorized, "unauthorized", "The header X-apikey is missing")
        case .keyUnknown: (.unauthorized, "unauthorized", "The API key is unknown")
        case .permissionMissing, .permissionsMissing, .permissionMissingEverywhere:
            (.forbidden, "forbidden", "The role lacks a permission")
        case .impersonationForbidden: (.forbidden, "forbidden", "The role may not act as another one")
        case .roleUnknown: (.notFound, "not_found", "No such role")
        case .nonceMissing: (.badRequest, "bad_request", "The header X-nonce is missing")
        case .inputInvalid: (.badRequest, "bad_request", "The request is malformed")
        case .serverUnknown: (.notFound, "not_found", "No such server")
        case .userUnknown: (.notFound, "not_found", "No such user")
        case .accountUnknown: (.notFound, "not_found", "No such account")
        case .userIDForbidden: (.forbidden, "forbidden", "The user id is not allowed")
        case .userRoleless: (.notFound, "not_found", "The user has no role")
        case .transactionUnknown: (.notFound, "not_found", "No such transaction")
        case .nobodyLoggedIn: (.forbidden, "forbidden", "No account belongs to this session")
        case .provocationImpossible: (.forbidden, "forbidden", "A login cannot be pushed on this session")
        case .notEmulated: (.notImplemented, "not_implemented", "Not emulated")
        case .pathUnknown: (.notFound, "not_found", "Nothing answers at this path")
        case .methodUnknown: (.methodNotAllowed, "method_not_allowed", "The path does not answer this method")
        case .broken: (.internalServerError, "internal_error", "Internal error")
        }
    }
}

extension NextAuthError: NextAuthRefusal {
    var response: Response {
        let wire = wire
        let body: JSONValue = ["error": ["code": .string(wire.code), "message": .string(wire.message)]]
        var response = Response(
            status: wire.status, headers: ["Content-Type": "application/json"], body: body.bytes)
        if case .methodUnknown(let allow) = self { response.headers["Allow"] = allow }
        return response
    }
}
