import Essentials

extension Made {
    /// What is seen in a recording and not among the fixtures.
    ///
    /// Something is there when an answer says so: what was refused as unknown, or came by the recording itself, is not made.
    ///
    /// - Parameter fixtures: those of the world as text.
    package static func all(
        in exchanges: [Exchange], _ book: RouteBook, _ bases: Bases, fixtures: [UInt8]
    ) throws -> [Made] {
        let world = WorldContent(try JSONValue(parsing: fixtures))
        let sightings = exchanges.compactMap { Sighting($0, book, bases) }
        func of(_ platform: String) -> [Sighting] { sightings.filter { $0.platform == platform } }
        let clients = ClientTraces(of("onegini"))
        return clients.made(world) + TokenUsers(of("onegini")).made(world)
            + ClientTraces(of("miracl")).madeProject(world, of("miracl"))
            + HankoPeople(of("hanko")).made(world)
            + PasskeyTenants(of("passkeyapi")).made(world)
            + CloudUsers(of("powerauth")).made(world)
    }
}
