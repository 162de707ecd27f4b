import Essentials
import HTTP
import SQLite
import Upstream

/// Serves one request of a platform: handler, errors, cross-origin rules, journal.
///
/// A class, because every route holds it, and each request would retain all its parts.
final class PlatformResponder: Sendable {
    let report: @Sendable (String) -> Void
    let nearMisses: NearMisses
    let token: ControlToken
    /// Whether every refusal carries its sentence, also to those who do not ask for it.
    let explains: Bool
    let counts: RequestCounts

    init(_ settings: DispatcherSettings, _ nearMisses: NearMisses) {
        (report, token) = (settings.report, settings.controlToken)
        (explains, counts) = (settings.explains, settings.counts)
        self.nearMisses = nearMisses
    }

    /// What is known when the answer is ready.
    struct Served {
        var response: Response
        var explanation: String?
        var isBug = false
        /// Whether the explanation tells of the page that asked already.
        var isForeign = false
        /// What the client may be told, where that is less than the explanation.
        var told: String?
    }

    /// The platform's own rules with those that the world's fixtures add.
    private func policy<P: Platform>(
        of platform: P, _ origins: OriginRules<P>, for request: Request, in world: World
    ) throws -> CrossOriginPolicy {
        let more = try world.services.memo.value("kit.cors") {
            try world.database.read { try CORSFixture.read(from: $0) } ?? CORSFixture()
        }
        return try origins.policy(platform, request).adding(more)
    }

    func serve<P: Platform>(
        _ origins: OriginRules<P>, _ request: Request, in world: World, for audience: Audience,
        _ handler: (P) throws -> Response
    ) -> Response {
        let start = ContinuousClock.now
        let strikes: FaultStrikes?
        do {
            strikes = try self.strikes(P.self, request, in: world)
        } catch {
            return record(broken(P.self, error, request, in: world), request, P.name, in: world, since: start)
        }
        let passing = world.core.upstreams.server(for: request.path).map(Passing.init)
        let world = world.serving(
            request.id, platform: P.name, token, strikes, for: audience, passing: passing)
        let platform = P(world)
        return finish(platform, origins, request, in: world, since: start) {
            if let answer = try strikes?.answer(P.errorResponse) { return answer }
            if let passing { return try pass(request, to: passing, in: world) }
            if request.isForeignChange {
                try policy(of: platform, origins, for: request, in: world).refuseForeignChange(request)
            }
            return try handler(platform)
        }
    }

    /// Makes what the client gets and the journal tells of an answer that is there, now or after a wait.
    private func finish<P: Platform>(
        _ platform: P, _ origins: OriginRules<P>, _ request: Request, in world: World,
        since start: ContinuousClock.Instant,
        _ handler: () throws -> Response
    ) -> Response {
        let served = answer(platform, request, in: world, handler)
        if case .waiting(let wait) = served.response.body {
            return .waiting(
                wait.finished { [self] in finish(platform, origins, request, in: world, since: start, $0) })
        }
        if let seconds = world.strikes?.takeDelay() {
            return .late(by: seconds) { [self] in
                leave(served, of: platform, origins, request, in: world, since: start)
            }
        }
        return leave(served, of: platform, origins, request, in: world, since: start)
    }

    private func leave<P: Platform>(
        _ served: Served, of platform: P, _ origins: OriginRules<P>, _ request: Request, in world: World,
        since start: ContinuousClock.Instant
    ) -> Response {
        var served = served
        // Which pages may call, the real service says itself.
        if world.passing?.isAnswered != true {
            allow(&served, of: platform, origins, request, in: world)
        }
        let spoil: FaultStrikes.Spoiling?
        do {
            spoil = try world.strikes?.spoiling(served.response, in: world.database)
        } catch {
            (served, spoil) = (broken(P.self, error, request, in: world), nil)
        }
        // The journal keeps the answer as the platform gave it; a web socket that is still one is followed.
        var response = record(served, request, P.name, in: world, since: start)
        spoil?(&response)
        follow(P.self, &response, to: request, in: world)
        return response
    }

    /// Says to browsers which pages may read the answer.
    private func allow<P: Platform>(
        _ served: inout Served, of platform: P, _ origins: OriginRules<P>, _ request: Request,
        in world: World
    ) {
        do {
            let policy = try policy(of: platform, origins, for: request, in: world)
            policy.apply(to: &served.response, for: request)
            if !served.isForeign, let remark = policy.remark(on: request) {
                served.explanation = [served.explanation ?? world.remark?.text, remark].compactMap(\.self)
                    .joined(separator: " ")
            }
        } catch {
            served = broken(P.self, error, request, in: world)
        }
    }

    /// What no route of the platform fits: a preflight, or a refusal in the platform's own shape.
    func serveLost<P: Platform>(
        _ origins: OriginRules<P>, _ request: Request, _ unknown: RouteUnknown, in world: World,
        for audience: Audience
    ) -> Response {
        serve(origins, request, in: world, for: audience) { platform in
            if CrossOriginPolicy.isPreflight(request) {
                return try policy(of: platform, origins, for: request, in: world).preflight(request)
            }
            if let page = FrontPage<P>(request) { return page.response }
            throw unknown
        }
    }

    private func answer<P: Platform>(
        _ platform: P, _ request: Request, in world: World, _ handler: () throws -> Response
    ) -> Served {
        if let fault = request.fault { return turnDown(P.self, fault, request, in: world) }
        do {
            return Served(response: try handler())
        } catch let refusal as any Refusal {
            guard request.isForeignChange, refusal is CrossOriginRefused else {
                return refused(P.self, refusal, refusal.explanation, request, in: world)
            }
            return Served(
                response: .problem(status: .forbidden, detail: refusal.explanation),
                explanation: refusal.explanation, isForeign: true)
        } catch let failure as UpstreamFailure {
            return Served(
                response: .problem(status: failure.status, detail: failure.detail),
                explanation: failure.detail)
        } catch let refusal as WebSocketRefused {
            // Of HTTP's own making: its status and fields are the same for all platforms.
            return Served(response: refusal.response, explanation: refusal.reason)
        } catch {
            let hint = (error as? RouteUnknown).flatMap { unknown in
                (P.self as? any ExplainsLostPaths.Type)?.hint(for: unknown).map {
                    unknown.sentence + " " + $0
                }
            }
            guard let explanation = hint ?? explanation(of: error, at: request.place) else {
                return broken(P.self, error, request, in: world)
            }
            return refused(P.self, error, explanation, request, in: world)
        }
    }

    /// In the platform's own shape.
    private func refused<P: Platform>(
        _: P.Type, _ error: any Error, _ explanation: String, _ request: Request, in world: World
    ) -> Served {
        do {
            return Served(response: try P.response(for: error), explanation: explanation)
        } catch {
            return broken(P.self, error, request, in: world)
        }
    }

    /// A body that was not taken is refused as a malformed one, with HTTP's own status.
    private func turnDown<P: Platform>(_: P.Type, _ fault: WireFault, _ request: Request, in world: World)
        -> Served
    {
        do {
            var response = try P.response(for: RequestMalformed(reason: fault.sentence))
            response.status = fault.status
            return Served(response: response, explanation: fault.sentence)
        } catch {
            return broken(P.self, error, request, in: world)
        }
    }

    /// - Parameter place: what stands before a base path: empty, or `/w/blue`.
    func explanation(of error: any Error, at place: @autoclosure () -> String = "") -> String? {
        switch error {
        case let error as any Refusal: error.explanation
        case let error as RequestMalformed: error.reason
        case let error as RouteUnknown: sentence(error, at: place())
        default: nil
        }
    }

    /// An error that nobody mapped: the platform's own 500, and marked as our bug in journal and log.
    private func broken<P: Platform>(
        _: P.Type, _ error: any Error, _ request: Request, in world: World
    ) -> Served {
        if let problem = StorageProblem(error, world: world.name) {
            report("\(request.method.rawValue) \(world.kept(target: request.target)): \(problem.detail)")
            return Served(response: problem.response, explanation: problem.detail)
        }
        let told = "This is a bug in Understudy, not in the client: \(error)."
        let place = "\(request.method.rawValue) \(world.kept(target: request.target))"
        report("bug: \(P.name): \(place): \(error) (request \(request.id))")
        do {
            return Served(response: try P.response(for: error), explanation: told, isBug: true)
        } catch {
            return Served(
                response: .problem(status: .internalServerError, detail: told), explanation: told, isBug: true
            )
        }
    }

    /// Tells the journal.
    ///
    /// - Returns: what leaves, with its explanation where that was asked for.
    func record(
        _ served: Served, _ request: Request, _ platform: String?, in world: World,
        since start: ContinuousClock.Instant
    ) -> Response {
        let remark = world.remark?.all
        let sentences = [
            served.explanation ?? remark?.text, stray(served, request, platform, in: world),
            world.strikes?.explanation,
        ]
        .compactMap(\.self)
        let explanation = sentences.isEmpty ? nil : sentences.joined(separator: " ")
        var response = served.response
        response.explanation = explanation
        if let explanation, explains || request.asksForExplanation(token) {
            response.explain(served.told ?? explanation)
        }
        let end = ContinuousClock.now
        let elapsed = start.duration(to: end).components
        let milliseconds = Double(elapsed.seconds) * 1e3 + Double(elapsed.attoseconds) / 1e15
        let mask = world.mask(isLost: platform == nil)
        let exchange = exchange(request, response, in: world, mask, milliseconds)
        if mask != nil { response.loggedTarget = exchange.target }
        var entry = JournalEntry(
            .request, at: world.clock.now, platform: platform, correlation: request.id,
            explanation: explanation, isBug: served.isBug, exchange: exchange, instant: end)
        entry.audience = world.remark?.audience
        entry.upstream = world.passing?.server.upstream.url
        if let remark { (entry.subjects, entry.departures) = (remark.subjects, remark.departures) }
        world.journal.append(entry)
        counts.note(platform, response)
        return response
    }

    /// The world that gave out what the request carries, for a refusal that does not say it.
    private func stray(_ served: Served, _ request: Request, _ platform: String?, in world: World) -> String?
    {
        guard platform != nil, served.response.isRefusal, !served.isBug else { return nil }
        // Looked for first: the search through the explanation is the longer one, and most refusals have no such id.
        guard let sentence = StrayIDs(request: request, world: world).sentence else { return nil }
        return served.explanation?.contains("of the world “") == true ? nil : sentence
    }

    func sentence(_ unknown: RouteUnknown, at place: String) -> String {
        unknown.sentence + (nearMisses.sentence(for: unknown, at: place).map { " " + $0 } ?? "")
    }
}

extension WireFault {
    /// Why, for the developer.
    var sentence: String { reason.prefix(1).uppercased() + reason.dropFirst() + "." }
}

extension RouteUnknown {
    /// Why, for the developer.
    var sentence: String {
        allowed.isEmpty
            ? "Nothing answers at \(path)."
            : "The path \(path) does not accept \(method.rawValue), only "
                + allowed.map(\.rawValue).sorted().joined(separator: ", ") + "."
    }
}
