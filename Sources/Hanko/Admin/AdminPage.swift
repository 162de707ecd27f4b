import HTTP

/// Which part of a list is asked for, and the fields that say where the others are.
struct AdminPage: Sendable, Equatable {
    /// Entries that a page can have; more are not given. Ours: the original gives any number.
    static let maxPerPage = 1000

    /// Counted from 1.
    let number: Int
    let perPage: Int

    var offset: Int { (number - 1) * perPage }

    /// Of `page` and `per_page`; 0 counts as not given.
    ///
    /// - Throws: ``AdminRefusal/queryWrong(_:)``.
    init(_ query: Form) throws {
        number = try Self.number("page", in: query) ?? 1
        perPage = min(try Self.number("per_page", in: query) ?? 20, Self.maxPerPage)
    }

    private static func number(_ name: String, in query: Form) throws -> Int? {
        guard let text = query[name], !text.isEmpty else { return nil }
        guard let number = Int(text), 0...1_000_000_000 ~= number else {
            throw AdminRefusal.queryWrong(
                "Expected a whole number from 0 on in \"\(name)\", found \"\(text.prefix(60))\".")
        }
        return number == 0 ? nil : number
    }

    /// `X-Total-Count`, and `Link`: absolute URLs with a comma and no blank between.
    func describe(_ total: Int, of request: Request, in response: inout Response) {
        response.headers["X-Total-Count"] = String(total)
        let last = max(1, (total + perPage - 1) / perPage)
        var links: [(page: Int, relation: String)] = []
        if number != 1 || last == 1 { links.append((1, "first")) }
        if number != last { links.append((last, "last")) }
        if number < last { links.append((number + 1, "next")) }
        if number > 1 { links.append((number - 1, "prev")) }
        response.headers["Link"] = links.map { "<\(url($0.page, request))>; rel=\"\($0.relation)\"" }
            .joined(separator: ",")
    }

    private func url(_ page: Int, _ request: Request) -> String {
        let others = request.queryItems.pairs.filter { $0.name != "page" && $0.name != "per_page" }
        let pairs = others + [("page", String(page)), ("per_page", String(perPage))]
        let path = request.path.dropFirst().drop { $0 != "/" }
        return request.backChannelURL + path + "?" + Form.encode(pairs.sorted { $0.name < $1.name })
    }
}
