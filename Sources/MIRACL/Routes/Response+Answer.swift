import Essentials
import HTTP

extension Response {
    /// `200` with a JSON object that nobody keeps. Source: Milagro MFA SDK core, which takes no other status for success.
    static func answer(_ members: [String: JSONValue]) -> Response {
        Response(
            headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: JSONValue.object(members).bytes)
    }
}
