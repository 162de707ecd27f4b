import QRCode
import Testing

@Suite struct SVGTests {
    @Test(arguments: [1, 9, 40], [0, 4, 100])
    func `the path covers exactly the dark modules`(_ version: Int, _ quietZone: Int) throws {
        let symbol = try Sample.symbol(version: version, .medium)

        let shown = try Renderings.matrix(ofSVG: symbol.svg(quietZone: quietZone))
        #expect(shown == symbol.matrix.bordered(by: quietZone))
    }

    @Test func `the quiet zone has four modules unless told otherwise`() throws {
        let symbol = try QRCode(text: "quiet")

        let shown = try Renderings.matrix(ofSVG: symbol.svg())
        #expect(shown == symbol.matrix.bordered(by: 4))
    }

    @Test(arguments: [(Int.min, 0), (-1, 0), (101, 100), (Int.max, 100)])
    func `a quiet zone without sense is held to the nearest with`(_ asked: Int, _ given: Int) throws {
        let symbol = try QRCode(text: "quiet")

        #expect(symbol.svg(quietZone: asked) == symbol.svg(quietZone: given))
    }

    @Test func `black stands on white, whatever the page's colours are`() throws {
        let svg = try QRCode(text: "colours").svg()

        #expect(svg.hasPrefix(#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29" "#))
        #expect(svg.contains(##"shape-rendering="crispEdges"><rect width="29" height="29" fill="#fff"/>"##))
        #expect(svg.contains(##"<path fill="#000" d="M4 4h7v1h-7z"##))
        #expect(svg.hasSuffix("z\"/></svg>"))
        #expect(!svg.contains("currentColor") && !svg.contains("style"))
    }

    @Test func `it is an image with a name for those who do not see it`() throws {
        let symbol = try QRCode(text: "name")

        #expect(symbol.svg().contains(#"role="img" aria-label="QR code""#))
        #expect(symbol.svg(title: "Scan to log in").contains(#"role="img" aria-label="Scan to log in""#))
    }

    @Test func `a title stays inside its attribute`() throws {
        let title = "\"><script>'&\u{0}\u{1B}\u{FFFE}é"

        #expect(
            try QRCode(text: "name").svg(title: title).contains(
                "aria-label=\"&quot;&gt;&lt;script&gt;&#39;&amp;\u{FFFD}\u{FFFD}\u{FFFD}é\" "))
    }
}
