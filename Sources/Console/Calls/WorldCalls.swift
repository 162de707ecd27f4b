import Essentials
import HTTP
import PlatformKit

extension Console {
    struct WorldsOutput: Encodable {
        /// Of several programs, the one that speaks; nil when it was given no name.
        let instance: String?
        let worlds: [WorldJSON]
    }

    /// `GET /worlds`: every world, in alphabetical order.
    func listWorlds(_: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let addresses = WorldAddresses(request, info)
        return try .json(
            WorldsOutput(
                instance: info.instance, worlds: worlds.list().map { WorldJSON($0, addresses, info) }))
    }

    /// `GET /worlds/NAME`: one world. Looking does not touch it.
    func showWorld(_: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let name = request.parameter("name")
        guard let world = worlds.list().first(where: { $0.name == name }) else {
            throw WorldError.unknown(name, existing: worlds.names)
        }
        return try .json(WorldJSON(world, WorldAddresses(request, info), info))
    }

    /// `POST /worlds`: makes a world.
    ///
    /// - Request: `{"name"?, "fixtures"?, "from"?, "clock"?, "frozen"?, "seed"?}`, `{}` for a name that is made up and the fixtures
    ///   of the program; `from` is `{"world", "snapshot"}` in the place of fixtures.
    /// - Response: `201 {"name", "baseURL", "urls"}`.
    /// - Errors: 400, 409 when the name is taken, 422 with the place of a fault in the fixtures.
    func createWorld(_: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let body = try JSONBody(request, "name", "fixtures", "from", "clock", "frozen", "seed")
        var order = try order(body)
        order.name = try body.value("name", String.self, expected: "1 to 40 of the characters a-z, 0-9 and -")
        return try create(order, request)
    }

    /// `PUT /worlds/NAME`: makes the world of this name. A proxy that spreads worlds over several programs finds the name in the
    /// path, as in every later request.
    ///
    /// - Request: as for ``createWorld(_:_:)``, without `name`.
    /// - Response, errors: as there; a world that is there already is left alone, 409.
    func createNamedWorld(_: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        var order = try order(JSONBody(request, "fixtures", "from", "clock", "frozen", "seed"))
        order.name = request.parameter("name")
        return try create(order, request)
    }

    private func create(_ order: WorldOrder, _ request: Request) throws -> Response {
        let name = try worlds.create(order)
        let addresses = WorldAddresses(request, info)
        let output: JSONValue = [
            "name": .string(name), "baseURL": .string(addresses.base(of: name)),
            "urls": .object(addresses.urls(in: name).mapValues(JSONValue.string)),
        ]
        var response = Response(
            status: .created, headers: ["Content-Type": "application/json"], body: output.bytes)
        response.headers["Location"] = request.mount + Self.root + "/worlds/" + name
        return response
    }

    private func order(_ body: JSONBody) throws -> WorldOrder {
        var order = WorldOrder()
        order.fixtures = try body.fragment("fixtures").map { try FixtureSet(text: $0, file: "request body") }
        order.origin = try origin(body)
        order.now = try body.time("clock")
        order.isFrozen = try body.value("frozen", Bool.self, expected: "true or false")
        order.seed = try body.value(
            "seed", UInt64.self, expected: "a whole number from 0 to 18446744073709551615")
        return order
    }

    private struct Origin: Decodable {
        let world: String
        let snapshot: String
    }

    private func origin(_ body: JSONBody) throws -> WorldOrder.Origin? {
        let expected = #"{"world": "NAME", "snapshot": "NAME"}"#
        guard let origin = try body.value("from", Origin.self, expected: expected) else { return nil }
        guard !body.has("fixtures") else {
            throw ControlError.bodyMalformed(
                "A world begins with “fixtures” or “from” a snapshot, not both.")
        }
        return WorldOrder.Origin(world: origin.world, snapshot: origin.snapshot)
    }

    /// `DELETE /worlds/NAME`: 204. The world `default` cannot be deleted: 409.
    func deleteWorld(_: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        try worlds.delete(request.parameter("name"))
        return .noContent
    }

    /// `POST /worlds/NAME/reset`: the fixtures, the clock and the chance that the world began with; 204.
    func resetWorld(_: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        try resetWorld(request.parameter("name"))
        return .noContent
    }

    /// - Throws: `WorldError`.
    func resetWorld(_ name: String) throws {
        try worlds.reset(name)
        try worlds.world(name)?.services.journal.event(
            "world reset", "The world was reset to its initial state.")
    }
}
