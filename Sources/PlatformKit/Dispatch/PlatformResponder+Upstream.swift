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
        let question = try passage.question(
            request.withoutToken(token), at: below.isEmpty ? "/" : String(below))
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
            world.services.journal.explain(world.mask?.masked(text: text) ?? text)
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
    func exchange(_ request: Request, _ response: Response, in world: World, _ milliseconds: Double)
        -> JournalEntry.Exchange
    {
        let (asked, answered) = (request.keptHeaders(token), response.headers)
        let (mask, most) = (world.mask, world.journal.room.bodyBytes)
        let (type, answerType) = (asked["Content-Type"], answered["Content-Type"])
        return JournalEntry.Exchange(
            method: request.method.rawValue, target: world.kept(target: request.target),
            status: response.status.code, milliseconds: milliseconds,
            requestHeaders: mask?.masked(asked) ?? asked,
            responseHeaders: mask?.masked(answered) ?? answered,
            requestBody: .init(
                mask?.masked(request.body, type, inRequest: true) ?? request.body, most: most),
            responseBody: response.leavesInPieces(to: request)
                ? .init(leftInPieces: answered["Content-Length"].flatMap { Int($0) })
                : .init(
                    mask?.masked(response.bytes, answerType, inRequest: false) ?? response.bytes, most: most),
            errorInBody: response.errorInBody)
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
