extension QRCode {
    /// Whether it is a picture: a PNG, an SVG, or a page that begins with one.
    package static func isPicture(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: pngSignature) || bytes.starts(with: Array("<svg".utf8))
    }

    static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The symbol in a PNG or SVG that ``png(side:)`` or ``svg(quietZone:title:)`` drew.
    ///
    /// - Throws: ``PictureError``.
    package init(picture bytes: [UInt8]) throws(PictureError) {
        let dots = bytes.starts(with: Self.pngSignature) ? try PNGDots(bytes).dots : try SVGDots(bytes).dots
        self = try Self.symbol(in: dots)
    }

    /// The symbol that the dark dots make, each module of as many dots a side.
    private static func symbol(in dots: Dots) throws(PictureError) -> QRCode {
        guard let frame = dots.frame else { throw .damaged("nothing in it is dark") }
        // ISO/IEC 18004 §6.3.3: the finder pattern begins with seven dark modules.
        let first = dots.run(from: frame.left, row: frame.top)
        let scale = first / 7
        guard scale > 0, first % 7 == 0, frame.width == frame.height, frame.width % scale == 0 else {
            throw .damaged("it has no finder pattern in its corner")
        }
        let size = frame.width / scale
        guard 21...177 ~= size, size % 4 == 1 else {
            throw .damaged("\(size) modules a side are not a version")
        }
        var modules = [UInt8](repeating: 0, count: size * size)
        for row in 0..<size {
            for column in 0..<size {
                let (x, y) = (frame.left + column * scale + scale / 2, frame.top + row * scale + scale / 2)
                modules[row * size + column] = dots.isDark(x, y) ? 1 : 0
            }
        }
        return QRCode(version: (size - 17) / 4, size: size, modules: modules)
    }
}

/// Dark and light dots in a square.
struct Dots {
    let side: Int
    /// Row by row, true for dark.
    var dark: [Bool]

    init(side: Int) { (self.side, dark) = (side, [Bool](repeating: false, count: side * side)) }

    func isDark(_ x: Int, _ y: Int) -> Bool { dark[y * side + x] }

    /// Dark dots from one on, to the right.
    func run(from x: Int, row y: Int) -> Int {
        var end = x
        while end < side, isDark(end, y) { end += 1 }
        return end - x
    }

    /// What is not quiet zone; nil without a dark dot.
    var frame: (left: Int, top: Int, width: Int, height: Int)? {
        let rows = (0..<side).filter { y in (0..<side).contains { isDark($0, y) } }
        let columns = (0..<side).filter { x in (0..<side).contains { isDark(x, $0) } }
        guard let top = rows.first, let bottom = rows.last, let left = columns.first, let right = columns.last
        else { return nil }
        return (left, top, right - left + 1, bottom - top + 1)
    }
}

/// The dots of a PNG of one bit a pixel, without compression, filters or interlacing.
///
/// Source: W3C, Portable Network Graphics (Second Edition); RFC 1950 and RFC 1951 §3.2.4.
struct PNGDots {
    let dots: Dots

    init(_ bytes: [UInt8]) throws(PictureError) {
        var (side, data, at) = (0, [UInt8](), 8)
        while at + 12 <= bytes.count {
            let count = Self.number(bytes[at..<at + 4])
            guard count <= bytes.count - at - 12 else { throw .damaged("a chunk of the PNG ends early") }
            let body = bytes[at + 8..<at + 8 + count]
            switch String(decoding: bytes[at + 4..<at + 8], as: UTF8.self) {
            case "IHDR": side = try Self.side(body)
            case "IDAT": data += body
            default: break
            }
            at += 12 + count
        }
        guard side > 0 else { throw .damaged("the PNG has no header") }
        dots = try Self.dots(Self.stored(data), side)
    }

    /// As many pixels as the largest symbol has at 20 dots a module.
    private static let sideLimit = 4000

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    private static func side(_ header: ArraySlice<UInt8>) throws(PictureError) -> Int {
        let bytes = Array(header)
        guard bytes.count == 13 else { throw .damaged("the header of the PNG has \(bytes.count) bytes") }
        let (width, height) = (number(bytes[0..<4]), number(bytes[4..<8]))
        guard Array(bytes[8...]) == [1, 0, 0, 0, 0], width == height, 1...sideLimit ~= width else {
            throw .foreign("this one is \(width) by \(height) pixels of another kind")
        }
        return width
    }

    /// The stored blocks of a zlib stream.
    private static func stored(_ stream: [UInt8]) throws(PictureError) -> [UInt8] {
        var (data, at, isLast) = ([UInt8](), 2, false)
        while !isLast {
            guard at + 5 <= stream.count else { throw .damaged("the data of the PNG ends early") }
            guard stream[at] <= 1 else { throw .foreign("this one is compressed") }
            isLast = stream[at] == 1
            let count = Int(stream[at + 1]) | Int(stream[at + 2]) << 8
            guard at + 5 + count <= stream.count else { throw .damaged("the data of the PNG ends early") }
            data += stream[at + 5..<at + 5 + count]
            at += 5 + count
        }
        return data
    }

    private static func dots(_ data: [UInt8], _ side: Int) throws(PictureError) -> Dots {
        let stride = 1 + (side + 7) / 8
        guard data.count == side * stride else { throw .damaged("the PNG has \(data.count) bytes of dots") }
        var dots = Dots(side: side)
        for y in 0..<side {
            guard data[y * stride] == 0 else { throw .foreign("this one has filtered rows") }
            for x in 0..<side {
                dots.dark[y * side + x] = data[y * stride + 1 + x / 8] & (0x80 >> UInt8(x % 8)) == 0
            }
        }
        return dots
    }
}

/// The dots of an SVG whose path is of rectangles `Mx yhWv1h-Wz`, one unit a module.
struct SVGDots {
    let dots: Dots

    init(_ bytes: [UInt8]) throws(PictureError) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let box = text.firstMatch(of: /viewBox="0 0 ([0-9]{1,3}) ([0-9]{1,3})"/), box.1 == box.2,
            let side = Int(box.1), side > 0,
            let path = text.firstMatch(
                of: /\ d="((?:M[0-9]{1,3} [0-9]{1,3}h[0-9]{1,3}v1h-[0-9]{1,3}z)+)"/)
        else { throw .foreign("this SVG is drawn in another way") }
        var dots = Dots(side: side)
        for rectangle in path.1.matches(of: /M([0-9]+) ([0-9]+)h([0-9]+)v1/) {
            guard let x = Int(rectangle.1), let y = Int(rectangle.2), let width = Int(rectangle.3), y < side,
                x + width <= side
            else { throw .damaged("a module lies outside of the picture") }
            for column in x..<x + width { dots.dark[y * side + column] = true }
        }
        self.dots = dots
    }
}
