import Essentials
import PlatformKit
import Platforms

/// `fixtures import`: files of other programs as fixtures.
struct FixtureImport {
    /// The fixture file: comments that say where it comes from and what had no place, and the fixtures.
    let text: String
    /// What had no place, a sentence each.
    let notes: [String]

    /// - Parameter files: names and contents. Throws: ``Failure``.
    init(_ files: [(name: String, bytes: [UInt8])]) throws {
        var (all, head, notes) = (JSONValue.object([:]), [String](), [String]())
        for (name, bytes) in files {
            let (format, file) = try Self.read(bytes, name)
            all = all.joined(with: format.fixtures(of: file))
            head.append("From \(name), \(format.title).")
            notes += file.ledger.notes + Self.left(file)
        }
        if let oauth = all["onegini"]?["oauth"] {
            all = all.joined(with: .object([:])).replacing(
                "onegini", with: .object(["oauth": Scopes.completed(oauth)]))
        }
        self.notes = notes
        let place = notes.isEmpty ? [] : ["What has no place here, or another one:"] + notes.map { "- " + $0 }
        let comments = (head + place).map { "// " + $0 + "\n" }.joined()
        text = comments + PrettyJSON.text(all.joined(with: .object(["$schema": .string(Self.schema)])))
    }

    private static let schema = "http://localhost:8420/_understudy/v1/schema.json"

    private static func read(_ bytes: [UInt8], _ name: String) throws -> (any ForeignFormat.Type, Foreign) {
        if YAML.isLikely(bytes, file: name) { throw Failure(YAML.advice(name)) }
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw Failure(
                "\(name): this is no JSON (\(error.sentence)). If it is YAML, make JSON of it: yq -j . \(name) > \(name).json"
            )
        }
        guard let format = ForeignFormats.format(of: value) else {
            let titles = ForeignFormats.all.map { $0.title }.joined(separator: "; ")
            throw Failure("\(name): nothing that is known here. Known are: \(titles)")
        }
        return (format, Foreign(value, ignoringCase: format.ignoresCase))
    }

    /// The members that nobody read, together.
    private static func left(_ file: Foreign) -> [String] {
        let unread = file.unread.map { path, count in
            (path.hasPrefix("[].") ? String(path.dropFirst(3)) : path)
                + (count > 1 ? " (\(count) times)" : "")
        }
        return unread.isEmpty ? [] : ["not read: " + unread.joined(separator: ", ")]
    }

    /// What a check says of the fixtures: mistakes, and remarks. `file`: how it calls them.
    func findings(file: String) throws -> (mistakes: [String], remarks: [String]) {
        let set = try FixtureSet(text: Array(text.utf8), file: file)
        return (
            try FixtureCheck.faults(of: set).map(\.sentence),
            set.remarks(of: Platforms.sections).map { "\($0)" }
        )
    }
}

extension JSONValue {
    fileprivate func replacing(_ name: String, with value: JSONValue) -> JSONValue {
        var members = object ?? [:]
        members[name] = value
        return .object(members)
    }
}

/// JSON as people read it.
enum PrettyJSON {
    /// Names that come before others in an object, for what it is called comes first.
    private static let first = [
        "$schema", "client_id", "sub", "id", "name", "username", "client_name", "kind", "client_secret",
        "password",
    ]

    static func text(_ value: JSONValue) -> String { text(value, indent: "") + "\n" }

    private static func text(_ value: JSONValue, indent: String) -> String {
        let inner = indent + "    "
        switch value {
        case .object(let members) where !members.isEmpty:
            let lines = members.sorted { rank($0.key) < rank($1.key) }.map { name, value in
                inner + JSONValue.string(name).text + ": " + text(value, indent: inner)
            }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        case .array(let elements) where elements.contains { $0.object != nil || $0.array != nil }:
            return "[\n" + elements.map { inner + text($0, indent: inner) }.joined(separator: ",\n")
                + "\n\(indent)]"
        case .array(let elements): return "[" + elements.map(\.text).joined(separator: ", ") + "]"
        default: return value.text
        }
    }

    private static func rank(_ name: String) -> (Int, String) {
        (first.firstIndex(of: name) ?? first.count, name)
    }
}
