import Testing

@testable import QRCode

/// Symbols that libqrencode made, read back from the pictures that are drawn of them.
@Suite struct ReadingTests {
    @Test(arguments: QRCode.Correction.allCases)
    func `every version is read back from its modules`(_ correction: QRCode.Correction) throws {
        for version in 1...40 {
            let bytes = Sample.bytes(Capacity.bytes(version, correction))
            #expect(try QRCode(bytes, correction: correction).content == bytes)
        }
    }

    @Test(arguments: [0, 100, 257, 500, 1000])
    func `a PNG is read back, whatever its size is`(_ side: Int) throws {
        let symbol = try QRCode(text: "bank://operation?oid=1&totp=12345678")

        let read = try QRCode(picture: symbol.png(side: side))
        #expect(read == symbol)
        #expect(String(decoding: try read.content, as: UTF8.self) == "bank://operation?oid=1&totp=12345678")
    }

    @Test(arguments: [0, 4, 100])
    func `an SVG is read back, whatever its quiet zone is`(_ quietZone: Int) throws {
        let symbol = try QRCode(text: Sample.base64)

        #expect(try QRCode(picture: Array(symbol.svg(quietZone: quietZone, title: "A < B").utf8)) == symbol)
    }

    @Test func `a module that was turned around is noticed`() throws {
        let symbol = try QRCode(text: "hello, world")
        for index in [symbol.modules.count - 1, symbol.size * 12 + 12, 8] {
            var modules = symbol.modules
            modules[index] ^= 1
            let damaged = QRCode(version: symbol.version, size: symbol.size, modules: modules)
            #expect(throws: PictureError.self) { try damaged.content }
        }
    }

    @Test func `other pictures are refused with what helps`() throws {
        let png = try QRCode(text: "hello").png(side: 0)
        var compressed = png
        // The first byte of the first block, behind signature, header and the head of the data.
        compressed[8 + 25 + 8 + 2] = 3
        var coloured = png
        coloured[8 + 8 + 9] = 2
        for picture in [compressed, coloured, Array("<svg viewBox=\"0 0 29 29\"><circle/></svg>".utf8)] {
            let error = #expect(throws: PictureError.self) { try QRCode(picture: picture) }
            #expect(error?.description.contains("zbarimg") == true)
        }
        for count in [8, 20, 40, png.count - 30] {
            #expect(throws: PictureError.self) { try QRCode(picture: Array(png.prefix(count))) }
        }
    }
}
