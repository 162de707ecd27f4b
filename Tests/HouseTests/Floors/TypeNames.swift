/// The types that a source declares, and those that it names, each with the place where the name stands.
struct TypeNames {
    /// A name with those that it is nested in: `["QRCode", "Correction"]`.
    typealias Path = [String]

    private(set) var declared: Set<Path> = []
    private(set) var named: Set<Named> = []

    /// A name, and the types in whose braces it stands: there it may mean a nested type.
    struct Named: Hashable {
        let path: Path
        let scope: Path
    }

    private let words: [String]
    private var scope: Path = []
    private var outer: [Path] = []
    /// Of the type whose brace comes next.
    private var opening: Path?

    init(_ text: String) {
        words = SourceWords(text).words
        var index = 0
        while index < words.count { index = read(index) }
    }

    private static let declaring: Set = ["struct", "class", "enum", "protocol", "actor", "extension"]

    /// - Returns: where to read on.
    private mutating func read(_ index: Int) -> Int {
        let word = words[index]
        let isMember = index > 0 && words[index - 1] == "."
        switch word {
        case "{":
            outer.append(scope)
            scope = opening ?? scope
            opening = nil
        case "}":
            scope = outer.popLast() ?? []
        case "typealias", "associatedtype":
            guard index + 1 < words.count else { return index + 1 }
            if word == "typealias" { declared.insert(scope + [words[index + 1]]) }
            return index + 2
        case _ where !isMember && Self.declaring.contains(word) && isType(index + 1):
            return readDeclaration(word, index + 1)
        case _ where !isMember && isType(index):
            let (path, next) = path(from: index)
            named.insert(Named(path: path, scope: scope))
            return next
        default: break
        }
        return index + 1
    }

    private mutating func readDeclaration(_ keyword: String, _ index: Int) -> Int {
        let (path, next) = path(from: index)
        if keyword == "extension" {
            named.insert(Named(path: path, scope: []))
            opening = path
        } else {
            declared.insert(scope + path)
            opening = scope + path
        }
        return next
    }

    private func isType(_ index: Int) -> Bool {
        index < words.count && words[index].utf8.first.map { (65...90).contains($0) } ?? false
    }

    private func path(from index: Int) -> (path: Path, next: Int) {
        var (path, next) = ([words[index]], index + 1)
        while next + 1 < words.count, words[next] == ".", isType(next + 1) {
            path.append(words[next + 1])
            next += 2
        }
        return (path, next)
    }
}
