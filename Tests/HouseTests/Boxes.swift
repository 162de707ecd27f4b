/// Finds closures that lie bare in generic boxes, by the text of the sources.
enum Boxes {
    /// Boxes of the libraries whose content is reached through a generic `inout`.
    static let known: Set = ["Mutex", "Atomic", "ManagedBuffer", "UnsafeMutablePointer", "UnsafePointer"]

    /// Generic classes that a source declares.
    static func ownNames(in text: String) -> [String] {
        // Expressions are slow.
        text.contains("class ") ? text.matches(of: /\bclass (\w+)</).map { String($0.1) } : []
    }

    /// Names that a source gives to types of functions.
    static func closureNames(in text: String) -> [String] {
        guard text.contains("typealias ") else { return [] }
        return text.matches(of: /\btypealias (\w+)(?:<[^=]*>)?\s*=\s*([^\n]*->)/).map { String($0.1) }
    }

    /// What stands between the brackets of each box that has a closure in it.
    static func bareClosures(in text: String, boxes: Set<String>, closures: Set<String>) -> [String] {
        let arguments = text.utf8.indices.filter { text.utf8[$0] == UInt8(ascii: "<") }
            .filter { boxes.contains(word(before: $0, in: text)) }
            .map { argument(of: text[text.utf8.index(after: $0)...]) }
            .filter { holdsClosure($0, closures) }
        guard text.contains("Mutex(") || text.contains("Atomic(") else { return arguments }
        return arguments + text.matches(of: /\b(?:Mutex|Atomic)\(\s*\{/).map { String($0.0) }
    }

    private static func word(before end: String.Index, in text: String) -> String {
        let letters = text.utf8[..<end].reversed().prefix { SourceWords.isWord($0) }
        return String(decoding: letters.reversed(), as: UTF8.self)
    }

    private static func holdsClosure(_ type: String, _ closures: Set<String>) -> Bool {
        type.contains("->") || type.matches(of: /[\w.]+/).contains { closures.contains(lastName(of: $0.0)) }
    }

    private static func lastName(of path: Substring) -> String {
        path.split(separator: ".").last.map(String.init) ?? ""
    }

    /// Up to the bracket that closes.
    private static func argument(of text: Substring) -> String {
        var depth = 1
        var argument = ""
        for character in text {
            if character == "<" { depth += 1 }
            if character == ">", argument.last != "-" { depth -= 1 }
            if depth == 0 { break }
            argument.append(character)
        }
        return argument
    }
}
