import Essentials
import HTTP

/// The error envelope of every API here: `{"status":"ERROR","responseObject":{"code":"…","message":"…"}}`. Never encrypted.
struct WireError: Equatable {
    var status: Status
    var code: String
    var message: String
    /// Further members of the response object, such as `currentRecoveryPukIndex`.
    var members: [String: JSONValue] = [:]
    var headers: Headers = [:]

    init(_ status: Status, _ code: String, _ message: String, members: [String: JSONValue] = [:]) {
        (self.status, self.code, self.message, self.members) = (status, code, message, members)
    }

    /// No such path, or not with this method.
    init(_ unknown: RouteUnknown) {
        self.init(unknown.status, "ERROR_NOT_FOUND", "Nothing answers at this path with this method.")
        headers["Allow"] = unknown.allow
    }

    var response: Response {
        var object = members
        object["code"] = .string(code)
        object["message"] = .string(message)
        var response = Response.powerAuth(status: status, "ERROR", responseObject: .object(object))
        for field in headers.fields { response.headers[field.name] = field.value }
        return response
    }
}
