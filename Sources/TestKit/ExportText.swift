import Essentials

/// An export as the texts of its members, so that only those that differ are read: that takes several times as long as to write them all.
struct ExportText: Sendable {
    private let members: [String: Data]

    /// - Parameter export: is encoded as an object.
    init(_ export: some Encodable) throws {
        let encoder = JSONEncoder()
        // Equal members are equal texts, and each of them begins a line of its own, two blanks in.
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        members = Self.members(of: try encoder.encode(export))
    }

    /// Those members of both that are not the same, as two objects.
    ///
    /// - Parameter exceptions: members that are passed over.
    func differing(from other: ExportText, except exceptions: Set<String>) throws -> (JSONValue, JSONValue) {
        let names = Set(members.keys).union(other.members.keys).subtracting(exceptions)
            .filter { members[$0] != other.members[$0] }
        return (try value(of: names), try other.value(of: names))
    }

    private func value(of names: Set<String>) throws -> JSONValue {
        .object(try members.filter { names.contains($0.key) }.mapValues { try JSONValue(parsing: Array($0)) })
    }

    private static func members(of text: Data) -> [String: Data] {
        let starts = lines(of: Array(text))
        // The last member ends before the line with the brace of the object.
        let ends = Array(starts.dropFirst()) + [text.count - 1]
        var members: [String: Data] = [:]
        for (start, end) in zip(starts, ends) {
            let line = text[text.startIndex + start..<text.startIndex + end]
            let name = line.dropFirst(3).prefix { $0 != UInt8(ascii: "\"") }
            // `  "name" : value,` and the end of the line.
            let value = text[name.endIndex + 4..<line.endIndex - 1]
            members[String(decoding: name, as: UTF8.self)] =
                value.last == UInt8(ascii: ",") ? value.dropLast() : value
        }
        return members
    }

    /// Where lines begin that have two blanks and a name. By hand: in a debug build ten times as fast as a search.
    private static func lines(of text: [UInt8]) -> [Int] {
        let (blank, quote, end) = (UInt8(ascii: " "), UInt8(ascii: "\""), UInt8(ascii: "\n"))
        var (starts, place): ([Int], Int) = ([], 0)
        while place + 3 < text.count {
            if text[place] == end, text[place + 3] == quote, text[place + 1] == blank,
                text[place + 2] == blank
            {
                starts.append(place + 1)
            }
            place += 1
        }
        return starts
    }
}
