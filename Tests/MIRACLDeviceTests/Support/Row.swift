import Crypto
import Essentials
import Testing

/// One row of a file of `Tests/Vectors/mpin`.
struct Row: Sendable, CustomTestStringConvertible {
    private let json: JSONValue

    static func all(_ name: String) -> [Row] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Vectors/mpin").appending(path: name)
        guard let data = try? Data(contentsOf: file), let json = try? JSONValue(parsing: [UInt8](data)),
            let rows = json.array, !rows.isEmpty
        else { preconditionFailure("no vectors in \(name)") }
        return rows.map(Row.init)
    }

    var testDescription: String { "row \(json["test_no"]?.integer ?? -1)" }

    func text(_ name: String) throws -> String { try #require(json[name]?.string, "\(name)") }

    func number(_ name: String) throws -> Int { try #require(json[name]?.integer, "\(name)") }

    func bytes(_ name: String) throws -> [UInt8] { try #require(Hex.decode(text(name)), "\(name)") }
}
