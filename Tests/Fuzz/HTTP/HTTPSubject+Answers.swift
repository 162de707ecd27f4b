import HTTP

extension HTTPSubject {
    struct Answer: Equatable {
        var head: ResponseHead?
        var body: [UInt8] = []
        var isWhole = false
    }

    func checkResponseParser(_ input: [UInt8], _ random: inout SplitMix64) throws(Violation) {
        var sizes = random
        let whole = Result { try answer(in: input) { _ in input.count } }
        let single = Result { try answer(in: input) { _ in 1 } }
        let pieces = Result { try answer(in: input) { left in 1 + sizes.below(min(left, 200)) } }
        for other in [single, pieces] where !Self.agree(whole, other) {
            throw Violation("an answer in pieces differs: \(whole), \(other)")
        }
    }

    private static func agree(_ left: Result<Answer, any Error>, _ right: Result<Answer, any Error>) -> Bool {
        switch (left, right) {
        case (.success(let left), .success(let right)): left == right
        case (.failure(let left as WireFault), .failure(let right as WireFault)): left == right
        default: false
        }
    }

    func answer(in input: [UInt8], size: (Int) -> Int) throws -> Answer {
        var parser = ResponseParser(answering: .get, headBytes: 2000, bodyBytes: 1000)
        var answer = Answer()
        var rest = input[...]
        while !rest.isEmpty, !answer.isWhole {
            let piece = rest.prefix(size(rest.count))
            rest = rest.dropFirst(piece.count)
            piece.withUnsafeBytes { parser.append($0) }
            try drain(&parser, into: &answer)
        }
        if !answer.isWhole {
            try parser.close()
            try drain(&parser, into: &answer)
        }
        return answer
    }

    private func drain(_ parser: inout ResponseParser, into answer: inout Answer) throws {
        while true {
            switch try parser.next() {
            case .needsMore: return
            case .head(let head): answer.head = head
            case .body(let piece): answer.body += piece
            case .end:
                answer.isWhole = true
                return
            }
        }
    }
}
