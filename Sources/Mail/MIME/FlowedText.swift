/// Text whose lines were broken on the way: one that ends with a blank goes on in the next. Source: RFC 3676 §4.
enum FlowedText {
    /// - Parameters: lines end in LF; `deletesBlanks` says that the blank at the end was added, too (`DelSp=yes`).
    static func text(_ text: String, deletesBlanks: Bool) -> String {
        var flowed: [UInt8] = []
        flowed.reserveCapacity(text.utf8.count)
        /// How deeply the paragraph that goes on is quoted.
        var open: Int?
        let lines = Array(text.utf8).split(separator: .lineFeed, omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            let depth = line.prefix { $0 == UInt8(ascii: ">") }.count
            var content = line.dropFirst(depth)
            // A blank that was put before what begins with one, with “From” or with “>”.
            if content.first == 0x20 { content = content.dropFirst() }
            if number > 0, open != depth { flowed.append(.lineFeed) }
            if open != depth, depth > 0 { flowed += line.prefix(depth) + [0x20] }
            // The mark of a signature never goes on.
            let goesOn = content.last == 0x20 && !content.elementsEqual("-- ".utf8)
            flowed += goesOn && deletesBlanks ? content.dropLast() : content
            open = goesOn ? depth : nil
        }
        return String(decoding: flowed, as: UTF8.self)
    }
}
