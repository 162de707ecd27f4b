import HTTP
import PlatformKit

extension Console {
    /// Every call runs through here: access first, then the call; an error becomes a problem.
    ///
    /// - Throws: an error that nobody mapped, for the dispatcher to report as a bug.
    func answer(
        _ request: Request, needsToken: Bool = true, _ call: () throws -> Response
    ) throws -> Response {
        try Self.finish {
            try access.refuseCrossSite(request, isPage: false)
            if needsToken { try access.requireToken(request) }
            return try call()
        }
    }

    /// Makes what the client gets of an answer that is there, now or after a wait.
    private static func finish(_ call: () throws -> Response) throws -> Response {
        var response: Response
        do {
            response = try call()
        } catch {
            response = try self.response(for: error)
        }
        if case .waiting(let wait) = response.body { return .waiting(wait.finished { try finish($0) }) }
        if response.headers["Cache-Control"] == nil { response.headers["Cache-Control"] = "no-store" }
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        return response
    }

    /// Every page runs through here: access first, then the page; what is not there becomes a page that says so.
    func show(_ request: Request, in world: World, _ answer: () throws -> Response) throws -> Response {
        do {
            try access.refuseCrossSite(request, isPage: true)
            if let token = request.queryItems["token"], access.token.isAsked {
                return try admit(request, in: world, token: token)
            }
            guard access.token.allowsPage(request) else {
                return render(tokenPage(request, isWrong: false), request, in: world)
            }
            return try answer()
        } catch let error as PageMissing {
            return render(missingPage(error, request), request, in: world)
        } catch {
            let problem = try Self.response(for: error)
            return problem.explanation.flatMap { problemPage(request, in: world, problem.status, $0) }?
                .withFields(of: problem) ?? problem
        }
    }
}
