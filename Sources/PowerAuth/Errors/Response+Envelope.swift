import Essentials
import HTTP

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
