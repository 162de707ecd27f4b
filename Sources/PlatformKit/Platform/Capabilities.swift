package import HTTP

/// Knows more of whom a request names than every request says by itself, such as whose an opaque token is.
package protocol NamesCallers: Platform {
    /// For faults that are about one user or client.
    func callers(in request: Request) throws -> RequestNames
}

/// Reads in the messages of its web sockets what they are about.
package protocol TracesMessages: Platform {
    /// As far as the message says so itself.
    static func subjects(of message: WebSocketMessage) -> [Subject]
}

/// Has endpoints at the root of the server and of each world, outside of every mount: what a host says of itself in well-known places.
///
/// - Source: RFC 8615 §3.
package protocol AnswersAtRoot: Platform {
    static var hostRoutes: [Route<Self>] { get }
}

extension AnswersAtRoot {
    // No key path: one into a generic type is put together anew at each start, at the price of thirty routes.
    package static var hostPaths: [String] { hostRoutes.map { $0.pattern } }
}

/// Answers some paths at the root of a world as well, where its fixtures want that: those that clients of another product ask for.
package protocol AnswersAliases: Platform {
    /// Paths at the root, and the paths of the platform, with its base path, that they stand for.
    static var rootAliases: [String: String] { get }

    /// Whether the fixtures want them.
    static func answersAliases(in world: World) throws -> Bool
}

/// Knows what clients mean that ask for a path which no route of the platform has.
package protocol ExplainsLostPaths: Platform {
    /// A sentence in ASCII; nil for a path that nobody means.
    static func hint(for unknown: RouteUnknown) -> String?
}

/// Has things that end by themselves.
package protocol TellsExpiries: Section {
    /// What ends by itself, and is worth jumping behind.
    static var expiring: [Expiring] { get }
}

/// Has pages for people to try in a browser; the home page links them.
package protocol ShowsPages: Platform {
    /// Below the first mount.
    static var pages: [PageLink] { get }
}

/// A page for people: what it is for, and its path below the platform's first mount.
package struct PageLink: Sendable, Equatable {
    package let title: String
    package let path: String

    package init(_ title: String, _ path: String) {
        self.title = title
        self.path = path
    }
}

/// Has commands for a newcomer who has seen nothing yet.
package protocol OffersFirstSteps: Platform {
    static var firstSteps: FirstCommands { get }
}

/// What a newcomer can type at a platform first.
package struct FirstCommands: Sendable {
    /// A path below the first mount that answers a plain `GET`.
    package let look: String
    /// A command that asks for a code, from the platform's base URL and a mail address.
    package let ask: @Sendable (_ base: String, _ email: String) -> HTML

    package init(look: String, ask: @escaping @Sendable (_ base: String, _ email: String) -> HTML) {
        (self.look, self.ask) = (look, ask)
    }
}

extension FaultMatch {
    /// What a fault can call a section: its name, or one of its mounts.
    package static func names(of section: any Section.Type) -> [String] {
        [section.name] + ((section as? any Platform.Type)?.mountPaths ?? [])
    }
}
