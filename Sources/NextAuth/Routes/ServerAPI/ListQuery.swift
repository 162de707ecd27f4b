import Essentials
import HTTP

/// Which rows of a list are wanted, and in which order: `limit`, `marker`, `sort`, `filter` and `search` of the query.
///
/// Source: API description 2.2. Its rule for `totalnumber` is *assumed*: all rows that fit filter and search, before the page is cut.
struct ListQuery: Sendable {
    private struct Order: Sendable {
        let column: String
        let isDescending: Bool
    }

    private struct Filter: Sendable {
        let name: String
        let values: [String]
    }

    private let limit: Int?
    private let marker: Int
    private let orders: [Order]
    private let filters: [Filter]
    private let search: TextSearch?

    /// - Parameter columns: by which the list can be sorted.
    /// - Throws: ``BackEndRefusal/inputInvalid(_:)``.
    init(_ request: Request, columns: [String] = []) throws(BackEndRefusal) {
        let query = request.queryItems
        limit = try Self.count("limit", query)
        marker = try Self.count("marker", query) ?? 0
        orders = try Self.orders(query["sort"], columns)
        filters = try Self.filters(query.values(of: "filter"))
        search = try Self.search(query["search"])
    }

    private static func search(_ text: String?) throws(BackEndRefusal) -> TextSearch? {
        guard let text else { return nil }
        do {
            return try TextSearch(text)
        } catch {
            throw .inputInvalid(
                "The parameter “search” must be \(TextSearch.TooLong.expected), but is one of \(error.count) bytes."
            )
        }
    }

    private static func count(_ name: String, _ query: Form) throws(BackEndRefusal) -> Int? {
        guard let text = query[name] else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw .inputInvalid(
                "The parameter “\(name)” is “\(text.prefix(40))”, expected a whole number of at least 0.")
        }
        return number
    }

    private static func orders(_ text: String?, _ columns: [String]) throws(BackEndRefusal) -> [Order] {
        var orders: [Order] = []
        for part in (text ?? "").split(separator: ",") {
            let words = part.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            let (column, direction) = (words.first ?? "", words.count > 1 ? words[1] : "asc")
            guard columns.contains(column), words.count < 3, ["asc", "desc"].contains(direction) else {
                throw .inputInvalid(
                    "The order “\(part.prefix(60))” is not of the form column[:asc|desc] with a column of "
                        + columns.joined(separator: ", ") + ".")
            }
            orders.append(Order(column: column, isDescending: direction == "desc"))
        }
        return orders
    }

    private static func filters(_ texts: [String]) throws(BackEndRefusal) -> [Filter] {
        var filters: [Filter] = []
        for text in texts where !text.isEmpty {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = parts.first, let value = parts.last, !name.isEmpty else {
                throw .inputInvalid(
                    "The filter “\(text.prefix(60))” is not of the form name=value or name=in:value,value.")
            }
            let values =
                value.hasPrefix("in:")
                ? value.dropFirst(3).split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                : [String(value)]
            filters.append(Filter(name: String(name), values: values))
        }
        return filters
    }
}

extension ListQuery {
    /// One entry of a list.
    struct Row: Sendable {
        /// What the answer shows; also what it is sorted by.
        let members: [String: JSONValue]
        /// What it is filtered by, beside the members.
        var attributes: [String: JSONValue] = [:]
        /// What is searched in.
        var searched = ""
    }

    /// The rows of the wanted page, and how many there are before it was cut.
    func page(of rows: [Row]) -> (rows: [JSONValue], total: Int) {
        var found = rows.filter { isWanted($0) }
        if !orders.isEmpty {
            // By position last, so that rows that compare equal keep their order.
            found = found.enumerated().sorted { left, right in
                for order in orders {
                    let (one, other) = (
                        left.element.members[order.column], right.element.members[order.column]
                    )
                    if let isBefore = Self.isBefore(one, other) { return isBefore != order.isDescending }
                }
                return left.offset < right.offset
            }.map(\.element)
        }
        let page = found.dropFirst(marker).prefix(limit ?? .max)
        return (page.map { .object($0.members) }, found.count)
    }

    private func isWanted(_ row: Row) -> Bool {
        if let search, !search.isIn(row.searched) { return false }
        return filters.allSatisfy { filter in
            guard let value = row.attributes[filter.name] ?? row.members[filter.name] else { return false }
            return filter.values.contains(value.string ?? value.text)
        }
    }

    /// Nil when they are equal. What is missing comes first.
    private static func isBefore(_ left: JSONValue?, _ right: JSONValue?) -> Bool? {
        if left == right { return nil }
        guard let left, let right else { return left == nil }
        if let one = left.integer, let other = right.integer { return one < other }
        return (left.string ?? left.text) < (right.string ?? right.text)
    }
}
