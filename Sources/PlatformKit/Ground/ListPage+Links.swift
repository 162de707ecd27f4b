package import HTTP

// How APIs of Hanko say where the rest of a list is. Clients count pages from 1.
extension ListPage {
    /// `X-Total-Count`, and `Link`: absolute URLs with a comma and no blank between.
    package func describe(_ total: Int, of request: Request, in response: inout Response) {
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
