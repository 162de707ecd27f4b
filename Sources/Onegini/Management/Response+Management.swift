import Essentials
import HTTP
import PlatformKit

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

    /// The list under `name`, or the API's 404 in the place of an empty one.
    ///
    /// - Parameter what: as the error spells it.
    static func list(_ name: String, _ elements: [JSONValue], of user: String, what: String) throws
        -> Response
    {
        if elements.isEmpty { throw AdministrationRefusal.nothingFound(what: what, of: user) }
        return .management(.object([name: .array(elements)]))
    }

    /// `{"result":[…]}` with the hundred elements of the page that the query asks for, counted from 0.
    ///
    /// - Throws: ``AdministrationRefusal/invalid(_:)`` for a page that is no number.
    static func page(of elements: [JSONValue], _ request: Request) throws -> Response {
        let text = Form(request.query ?? "")["page"] ?? "0"
        guard let page = Int(text), 0...1_000_000 ~= page else {
            throw AdministrationRefusal.invalid(
                "page", "must be a whole number from 0, not “\(text.prefix(40))”")
        }
        let shown = ListPage(number: page, size: 100)
        return .management(["result": .array(Array(elements.dropFirst(shown.offset).prefix(shown.size)))])
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
