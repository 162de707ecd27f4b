import HTTP

/// What paths at the root of a world stand for, where its fixtures want that.
struct RootAliases: Sendable {
    private struct Alias: Sendable {
        let path: String
        /// The base path in front of it, with its slash.
        let home: String
        let isWanted: @Sendable (World) throws -> Bool
    }

    private let aliases: [String: Alias]

    init(_ platforms: [any Platform.Type]) {
        var aliases: [String: Alias] = [:]
        for case let platform as any AnswersAliases.Type in platforms {
            for (root, path) in platform.rootAliases {
                aliases[root] = Alias(path: path, home: "/" + path.dropFirst().prefix { $0 != "/" }) {
                    world in
                    try platform.answersAliases(in: world)
                }
            }
        }
        self.aliases = aliases
    }

    /// Lets a request for an alias come below the platform's base path, as if its client had asked there.
    func apply(to request: inout Request, in world: World) throws {
        guard let alias = aliases[request.path], try alias.isWanted(world) else { return }
        request.path = alias.path
        request.context.mount += alias.home
        request.context.publicBaseURL = request.publicBaseURL.map { $0 + alias.home }
    }
}
