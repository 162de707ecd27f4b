import Essentials
package import HTTP
import Synchronization

/// Brings a request to the world and the platform that it is meant for, and the answer back; the same for all platforms.
///
/// A class, because what may wait holds it, and would retain all its parts.
package final class Dispatcher: Sendable {
    package typealias Settings = DispatcherSettings

    private let worlds: Worlds
    private let router: Router<World>
    private let mounts: Set<String>
    /// `/acme` of those below which several slashes are one.
    private let merging: Set<String>
    private let settings: Settings
    private let responder: PlatformResponder
    private let requestIDs = RequestIDs()
    private let arrivals: Arrivals
    private let aliases: RootAliases

    /// - Parameter extend: adds routes beside the platforms', such as the console's.
    package init(
        worlds: Worlds, platforms: [any Platform.Type], settings: Settings,
        extend: (inout Router<World>) -> Void = { _ in }
    ) {
        self.worlds = worlds
        self.settings = settings
        let mounts = Set(platforms.flatMap { $0.mountPaths })
        self.mounts = mounts
        merging = Set(platforms.flatMap { $0.mergingPaths }.map { "/" + $0 })
        arrivals = Arrivals(settings, mounts: mounts)
        aliases = RootAliases(platforms)
        var router = Router<World>()
        let responder = PlatformResponder(settings, NearMisses(platforms))
        self.responder = responder
        for platform in platforms { router.mount(platform, responder) }
        router.fallback("/") { world, request, unknown in
            let problem = responder.answerLost(request, unknown, in: world, mounts: mounts)
            let page = unknown.allowed.isEmpty ? settings.lostPage(request, world) : nil
            return page?.withFields(of: problem) ?? settings.shown(problem, request, in: world)
        }
        extend(&router)
        self.router = router
    }

    package func bodyLimit(_ method: Request.Method, _ path: String) -> Int? {
        router.bodyLimit(method, Address(host: "", path: path, mounts: mounts).path(merging: merging))
    }

    /// Tells the journal of the default world what belongs to no request.
    package func note(_ event: String, _ explanation: String) {
        // A world that cannot be opened has told so in answers already.
        guard let world = try? worlds.world(Worlds.defaultName) else { return }
        world.services.journal.event(event, explanation)
    }

    package func respond(to request: Request) -> Response {
        Self.hardened(answer(request))
    }

    private static func hardened(_ response: consuming Response) -> Response {
        if case .waiting(let wait) = response.body {
            return .waiting(wait.finished { hardened(try $0()) })
        }
        if !response.isPassedOn { response.headers["X-Content-Type-Options"] = "nosniff" }
        return response
    }

    private func answer(_ original: Request) -> Response {
        let arrival: Arrival
        do {
            arrival = try arrivals.arrival(of: original)
        } catch {
            return turnAway(error, original)
        }
        if original.asksForWholeServer { return .wholeServer }
        let door = original.peer.door.flatMap { Doorway($0, mounts: mounts) }
        let address = Address(
            host: arrival.authority.host, path: original.path, mounts: mounts, hosts: settings.hosts,
            door: door)
        var request = original
        if request.fault == nil, CombiningMarks.areTooMany(in: request.body) {
            request.fault = WireFault(.badRequest, "the body cannot be read: \(CombiningMarks.sentence)")
        }
        do {
            let name = address.world ?? Worlds.defaultName
            request.path = address.path(merging: merging)
            request.context = context(
                at: address, of: name == Worlds.defaultName ? "" : "/w/" + name, arrival,
                isWhole: door?.isWhole ?? false, id: requestID(of: original))
            guard let world = try worlds.world(name) else {
                return answerWorldless(request, name)
            }
            // What a real service makes of a row of slashes, it says itself.
            if world.core.upstreams.server(for: address.path) != nil { request.path = address.path }
            if address.home.isEmpty { try aliases.apply(to: &request, in: world) }
            if let fault = request.fault, !isOfPlatform(request.path) {
                return settings.shown(
                    responder.turnDown(fault, request, in: world), request, in: world)
            }
            return finish(request, in: name) { try router.respond(to: request, in: world) }
        } catch {
            return broken(error, request, in: address.world ?? Worlds.defaultName)
        }
    }

    /// Whoever calls us by a wrong name is told so, and the journal of the default world has it, where its developer looks.
    private func turnAway(_ refused: HostRefused, _ original: Request) -> Response {
        // A world that cannot be opened has told so in answers already.
        guard let world = try? worlds.world(Worlds.defaultName) else { return .problem(refused) }
        var request = original
        request.context = Request.Context()
        request.context.id = requestID(of: original)
        var response = settings.shown(
            responder.turnAway(refused, request, in: world), request, in: nil)
        response.tell(request.id)
        return response
    }

    /// The journal of the default world has what was asked of a world that is not there; pages and calls of the console are in none.
    private func answerWorldless(_ request: Request, _ name: String) -> Response {
        let explanation = WorldError.unknown(name, existing: worlds.names).explanation
        let mayKnow = settings.controlToken.verdict(on: request) == .right
        let told = mayKnow ? explanation : WorldError.unknown(name, existing: nil).explanation
        let page = settings.worldlessPage(request, name)
        var response = Response.problem(status: .notFound, detail: told)
        response.explanation = explanation
        let isForPeople = page != nil && !isOfPlatform(request.path)
        // A world that cannot be opened has told so in answers already.
        if !isForPeople, !request.isOfConsole, let world = try? worlds.world(Worlds.defaultName) {
            response = responder.turnAway(
                response, telling: told, because: explanation, request, in: world)
        }
        // Kept is the problem, which is short: many such entries displace little.
        if let page { response = page.withFields(of: response) }
        response.headers["X-Request-Id"] = request.id
        return response
    }

    /// What addresses look like to the client of a request.
    ///
    /// - Parameters:
    ///   - world: what stands before the base paths in the world: empty, or `/w/blue`.
    ///   - isWhole: whether the port is that of the world.
    private func context(
        at address: Address, of world: String, _ arrival: Arrival, isWhole: Bool, id: String
    ) -> Request.Context {
        let worldURL =
            if let url = settings.publicURL { url + world } else {
                isWhole || world.isEmpty ? arrival.home : arrival.home + world
            }
        return Request.Context(
            askedOrigin: arrival.askedOrigin, origin: arrival.origin,
            mount: arrival.prefix.isEmpty ? address.mount : arrival.prefix + address.mount,
            prefix: arrival.prefix, publicBaseURL: settings.publicURL.map { $0 + world + address.home },
            fixesBackChannel: settings.fixesBackChannel, worldURL: worldURL,
            ownURL: arrival.ownOrigin.map { world.isEmpty ? $0 : $0 + world } ?? worldURL,
            namesPlatforms: arrival.namesPlatforms, doors: settings.doors.ports, id: id)
    }

    /// Makes what leaves of an answer that is there, now or after a wait.
    private func finish(_ request: Request, in world: String, _ answer: () throws -> Response) -> Response {
        do {
            var response = try settings.work.holdingRows(answer)
            if case .waiting(let wait) = response.body {
                return .waiting(wait.finished { [self] in finish(request, in: world, $0) })
            }
            response.tell(request.id)
            return response
        } catch {
            return broken(error, request, in: world)
        }
    }

    private func isOfPlatform(_ path: String) -> Bool {
        path.split(separator: "/", maxSplits: 1).first.map { mounts.contains(String($0)) } ?? false
    }

    /// Such as a data file that cannot be used.
    private func broken(_ error: any Error, _ request: Request, in world: String) -> Response {
        if let problem = StorageProblem(error, world: world) {
            settings.report("\(request.method.rawValue) \(request.target): \(problem.detail)")
            var response = problem.response
            response.explanation = problem.detail
            // Platforms speak for themselves.
            return isOfPlatform(request.path) ? response : settings.shown(response, request, in: nil)
        }
        let detail = (error as? any Refusal)?.explanation ?? "\(error)"
        settings.report("\(request.method.rawValue) \(request.target): \(detail)")
        return .problem(status: .internalServerError, detail: detail)
    }

    /// The client's own id when it is short and harmless, else a new one.
    private func requestID(of request: Request) -> String {
        if let id = request.headers["X-Request-Id"], (1...128).contains(id.utf8.count),
            id.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
        {
            return id
        }
        return requestIDs.make()
    }
}

extension Response {
    /// Where an answer of another server has our id of its request: `X-Request-Id` may be that server's own.
    private static let ownID = "X-Understudy-Request-Id"

    /// Says by which id the journal has the request.
    fileprivate mutating func tell(_ id: String) {
        if isPassedOn { headers[Self.ownID] = id }
        if !isPassedOn || headers["X-Request-Id"] == nil { headers["X-Request-Id"] = id }
    }

    /// The id by which the journal has its request; nil before it is told.
    package var requestID: String? { headers[Self.ownID] ?? headers["X-Request-Id"] }
}

extension Request {
    /// Whether it asks for the control API or a file of the console.
    fileprivate var isOfConsole: Bool { path.hasPrefix("/_understudy") || path.hasPrefix("/_console") }
}

extension DispatcherSettings {
    /// A problem as a page, for a browser.
    fileprivate func shown(_ problem: Response, _ request: Request, in world: World?) -> Response {
        guard !request.isOfConsole, let explanation = problem.explanation else { return problem }
        return problemPage(request, world, problem.status, explanation)?.withFields(of: problem) ?? problem
    }
}
