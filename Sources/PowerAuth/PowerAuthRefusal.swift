import Essentials
import HTTP
import PlatformKit

/// A refusal of one of the platform's APIs. Each API has an enum of its own in this folder; all of them share one envelope.
protocol PowerAuthRefusal: Refusal {
    /// How the client hears it.
    var wire: WireError { get }
}

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

extension Response {
    /// Any JSON object, as the Cloud API answers: flat, without an envelope.
    static func flat(_ object: [String: JSONValue], status: Status = .ok) -> Response {
        Response(
            status: status, headers: ["Content-Type": "application/json"],
            body: JSONValue.object(object).bytes)
    }

    /// The envelope of the mobile APIs: `{"status":"OK","responseObject":…}`, without the member when there is no result.
    static func powerAuth(
        status: Status = .ok, _ word: String = "OK", responseObject: JSONValue? = nil,
        members: [(String, JSONValue)] = []
    ) -> Response {
        var writer = JSONObjectWriter()
        writer.add("status", .string(word))
        for (name, value) in members { writer.add(name, value) }
        if let responseObject { writer.add("responseObject", responseObject) }
        return Response(status: status, headers: ["Content-Type": "application/json"], body: writer.bytes)
    }
}
