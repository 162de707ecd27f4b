import HTTP
import Upstream

extension PlatformResponder {
    /// Has the real service answer, whose answer the client gets with our addresses.
    ///
    /// - Throws: ``UpstreamFailure``.
    func pass(_ request: Request, to passing: Passing, in world: World) throws -> Response {
        let book = world.core.upstreams
        let passage = passage(of: request, to: passing.server, book)
        let below = request.path.dropFirst().drop { $0 != "/" }
        let question = try passage.question(request.withoutToken(token), at: String(below))
        let answer =
            request.asksForWebSocket
            ? try passing.server.tunnel(request, question, through: passage, waits: book.waits)
            : try passing.server.answer(question, through: passage, waits: book.waits)
        passing.noteAnswer()
        let sentences = [
            UpstreamWords.sentence(on: answer.response, of: passing.server.upstream.url), answer.remark,
        ]
        .compactMap(\.self)
        if !sentences.isEmpty {
            let text = sentences.joined(separator: " ")
            world.services.journal.explain(world.mask()?.masked(text: text) ?? text)
        }
        var response = answer.response
        response.isPassedOn = true
        return response
    }

    private func passage(of request: Request, to server: UpstreamServer, _ book: UpstreamBook) -> Passage {
        let own = String(request.path.dropFirst().prefix { $0 != "/" })
        let others = book.all.filter { $0.key != own }.sorted { $0.key < $1.key }.map { mount, other in
            AddressTable.Pair(ours: request.worldURL + "/" + mount, theirs: other.upstream.url)
        }
        return server.passage(from: request.askedOrigin + request.mount, others: others, via: book.via)
    }

    /// What the journal keeps of a request and its answer; without tokens, passwords and cookies where they are of real people.
    func exchange(
        _ request: Request, _ response: Response, in world: World, _ mask: SecretMask?,
        _ milliseconds: Double
    ) -> JournalEntry.Exchange {
        let (asked, answered) = (request.keptHeaders(token), response.headers)
        let most = world.journal.room.bodyBytes
        return JournalEntry.Exchange(
            method: request.method.rawValue,
            target: mask?.masked(target: request.target) ?? request.target,
            status: response.status.code, milliseconds: milliseconds,
            requestHeaders: mask?.masked(asked) ?? asked,
            responseHeaders: mask?.masked(answered) ?? answered,
            requestBody: JournalBody(request.body, asked, inRequest: true, mask, most: most),
            responseBody: response.leavesInPieces(to: request)
                ? JournalBody(unkept: answered["Content-Length"].flatMap { Int($0) })
                : JournalBody(response.bytes, answered, inRequest: false, mask, most: most),
            errorInBody: response.errorInBody)
    }
}

extension JournalBody {
    /// Without its secrets where there is a mask; with a coding, nobody sees what is in it.
    fileprivate init(
        _ whole: [UInt8], _ headers: Headers, inRequest: Bool, _ mask: SecretMask?, most: Int
    ) {
        guard let mask, !whole.isEmpty else {
            self.init(whole, most: most)
            return
        }
        guard headers.values(of: "Content-Encoding").allSatisfy({ $0.equalsIgnoringCase("identity") }) else {
            self.init(unkept: whole.count)
            return
        }
        self.init(mask.masked(whole, headers["Content-Type"], inRequest: inRequest), most: most)
    }
}

extension Response {
    /// Whether it has a body that nobody holds.
    fileprivate func leavesInPieces(to request: Request) -> Bool {
        switch body {
        case .pieces, .stream: request.method != .head
        case .bytes, .webSocket, .waiting, .cut: false
        }
    }
}

extension Request {
    /// Nobody else has to know the control token.
    fileprivate func withoutToken(_ token: ControlToken) -> Request {
        guard token.isAsked, let value = headers["Authorization"], token.hidden(in: value) != value else {
            return self
        }
        var request = self
        request.headers["Authorization"] = nil
        return request
    }
}
