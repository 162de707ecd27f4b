import HTTP

/// What is refused before it comes to a platform, or belongs to none.
extension PlatformResponder {
    /// A body that was not taken, for a path that belongs to no platform.
    func turnDown(_ fault: WireFault, _ request: Request, in world: World) -> Response {
        let served = Served(
            response: .problem(status: fault.status, detail: fault.sentence), explanation: fault.sentence)
        return record(served, request, nil, in: world, since: .now)
    }

    /// A name that is not ours, before anything was done.
    func turnAway(_ refused: HostRefused, _ request: Request, in world: World) -> Response {
        let served = Served(response: .problem(refused), explanation: refused.explanation)
        return record(served, request, nil, in: world, since: .now)
    }

    /// A world that is not there.
    ///
    /// - Parameters:
    ///   - answer: what the client gets; it may know less than the journal.
    ///   - told: what the client may be told in a field.
    ///   - explanation: for the journal of `world`, where its developer looks.
    func turnAway(
        _ answer: Response, telling told: String, because explanation: String, _ request: Request,
        in world: World
    ) -> Response {
        let served = Served(response: answer, explanation: explanation, told: told)
        return record(served, request, nil, in: world, since: .now)
    }

    /// A path that belongs to nobody: most often a base URL that was mistyped, or whose path the client dropped.
    func answerLost(_ request: Request, _ unknown: RouteUnknown, in world: World, mounts: Set<String>)
        -> Response
    {
        let detail =
            sentence(unknown, at: request.place) + " The platforms live under "
            + mounts.sorted().map { "/" + $0 }.joined(separator: ", ") + "."
        let served = Served(response: .problem(status: unknown.status, detail: detail), explanation: detail)
        return record(served, request, nil, in: world, since: .now)
    }
}
