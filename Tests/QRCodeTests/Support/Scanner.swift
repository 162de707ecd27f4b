import Foundation
import Testing

/// `zbarimg` of the zbar project, a reader that shares nothing with what writes the symbols.
enum Scanner {
    static let isInstalled: Bool = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/zbarimg")
        }
    }()

    static let absence: Comment = "zbarimg is not installed; script/bootstrap --tests installs it"

    /// What the reader finds in a picture of `matrix` with 4 × 4 pixels a module.
    static func read(_ matrix: Matrix, _ options: [String] = ["--raw", "-q"]) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).pgm")
        try picture(of: matrix, scale: 4).write(to: file)
        // What cannot be removed lies where the system clears up by itself.
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // Part of a QR code can pass for a short barcode, so no other kind of symbol is looked for.
        process.arguments = ["zbarimg", "-Sdisable", "-Sqrcode.enable"] + options + [file.path]
        process.standardOutput = output
        try process.run()
        let found = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Array(found)
    }

    /// A portable grey map: `P5`, width, height, the value of white, then a byte for each pixel.
    private static func picture(of matrix: Matrix, scale: Int) -> Data {
        let width = (matrix.first?.count ?? 0) * scale
        var picture = Data("P5 \(width) \(matrix.count * scale) 255\n".utf8)
        for row in matrix {
            let pixels = row.flatMap { [UInt8](repeating: $0 ? 0 : 255, count: scale) }
            for _ in 0..<scale { picture.append(contentsOf: pixels) }
        }
        return picture
    }
}
