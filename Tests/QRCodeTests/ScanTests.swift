import Essentials
import QRCode
import Testing

/// A reader of another house reads what is shown, byte for byte.
@Suite(.enabled(if: Scanner.isInstalled, Scanner.absence))
struct ScanTests {
    @Test(arguments: [
        "https://localhost:8420/app?otp=1&state=%C3%A9", "A", Sample.base64, "Grüße aus Zürich: 5 € für 日本語",
        String(repeating: "version 40 ", count: 200),
    ])
    func `a text in an SVG is read back`(_ text: String) throws {
        let svg = try QRCode(text: text).svg()

        let shown = try Renderings.matrix(ofSVG: svg)
        #expect(try Scanner.read(shown) == Array(text.utf8) + Array("\n".utf8))
    }

    @Test(arguments: QRCode.Correction.allCases)
    func `every level is read back`(_ correction: QRCode.Correction) throws {
        let svg = try QRCode(text: Sample.base64, correction: correction).svg()

        let shown = try Renderings.matrix(ofSVG: svg)
        #expect(try Scanner.read(shown) == Array((Sample.base64 + "\n").utf8))
    }

    @Test func `every value of a byte is read back, zero among them`() throws {
        let bytes = (0...255).map { UInt8($0) }
        let svg = try QRCode(bytes).svg()

        let shown = try Renderings.matrix(ofSVG: svg)
        #expect(try Scanner.read(shown, ["--raw", "-q", "--oneshot", "-Sbinary"]) == bytes)
    }

    @Test func `half blocks with two modules of quiet zone are read back`() throws {
        let symbol = try QRCode(text: Sample.base64)

        let text = symbol.terminal(usesColour: false, background: .light)
        let shown = try Renderings.paint(ofBlocks: text)
        #expect(try Scanner.read(shown) == Array((Sample.base64 + "\n").utf8))
    }
}
