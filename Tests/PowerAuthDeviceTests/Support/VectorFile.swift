import Crypto
import Essentials
import Testing

/// Reads `Tests/Vectors/powerauth`.
enum VectorFile {
    static func json(_ name: String) throws -> JSONValue {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Vectors/powerauth").appending(path: name)
        return try JSONValue(parsing: [UInt8](Data(contentsOf: file)))
    }

    /// The entries of a published file: the only array in it.
    static func entries(_ name: String) throws -> [Entry] {
        let members = try #require(json(name).object)
        let list = try #require(members.values.compactMap(\.array).first)
        #expect(!list.isEmpty)
        return list.map(Entry.init)
    }

    /// One vector: its members are looked for in `input`, in `output` and in itself.
    struct Entry {
        let json: JSONValue

        func text(_ name: String) throws -> String {
            try #require((json["input"]?[name] ?? json["output"]?[name] ?? json[name])?.string, "\(name)")
        }

        func optional(_ name: String) -> String? { json[name]?.string }

        func bytes(_ name: String) throws -> [UInt8] {
            try #require(Base64.decode(text(name)), "\(name)")
        }

        func number(_ name: String) throws -> Int { try #require(Int(text(name)), "\(name)") }
    }
}

extension JSONValue {
    /// A member by its path, `signature.ctrData`.
    func at(_ path: String) throws -> JSONValue {
        try path.split(separator: ".").reduce(self) { value, name in
            try #require(value[String(name)], "\(path)")
        }
    }

    func string(_ path: String) throws -> String { try #require(at(path).string, "\(path)") }
    func hex(_ path: String) throws -> [UInt8] { try #require(Hex.decode(string(path)), "\(path)") }
    func base64(_ path: String) throws -> [UInt8] { try #require(Base64.decode(string(path)), "\(path)") }
}
