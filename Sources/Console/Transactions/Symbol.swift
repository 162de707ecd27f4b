import HTTP
import QRCode

/// QR symbols as the console draws them.
enum Symbol {
    enum Format: String, CaseIterable {
        case svg, png

        /// The parameter `format`; SVG without it.
        ///
        /// - Throws: ``ControlError/parameter(_:expected:given:)``.
        init(_ parameters: Parameters) throws {
            let text = parameters.text("format") ?? Format.svg.rawValue
            guard let format = Format(rawValue: text) else {
                throw ControlError.parameter("format", expected: "svg or png", given: "“\(text)”")
            }
            self = format
        }
    }

    /// An SVG element with the quiet zone of 4 that the standard asks for; nil for a text that fits into no symbol.
    ///
    /// - Parameter thing: what it belongs to: `transaction`.
    static func svg(_ text: String, of thing: String) -> String? {
        // An empty or too long text is the only reason to fail that a caller can do something about.
        (try? QRCode(text: text))?.svg(quietZone: 4, title: "QR code of this \(thing)")
    }

    /// The symbol with the text in it, as pages show both.
    static func html(_ text: String, of thing: String) -> [HTML] {
        let symbol = svg(text, of: thing).map { "<div class=\"symbol\">\(HTML(markup: $0))</div>" as HTML }
        let line: HTML = "<p class=\"otp\"><code class=\"code\" data-copy>\(text)</code></p>"
        return [symbol, line].compactMap(\.self)
    }

    /// The answer that is the symbol.
    ///
    /// - Throws: ``ControlError/absent(_:)`` when there is no code, or one that is too long.
    static func response(
        _ code: String?, of thing: String, _ id: String, _ format: Format
    ) throws -> Response {
        guard let code else {
            throw ControlError.absent("The \(thing) \(id.shortened) has no code to show.")
        }
        // An empty or too long text is the only reason to fail that a caller can do something about.
        guard let symbol = try? QRCode(text: code) else {
            throw ControlError.absent(
                "The code of the \(thing) \(id.shortened) does not fit into a QR code: it has \(code.utf8.count) bytes."
            )
        }
        switch format {
        case .png: return Response(headers: ["Content-Type": "image/png"], body: symbol.png(side: 500))
        case .svg:
            let svg = symbol.svg(quietZone: 4, title: "QR code of this \(thing)")
            return Response(headers: ["Content-Type": "image/svg+xml"], body: Array(svg.utf8))
        }
    }
}
