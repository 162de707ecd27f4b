import Essentials

extension OpenPGP {
    /// Binary data as text between two marked lines. Source: RFC 4880 §6.2.
    enum Armor: String {
        case certificate = "PGP PUBLIC KEY BLOCK"
        case message = "PGP MESSAGE"

        /// Lines of 64 columns, a checksum, and a final newline.
        func encode(_ bytes: [UInt8]) -> String {
            let text = Array(Data(bytes).base64EncodedString().utf8)
            var lines = ["-----BEGIN \(rawValue)-----", ""]
            for start in stride(from: 0, to: text.count, by: 64) {
                lines.append(String(decoding: text[start..<min(start + 64, text.count)], as: UTF8.self))
            }
            let checksum = Data(OpenPGP.bytes(of: Self.checksum(of: bytes), count: 3))
            lines += ["=" + checksum.base64EncodedString(), "-----END \(rawValue)-----", ""]
            return lines.joined(separator: "\n")
        }

        /// The binary form of data that come in it, in base64, or in armor.
        func decode(_ data: [UInt8]) throws(OpenPGPError) -> [UInt8] {
            // Every packet begins with a byte that is not ASCII.
            if let first = data.first, first & 0x80 != 0 { return try limited(data) }
            // Base64 and its line ends take less than half as much again.
            guard data.count <= 2 * OpenPGP.maximumSize else {
                throw .tooLarge(bytes: data.count, limit: 2 * OpenPGP.maximumSize)
            }
            let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                .map(Self.trimmed)
            return try limited(
                lines.contains { $0.hasPrefix("-----BEGIN ") }
                    ? decode(lines: lines) : Self.base64(lines.joined()))
        }

        private func limited(_ bytes: [UInt8]) throws(OpenPGPError) -> [UInt8] {
            guard bytes.count <= OpenPGP.maximumSize else {
                throw .tooLarge(bytes: bytes.count, limit: OpenPGP.maximumSize)
            }
            return bytes
        }

        /// What stands before the first marked line and after the last is not looked at.
        private func decode(lines: [String]) throws(OpenPGPError) -> [UInt8] {
            var lines = lines.drop { !$0.hasPrefix("-----BEGIN ") }
            try check(lines.popFirst() ?? "")
            guard let end = lines.firstIndex(where: { $0.hasPrefix("-----") }) else {
                throw .armorMalformed("the line that ends the block is missing; the text was cut off")
            }
            guard lines[end] == "-----END \(rawValue)-----" else {
                throw .armorMalformed("the block ends with another line than it begins with")
            }
            guard let empty = lines[..<end].firstIndex(of: "") else {
                throw .armorMalformed("no empty line after the headers; the line ends may have been lost")
            }
            let content = lines[lines.index(after: empty)..<end].filter { !$0.isEmpty }
            let bytes = try Self.base64(content.filter { !$0.hasPrefix("=") }.joined())
            // RFC 9580 §6.1: the checksum may be missing.
            if let checksum = content.last, checksum.hasPrefix("="),
                try Self.base64(String(checksum.dropFirst()))
                    != OpenPGP.bytes(of: Self.checksum(of: bytes), count: 3)
            {
                throw .armorMalformed("the checksum is wrong; the text was changed on the way")
            }
            return bytes
        }

        private func check(_ line: String) throws(OpenPGPError) {
            let rest = line.dropFirst("-----BEGIN ".count)
            guard let dashes = rest.firstRange(of: "-----"), dashes.upperBound == rest.endIndex else {
                throw .armorMalformed(
                    "the first line does not end after its five dashes; the line ends may have been lost")
            }
            let name = rest[..<dashes.lowerBound]
            if name == "PGP PRIVATE KEY BLOCK", self == .certificate { throw .secretKeySent }
            guard name == rawValue else {
                throw .otherBlock(found: String(name.prefix(40)), expected: rawValue)
            }
        }

        private static func base64(_ text: String) throws(OpenPGPError) -> [UInt8] {
            guard let data = Data(base64Encoded: text) else {
                throw .armorMalformed("the text is neither armored nor base64")
            }
            return [UInt8](data)
        }

        private static func trimmed(_ line: ArraySlice<UInt8>) -> String {
            let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
            var line = line.drop(while: isSpace)
            while let last = line.last, isSpace(last) { line.removeLast() }
            return String(decoding: line, as: UTF8.self)
        }

        /// CRC-24. Source: RFC 4880 §6.1.
        static func checksum(of bytes: [UInt8]) -> Int {
            bytes.reduce(0xB7_04CE) { checksum, byte in
                (0..<8).reduce(checksum ^ Int(byte) << 16) { value, _ in
                    value & 0x80_0000 != 0 ? (value << 1 ^ 0x186_4CFB) & 0xFF_FFFF : value << 1
                }
            }
        }
    }
}
