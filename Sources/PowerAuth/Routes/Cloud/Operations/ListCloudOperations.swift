import Essentials
import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// `GET /v2/operations?userId=…`: operations of a user, newest first. Its form is *assumed*: nothing public shows it.
    ///
    /// - Request: query `userId`; `status`, `registrationId`, `externalId`, `page` from 0, `size`, 500 when left out, at most 1000.
    /// - Response: `200 {"operations": […]}`; an unknown user has none.
    /// - Errors: `ERROR_REQUEST`.
    /// - Source: modelled after `operation/list` of the management API.
    func listCloudOperations(_ request: Request) throws -> Response {
        let user = try requireBackOffice(request)
        let form = Form(request.query ?? "")
        var query = OperationQuery(user: try request.requireQuery("userId"), applications: user.applications)
        query.activation = form["registrationId"]
        query.externalID = form["externalId"]
        if let word = form["status"] {
            guard let state = Operation.State(rawValue: word) else {
                let known = Operation.State.allCases.map(\.rawValue).joined(separator: ", ")
                throw CloudRefusal(
                    .request, "The status is “\(word.prefix(40))”, expected one of \(known).")
            }
            query.state = state
        }
        query.page = ListPage(
            number: try form.number("page", ListPage.numbers, standard: 0),
            size: try form.number("size", OperationQuery.sizes, standard: 500))
        let now = services.clock.now()
        let wanted = query
        let found = try database.read { try Operation.all(wanted, at: now, in: $0) }
        try settleExpiry(of: found, at: now)
        let list = try found.map { JSONValue.object(try $0.cloudMembers(at: now, withOTP: false)) }
        return .flat(["operations": .array(list)])
    }
}

extension Form {
    fileprivate func number(_ name: String, _ range: ClosedRange<Int>, standard: Int) throws -> Int {
        guard let text = self[name] else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw CloudRefusal(
                .request,
                "Expected a whole number from \(range.lowerBound) to \(range.upperBound) as \(name), found "
                    + "“\(text.prefix(40))”.")
        }
        return number
    }
}
