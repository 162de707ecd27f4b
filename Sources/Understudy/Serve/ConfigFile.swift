import Essentials
import PlatformKit

/// What a folder says about the server that is started in it: a fixture file, whose member `$serve` has options of the command line.
///
/// ```json
/// {"$serve": {"port": 9000, "explain": true, "fixtures": ["default", "team.json"]}, "hanko": {…}}
/// ```
/// Without `fixtures` among the options, the file itself is laid over the built-in cast, if it has any fixtures. Paths are relative to the
/// folder where the program is started. The command line counts for more, then the environment, then the file.
struct ConfigFile {
    /// Looked for in the present folder.
    static let name = "understudy.json"
    /// In the place of a file: none, also where there is one.
    static let none = "none"

    private static let section = "$serve"
    private static let limit = 16 * 1_048_576

    let path: String
    /// By the names of the options.
    let given: [String: Invocation.Given]

    /// The file that `invocation` names, or that of the present folder; nil where there is none.
    ///
    /// - Throws: ``Failure``, ``UsageError``, `FixtureError`.
    init?(for invocation: Invocation) throws {
        let named = invocation.text(.config)
        let path = named ?? Self.name
        guard named != Self.none, named != nil || BoundedFile.isThere(path) else {
            return nil
        }
        try self.init(
            path, BoundedFile.bytes(at: path, limit: Self.limit, of: "settings"), for: invocation.command)
    }

    /// - Throws: `FixtureError`; ``UsageError`` for what is no option of `command`, or has no value that one can have.
    init(_ path: String, _ bytes: [UInt8], for command: Command) throws {
        self.path = path
        let members = try Self.members(of: bytes, path)
        var given: [String: Invocation.Given] = [:]
        for (name, value) in members[Self.section]?.object ?? [:] {
            let option = try Self.option(name, of: command, path)
            given[name] = try Self.values(of: value, for: option, path).map {
                Invocation.Given(values: $0, source: Invocation.source(path, name))
            }
        }
        let hasFixtures = members.keys.contains { !$0.hasPrefix("$") }
        if hasFixtures, given[Option.fixtures.name] == nil {
            given[Option.fixtures.name] = Invocation.Given(
                values: [FixtureFiles.builtInName, path], source: path)
        }
        self.given = given
    }

    /// JSON, with comments and trailing commas as in all fixture files.
    ///
    /// - Throws: `FixtureError` with line and column for what is none.
    private static func members(of bytes: [UInt8], _ path: String) throws -> [String: JSONValue] {
        _ = try FixtureSet(text: bytes, file: path)
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let members = try decoder.decode([String: JSONValue].self, from: Data(bytes))
        guard members[section] == nil || members[section]?.object != nil else {
            throw UsageError("\(path): \(section) must be an object with options of understudy serve")
        }
        return members
    }

    private static func option(_ name: String, of command: Command, _ path: String) throws -> Option {
        let known = command.options.filter { $0 != .config }
        if let option = known.first(where: { $0.name == name }) { return option }
        let meant = Suggestion.nearest(to: name, among: known.map(\.name)).map { "; did you mean \($0)?" }
        throw UsageError(
            "\(path): \(section).\(name) is not an option of \(command.name)\(meant ?? "; see understudy help serve")"
        )
    }

    /// Nil for a flag that is not set.
    private static func values(of value: JSONValue, for option: Option, _ path: String) throws -> [String]? {
        let place = "\(path): \(section).\(option.name)"
        if option.isFlag {
            guard let flag = value.boolean else { throw UsageError("\(place) must be true or false") }
            return flag ? [] : nil
        }
        if case .array(let elements) = value, option.shape != .one {
            let texts = elements.compactMap(text)
            guard texts.count == elements.count, !texts.isEmpty else {
                throw UsageError("\(place) must be a text or a list of texts: \(option.usage)")
            }
            return texts
        }
        guard let text = text(value) else {
            throw UsageError("\(place) must be a text or a number: \(option.usage)")
        }
        return [text]
    }

    private static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text) where !text.isEmpty: text
        case .integer(let number): "\(number)"
        default: nil
        }
    }
}

extension Invocation {
    /// With what the folder's file says of the options that neither the command line nor the environment gives.
    ///
    /// - Throws: ``Failure``, ``UsageError``, `FixtureError`.
    func completed() throws -> Invocation {
        try ConfigFile(for: self).map { completed(by: $0) } ?? self
    }

    func completed(by file: ConfigFile) -> Invocation {
        Invocation(
            command: command, operands: operands, given: file.given.merging(given) { $1 }, config: file.path)
    }
}

/// A folder that somebody else wrote, such as a repository that was just cloned, must not open the server unseen.
extension Invocation {
    /// What the file gives, and neither the command line nor the environment does, that lets others in or lets something out.
    func openings(onLoopback isOnLoopback: Bool) -> [String] {
        let always: [Option] = [.socket, .allowHost, .trustedProxy, .publicURL, .smtpRelay, .web, .upstream]
        // On loopback these open nothing, or even close something.
        let beyond: [Option] = [.host, .lan, .listen, .smtpPort, .controlToken, .explain]
        return (isOnLoopback ? [] : beyond).filter(isFromFile).map(words)
            + always.filter(isFromFile).map(words)
    }

    private func isFromFile(_ option: Option) -> Bool {
        guard let config, let given = given[option.name] else { return false }
        return given.source == Self.source(config, option.name)
    }

    /// How the file is named as the source of an option.
    static func source(_ path: String, _ name: String) -> String { "\(path): \(name)" }

    private func words(_ option: Option) -> String {
        let isTold = option != .controlToken && !option.isFlag
        return "--\(option.name)" + (isTold ? " " + texts(option).joined(separator: ",") : "")
    }
}
