import Essentials

/// The texts that client data may have had before somebody read and wrote them again: other white space, order and escapes, members that
/// are left out or came in.
enum ClientDataForms {
    /// Bytes of client data beyond which nothing is tried.
    private static let limit = 4096

    static func of(_ bytes: [UInt8]) -> [[UInt8]] {
        guard bytes.count <= limit, let members = (try? JSONValue(parsing: bytes))?.object else { return [] }
        let trimmed = bytes.reversed().drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }.reversed()
        let texts = orders(members).flatMap { order in
            Style.all.flatMap { style in [false, true].map { style.text(order, escapesSlashes: $0) } }
        }
        var seen: Set<String> = []
        return [Array(trimmed), bytes + [0x0A]]
            + texts.filter { seen.insert($0).inserted }.map { Array($0.utf8) }
    }

    private typealias Member = (name: String, text: String)

    /// The members in the orders that are likely: of the standard, by name, each other order of the first three.
    private static func orders(_ members: [String: JSONValue]) -> [[Member]] {
        let first = ["type", "challenge", "origin"]
        func member(_ name: String) -> Member? { members[name].map { (name, $0.text) } }
        let frames: [[Member]] = [
            [], [("crossOrigin", "false")], ["crossOrigin"].compactMap(member),
            ["crossOrigin", "topOrigin"].compactMap(member),
            members.keys.filter { !first.contains($0) }.sorted().compactMap(member),
        ]
        return permutations(first).flatMap { names in
            frames.map { names.compactMap(member) + $0 }
        } + frames.map { (first.compactMap(member) + $0).sorted { $0.name < $1.name } }
    }

    private static func permutations(_ names: [String]) -> [[String]] {
        names.isEmpty
            ? [[]]
            : names.flatMap { name in permutations(names.filter { $0 != name }).map { [name] + $0 } }
    }

    /// How serialisers set members apart.
    private struct Style {
        let open: String
        let comma: String
        let colon: String
        let close: String

        static let all = [
            Style(open: "{", comma: ",", colon: ":", close: "}"),
            Style(open: "{", comma: ", ", colon: ": ", close: "}"),
            Style(open: "{\n  ", comma: ",\n  ", colon: ": ", close: "\n}"),
            Style(open: "{\n    ", comma: ",\n    ", colon: ": ", close: "\n}"),
            Style(open: "{\n  ", comma: ",\n  ", colon: " : ", close: "\n}"),
        ]

        func text(_ members: [Member], escapesSlashes: Bool) -> String {
            let texts = members.map { member in
                "\"\(member.name)\"\(colon)"
                    + (escapesSlashes ? member.text.replacing("/", with: "\\/") : member.text)
            }
            return open + texts.joined(separator: comma) + close
        }
    }
}
