import HTTP
import PlatformKit
import Upstream

extension Console {
    struct UpstreamsOutput: Encodable {
        /// Whether they are the world's own; else they are those of the program's options.
        let own: Bool
        /// By their mounts, in alphabetical order.
        let upstreams: [UpstreamJSON]
    }

    /// A real service in the place of a platform, with the pair of addresses that are exchanged for each other.
    struct UpstreamJSON: Encodable {
        let mount: String
        /// Where the service is.
        let url: String
        /// Where clients reach it here.
        let ours: String
        /// Certificates (PEM) that are believed beside the system's; left out where there are none.
        let ca: String?
    }

    /// `GET /upstreams`: which platforms of the world are real services, and the table of addresses.
    ///
    /// - Response: `200 {"own", "upstreams": [{"mount", "url", "ours", "ca"?}]}`.
    func listUpstreams(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let addresses = WorldAddresses(request, info)
        return try .json(
            UpstreamsOutput(
                own: world.hasOwnUpstreams,
                upstreams: world.upstreams.sorted { $0.key < $1.key }.map { mount, upstream in
                    json(upstream, behind: mount, addresses, in: world)
                }))
    }

    /// `PUT /upstreams/MOUNT`: has requests to a mount of the world go to a real service from now on.
    ///
    /// - Request: `{"url", "ca"?}`.
    /// - Response: `200`, or `201` for a mount that was emulated before, as in the list.
    /// - Errors: 400 for members of another kind, 422 for a mount or a URL that cannot be used.
    func putUpstream(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let body = try JSONBody(request, "url", "ca")
        let url = try body.value("url", String.self, expected: "the URL of the service")
        guard let url else { throw ControlError.bodyMalformed("The body lacks the member “url”.") }
        let given = GivenUpstream(
            url: url, ca: try body.value("ca", String.self, expected: "certificates in PEM form"))
        let mount = request.parameter("mount")
        let upstream = try checked(given, mount)
        let isNew = world.upstreams[mount] == nil
        try world.changeUpstreams { $0[mount] = upstream }
        world.services.journal.event(
            "upstream set", about: mount,
            "Requests to /\(mount) go to \(upstream.url) from now on, and are not emulated.")
        return try .json(
            json(upstream, behind: mount, WorldAddresses(request, info), in: world),
            status: isNew ? .created : .ok)
    }

    /// `DELETE /upstreams/MOUNT`: the platform answers again; 204, or 404 where it did already.
    func deleteUpstream(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let mount = request.parameter("mount")
        guard world.upstreams[mount] != nil else {
            throw ControlError.absent(
                "There is no upstream for “\(mount.shortened)”; the platform answers itself.")
        }
        try world.changeUpstreams { $0[mount] = nil }
        world.services.journal.event(
            "upstream removed", about: mount, "Requests to /\(mount) are emulated again.")
        return .noContent
    }

    private struct GivenUpstream {
        let url: String
        let ca: String?
    }

    private func checked(_ given: GivenUpstream, _ mount: String) throws -> Upstream {
        let mounts = info.platforms.flatMap { $0.mountPaths }
        do {
            let upstream = try Upstream(url: given.url, ca: given.ca)
            return try UpstreamFixture.checked([mount: upstream], mounts: mounts)[mount] ?? upstream
        } catch let error as UpstreamMalformed {
            throw ControlError.unprocessable(
                "The value of “\(error.member)” must be \(error.expected), but is “\(error.given)”. Nothing was changed."
            )
        } catch let problem as FixtureProblem {
            throw ControlError.unprocessable(
                problem.reason.prefix(1).uppercased() + problem.reason.dropFirst() + ". Nothing was changed.")
        }
    }

    private func json(
        _ upstream: Upstream, behind mount: String, _ addresses: WorldAddresses, in world: World
    ) -> UpstreamJSON {
        UpstreamJSON(
            mount: mount, url: upstream.url, ours: addresses.url(mount, in: world.name), ca: upstream.ca)
    }
}
