import Essentials
import HTTP

extension Response {
    /// JSON as the management APIs send it. Source: Token Server documentation, device API v4, its examples.
    static func management(_ body: JSONValue, status: Status = .ok) -> Response {
        managementEmpty(status, body.bytes)
    }

    /// 204, as the management APIs send it.
    static var managementDone: Response { managementEmpty(.noContent) }

    /// 201 without a body.
    static func managementCreated(at location: String) -> Response {
        var response = managementEmpty(.created)
        response.headers["Location"] = location
        return response
    }

    private static func managementEmpty(_ status: Status, _ body: [UInt8] = []) -> Response {
        Response(
            status: status,
            headers: [
                "Content-Type": "application/json;charset=UTF-8", "Cache-Control": "no-store",
                "Pragma": "no-cache",
            ], body: body)
    }
}
