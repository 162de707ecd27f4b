import Embedded
import Essentials
import PlatformKit

/// Finds and reads fixtures by the names that the command line gives.
enum FixtureFiles {
    /// Names the built-in file among the paths.
    static let builtInName = "default"

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

    /// All of `paths` laid over one another in their order; the built-in ones when there are none.
    ///
    /// - Throws: `FixtureError`; ``Failure`` for what cannot be read.
    static func load(_ paths: [String]) throws -> FixtureSet {
        guard let first = paths.first else { return try builtIn() }
        let others = try paths.dropFirst().flatMap(sets(at:))
        let all = try sets(at: first) + others
        guard let base = all.first else { throw Failure("\(first): the folder holds no .json file") }
        return all.dropFirst().reduce(base) { $0.merged(with: $1) }
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

    /// Reads one file.
    static func set(file: String) throws -> FixtureSet {
        do {
            return try FixtureSet(text: [UInt8](try Data(contentsOf: URL(filePath: file))), file: file)
        } catch let error as CocoaError {
            throw Failure("\(file): \(error.sentence)")
        }
    }

    private static func sets(at path: String) throws -> [FixtureSet] {
        path == builtInName ? [try builtIn()] : try files(at: path).map(set(file:))
    }
}
