/// A text with `${name}` in it, read once. Names that nobody knows stay as they are.
struct TemplateText: Sendable, Equatable {
    private enum Piece: Sendable, Equatable {
        case literal(String)
        case parameter(String)
    }

    private let pieces: [Piece]

    init(_ text: String) {
        var pieces: [Piece] = []
        var literal = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${") {
            literal += rest[..<start.lowerBound]
            rest = rest[start.upperBound...]
            guard let end = rest.firstIndex(of: "}") else {
                literal += "${"
                break
            }
            if !literal.isEmpty { pieces.append(.literal(literal)) }
            pieces.append(.parameter(String(rest[..<end])))
            literal = ""
            rest = rest[rest.index(after: end)...]
        }
        literal += rest
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        self.pieces = pieces
    }

    /// - Parameter escape: what is done to each value before it is put in.
    func filled(with parameters: [String: String], escape: (String) -> String = { $0 }) -> String {
        if case .literal(let text) = pieces.first, pieces.count == 1 { return text }
        var text = ""
        for piece in pieces {
            switch piece {
            case .literal(let literal): text += literal
            case .parameter(let name): text += parameters[name].map(escape) ?? "${\(name)}"
            }
        }
        return text
    }

    /// Of the text that ``filled(with:escape:)`` makes of escaped parameters, without making it.
    func byteCount(with parameters: [String: String]) -> Int {
        pieces.reduce(0) { count, piece in
            switch piece {
            case .literal(let literal): count + literal.utf8.count
            case .parameter(let name): count + (parameters[name]?.utf8.count ?? name.utf8.count + 3)
            }
        }
    }

    /// Whether it says the same whatever the parameters.
    var isConstant: Bool { pieces.allSatisfy { if case .literal = $0 { true } else { false } } }
}
