extension QRCode {
    /// The symbol as an SVG element, to stand in a page or in a file of its own.
    ///
    /// One module is one unit of the view box; the size on the screen is for the page's style sheet to say. The colours are
    /// fixed, and given as attributes: a scanner needs dark on light in dark mode too, and a content security policy may
    /// forbid inline styles.
    ///
    /// - Parameters:
    ///   - quietZone: modules left light on each side, held to 0…100; the standard asks for 4 (ISO/IEC 18004 §6.3.8).
    ///   - title: what a screen reader says instead of “QR code”.
    package func svg(quietZone: Int = 4, title: String? = nil) -> String {
        let margin = Self.margin(quietZone)
        let side = size + 2 * margin
        let label = (title ?? "QR code").escapedForXML
        let head = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" role="img" aria-label="\(label)" \
            shape-rendering="crispEdges"><rect width="\(side)" height="\(side)" fill="#fff"/><path fill="#000" d="
            """
        return head + String(decoding: pathData(margin), as: UTF8.self) + "\"/></svg>"
    }

    static func margin(_ quietZone: Int) -> Int { min(max(quietZone, 0), 100) }

    /// A rectangle of height 1 for each run of dark modules in a row.
    private func pathData(_ margin: Int) -> [UInt8] {
        var path: [UInt8] = []
        path.reserveCapacity(size * size * 4)
        for row in 0..<size {
            var column = 0
            while let run = darkRun(in: row, from: column) {
                path.appendRectangle(x: run.lowerBound + margin, y: row + margin, width: run.count)
                column = run.upperBound
            }
        }
        return path
    }

    /// The columns of the first unbroken run of dark modules in `row` at or after `start`.
    private func darkRun(in row: Int, from start: Int) -> Range<Int>? {
        let base = row * size
        var first = start
        while first < size, modules[base + first] == 0 { first += 1 }
        if first == size { return nil }
        var end = first + 1
        while end < size, modules[base + end] == 1 { end += 1 }
        return first..<end
    }
}

extension [UInt8] {
    /// `Mx yhWv1h-Wz`, written byte by byte: a page of the default size has some 700 of these.
    fileprivate mutating func appendRectangle(x: Int, y: Int, width: Int) {
        append(UInt8(ascii: "M"))
        appendDecimal(x)
        append(UInt8(ascii: " "))
        appendDecimal(y)
        append(UInt8(ascii: "h"))
        appendDecimal(width)
        append(UInt8(ascii: "v"))
        append(UInt8(ascii: "1"))
        append(UInt8(ascii: "h"))
        append(UInt8(ascii: "-"))
        appendDecimal(width)
        append(UInt8(ascii: "z"))
    }

    /// `number` is 0 to 999: the largest symbol with the largest quiet zone on both sides measures 377.
    private mutating func appendDecimal(_ number: Int) {
        if number >= 100 { append(UInt8(ascii: "0") + UInt8(number / 100)) }
        if number >= 10 { append(UInt8(ascii: "0") + UInt8(number / 10 % 10)) }
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}
