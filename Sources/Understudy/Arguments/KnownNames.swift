import Essentials
import HTTP
import HTTPClient

/// Names that a running server knows, for completion in a shell.
enum KnownNames: String, CaseIterable {
    case worlds, phones, snapshots, users, addresses, platforms, faults
    /// Of all worlds, each behind its world and a slash.
    case origins

    /// Seconds: a shell waits for the answer between two keys.
    private static let patience = 0.2
    /// Worlds that are asked for their snapshots.
    private static let mostWorlds = 20

    /// The names, in the order in which the server lists them; none where no server answers, or another program does.
    func names(_ invocation: Invocation, _ terminal: Terminal) -> [String] {
        guard let api = try? ControlAPI(invocation, terminal, timeout: Self.patience) else { return [] }
        return (try? names(api)) ?? []
    }

    private func names(_ api: ControlAPI) throws -> [String] {
        switch self {
        case .worlds: try api.read(Worlds.self, api.call(.get, "/worlds")).worlds.map(\.name)
        case .phones: try api.read(Phones.self, api.call(.get, "/phones")).phones.map(\.name)
        case .snapshots: try api.read(Snapshots.self, api.call(.get, "/snapshots")).snapshots.map(\.name)
        case .faults: try api.read(Faults.self, api.call(.get, "/faults")).faults.map(\.name)
        case .origins: try origins(api)
        case .users: try info(api).people.map(\.id)
        case .addresses: try info(api).people.compactMap(\.email)
        case .platforms: try info(api).platforms.map(\.name)
        }
    }

    /// What came in time, where there are many worlds.
    private func origins(_ api: ControlAPI) throws -> [String] {
        let end = ContinuousClock.now + .seconds(Self.patience)
        let worlds = try api.read(Worlds.self, api.call(.get, "/worlds")).worlds.prefix(Self.mostWorlds)
        return try worlds.flatMap { world in
            guard ContinuousClock.now < end else { return [] as [String] }
            let answer = try api.inside(world.name).call(.get, "/snapshots")
            return try api.read(Snapshots.self, answer).snapshots.map { world.name + "/" + $0.name }
        }
    }

    private func info(_ api: ControlAPI) throws -> Info { try api.read(Info.self, api.call(.get, "/info")) }

    private struct Named: Decodable { let name: String }
    private struct Worlds: Decodable { let worlds: [Named] }
    private struct Phones: Decodable { let phones: [Named] }
    private struct Snapshots: Decodable { let snapshots: [Named] }
    private struct Faults: Decodable { let faults: [Named] }

    private struct Info: Decodable {
        struct Person: Decodable {
            let id: String
            let email: String?
        }

        let people: [Person]
        let platforms: [Named]
    }
}

extension Option {
    /// What a value of it names, where a running server knows that.
    var known: KnownNames? {
        switch name {
        case "world": .worlds
        case "user", "owner": .users
        case "to": .addresses
        case "platform": .platforms
        case "from" where self == .worldOrigin: .origins
        default: nil
        }
    }
}

extension Command {
    /// What stands right behind the command's name, where a running server knows it.
    var knownFirst: KnownNames? {
        switch name {
        case "code": .addresses
        case "mint": .platforms
        default: nil
        }
    }

    /// What the first argument of an action names, by the action's name.
    var knownArguments: [(action: String, names: KnownNames)] {
        guard case .actions(let actions, _) = operands else { return [] }
        let kind: KnownNames? =
            switch name {
            case "world": .worlds
            case "phone": .phones
            case "snapshot": .snapshots
            case "fault": .faults
            default: nil
            }
        guard let kind else { return [] }
        // Who makes something gives it a name that nothing has.
        let makers: Set = ["create", "save", "import", "add"]
        return actions.filter { $0.arguments.first == "NAME" && !makers.contains($0.name) }.map {
            ($0.name, kind)
        }
    }
}

extension KnownNames {
    /// `completion names KIND [LINE]`: one name a line. Whatever is wrong, a shell that completes is told nothing.
    static func print(_ arguments: [String], _ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        guard let kind = arguments.first.flatMap(Self.init) else {
            let known = allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("completion names knows \(known), not “\(arguments.first ?? "")”")
        }
        let line = arguments.count > 1 ? arguments[1] : ""
        for name in kind.names(invocation.reading(line), terminal) where !name.contains(where: \.isWhitespace)
        {
            terminal.print(name)
        }
        return 0
    }
}

extension Invocation {
    /// With the server and the world that a command line names which somebody is still typing.
    fileprivate func reading(_ line: String) -> Invocation {
        let words = line.split { $0.isWhitespace || $0 == "=" }.map(String.init)
        var given = given
        for (index, word) in words.enumerated().dropLast() {
            for option in Option.client where word == "--" + option.name {
                given[option.name] = Given(values: [words[index + 1]], source: word)
            }
        }
        return Invocation(command: command, operands: operands, given: given, config: config)
    }
}
