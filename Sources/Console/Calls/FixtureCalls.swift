import HTTP
import PlatformKit

extension Console {
    /// `GET /fixtures`: the world's whole state as a fixture file.
    func exportFixtures(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        return try exported(world: world) {
            Response(headers: ["Content-Type": "application/json"], body: $0)
        }
    }

    /// What `use` makes of the world's whole state as a fixture file. The memory for it is reserved first: nobody else of the console exports.
    func exported<Value>(world: World, use: ([UInt8]) throws -> Value) throws -> Value {
        try info.work.holding(world.database.fileBytes() * Self.exportFactor) {
            try use(worlds.export(world))
        }
    }

    /// Bytes that making a fixture file takes for each byte of the database. Source: a world of 10,000 users, 4.3 MB, which took 24.
    private static let exportFactor = 6

    /// `PUT /fixtures`: puts a fixture file in the place of everything, all or nothing; 204.
    ///
    /// - Errors: 422 with line, column and field of the first fault.
    func loadFixtures(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let fixtures = try FixtureSet(text: JSONBody.text(request), file: "request body")
        try worlds.load(fixtures, into: world)
        world.services.journal.event(
            "fixtures loaded", "Fixtures replaced everything in this world.")
        return .noContent
    }
}
