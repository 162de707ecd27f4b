import Embedded
import Essentials
import PlatformKit

/// Finds and reads fixtures by the names that the command line gives.
enum FixtureFiles {
    /// Names the built-in file among the paths.
    static let builtInName = "default"

    /// Their JSON Schema; nil in a program that was built without it.
    static var schema: [UInt8]? { EmbeddedFile.at("Fixtures/schema.json")?.bytes }

    static func builtIn() throws -> FixtureSet { try parsed.get() }

    /// Once, when somebody needs them first.
    private static let parsed = Result {
        guard let file = EmbeddedFile.at("Fixtures/default.json") else {
            throw Failure("this program was built without Fixtures/default.json")
        }
        return try FixtureSet(text: file.bytes, file: "default.json (built in)")
    }

    /// Whether `paths` mean the built-in fixtures and no other.
    static func areBuiltIn(_ paths: [String]) -> Bool { paths.isEmpty || paths == [builtInName] }

    /// A file that was read and not looked at.
    struct Text: Sendable, Equatable {
        let file: String
        /// Nil for the built-in file.
        let bytes: [UInt8]?

        /// - Throws: `FixtureError`; ``Failure`` for a file of another program.
        func parsed() throws -> FixtureSet {
            guard let bytes else { return try FixtureFiles.builtIn() }
            try ForeignFormats.refuse(bytes, file: file)
            return try FixtureSet(text: bytes, file: file)
        }
    }

    /// Bytes that a file may have.
    static let limit = 16 * 1_048_576

    /// All of `paths` laid over one another in their order; the built-in ones when there are none.
    ///
    /// - Throws: `FixtureError`; ``Failure`` for what cannot be read.
    static func load(_ paths: [String]) throws -> FixtureSet { try load(texts(paths)) }

    /// - Throws: `FixtureError`.
    static func load(_ texts: [Text]) throws -> FixtureSet {
        let sets = try texts.map { try $0.parsed() }
        guard let base = sets.first else { return try builtIn() }
        return sets.dropFirst().reduce(base) { $0.merged(with: $1) }
    }

    /// The files behind `paths`, in the order in which they are laid over one another.
    ///
    /// - Throws: ``Failure`` for what cannot be read.
    static func texts(_ paths: [String]) throws -> [Text] {
        guard let first = paths.first else { return [Text(file: builtInName, bytes: nil)] }
        let own = try texts(at: first)
        if own.isEmpty { throw Failure("\(first): the folder holds no .json file") }
        return try own + paths.dropFirst().flatMap(texts(at:))
    }

    private static func texts(at path: String) throws -> [Text] {
        if path == builtInName { return [Text(file: path, bytes: nil)] }
        return try files(at: path).map { Text(file: $0, bytes: try BoundedFile.bytes(at: $0, limit: limit)) }
    }

    /// The files at `path`: one, or those of a folder in alphabetical order, `schema.json` left out.
    static func files(at path: String) throws -> [String] {
        do {
            let kind = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            guard kind == .typeDirectory else { return [path] }
            return try FileManager.default.contentsOfDirectory(atPath: path)
                .filter { $0.hasSuffix(".json") && $0 != "schema.json" && !$0.hasPrefix(".") }.sorted()
                .map { path.hasSuffix("/") ? path + $0 : path + "/" + $0 }
        } catch {
            throw Failure("\(path): \(error.sentence)")
        }
    }

}
