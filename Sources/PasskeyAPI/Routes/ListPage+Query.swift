import HTTP
import PlatformKit

// How the API asks for a part of a list, and says where the others are. Clients count pages from 1.
extension ListPage {
    /// Entries that a page can have; more are not given.
    private static let maxSize = 1000

    /// Of `page` and `per_page`; what is below 1 counts as not given.
    ///
    /// - Throws: ``PasskeyAPIRefusal/bodyUnreadable(_:)``.
    init(of query: Form) throws {
        let number = try Self.number("page", in: query) ?? 1
        self.init(
            number: number - 1, size: min(try Self.number("per_page", in: query) ?? 20, Self.maxSize))
    }

    private static func number(_ name: String, in query: Form) throws -> Int? {
        guard let text = query[name], !text.isEmpty else { return nil }
        guard let number = Int(text), number <= numbers.upperBound else {
            throw PasskeyAPIRefusal.bodyUnreadable(
                "“\(name)” should be a whole number, found “\(text.prefix(40))”")
        }
        return number < 1 ? nil : number
    }

    /// `X-Total-Count`, and `Link`: absolute URLs with a comma and no blank between.
    func describe(_ total: Int, of request: Request, in response: inout Response) {
        response.headers["X-Total-Count"] = String(total)
        let (present, last) = (number + 1, max(1, count(of: total)))
        var links: [(page: Int, relation: String)] = []
        if present != 1 || last == 1 { links.append((1, "first")) }
        if present != last { links.append((last, "last")) }
        if present < last { links.append((present + 1, "next")) }
        if present > 1 { links.append((present - 1, "prev")) }
        response.headers["Link"] = links.map { "<\(url($0.page, request))>; rel=\"\($0.relation)\"" }
            .joined(separator: ",")
    }

    private func url(_ page: Int, _ request: Request) -> String {
        let others = request.queryItems.pairs.filter { $0.name != "page" && $0.name != "per_page" }
        let pairs = others + [("page", String(page)), ("per_page", String(size))]
        let path = request.path.dropFirst().drop { $0 != "/" }
        return request.backChannelURL + path + "?" + Form.encode(pairs.sorted { $0.name < $1.name })
    }
}
