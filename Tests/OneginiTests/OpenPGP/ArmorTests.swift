import Crypto
import Essentials
import Testing

@testable import Onegini

struct ArmorTests {
    private let vectors = OpenPGPVectors.shared

    /// CRC-24/OPENPGP in the catalogue of parametrised CRC algorithms: 21cf02 for these digits.
    @Test func `the checksum of the digits 1 to 9 is the published one`() {
        #expect(OpenPGP.Armor.checksum(of: Array("123456789".utf8)) == 0x21_CF02)
    }

    @Test func `what other programs armored comes out the same when armored again`() throws {
        let certificate = try OpenPGP.Armor.certificate.decode(Array(vectors.server.utf8))
        let message = try OpenPGP.Armor.message.decode(Array(vectors.toServerSigned.utf8))

        #expect(OpenPGP.Armor.certificate.encode(certificate) == vectors.server)
        #expect(OpenPGP.Armor.message.encode(message) == vectors.toServerSigned)
    }

    @Test func `binary data, base64 and armor are told apart`() throws {
        let armored = vectors.toServerUnsigned
        let bytes = try OpenPGP.Armor.message.decode(Array(armored.utf8))
        let base64 = Data(bytes).base64EncodedString()
        let wrapped = Data(bytes).base64EncodedString(options: [
            .lineLength64Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
        ])

        #expect(bytes.prefix(2) == [0x85, 0x01])
        for text in [base64, base64 + "\n", wrapped] {
            #expect(try OpenPGP.Armor.message.decode(Array(text.utf8)) == bytes)
        }
        #expect(try OpenPGP.Armor.message.decode(bytes) == bytes)
    }

    @Test func `line ends, headers, text around and a missing checksum make no difference`() throws {
        let armored = vectors.toServerUnsigned
        let bytes = try OpenPGP.Armor.message.decode(Array(armored.utf8))
        let begin = "-----BEGIN PGP MESSAGE-----\n"

        let variants = [
            armored.replacing("\n", with: "\r\n"),
            armored.replacing("\n", with: " \t\n"),
            armored.replacing(begin, with: begin + "Version: 1\nComment: a: b\n"),
            "Hello,\n\n" + armored + "Regards\n",
            armored.replacing("=uJKx\n", with: ""),
            String(armored.dropLast()),
        ]
        for variant in variants { #expect(try OpenPGP.Armor.message.decode(Array(variant.utf8)) == bytes) }
    }

    @Test func `damaged armor is refused with its reason`() throws {
        let armored = vectors.toServerUnsigned
        let reasons: [(String, OpenPGPError)] = [
            (
                armored.replacing("=uJKx", with: "=uJKy"),
                .armorMalformed("the checksum is wrong; the text was changed on the way")
            ),
            (
                armored.replacing("hQEM", with: "hQEN"),
                .armorMalformed("the checksum is wrong; the text was changed on the way")
            ),
            (
                armored.replacing("hQEM", with: "h*EM"),
                .armorMalformed("the text is neither armored nor base64")
            ),
            (
                armored.replacing("\n", with: " "),
                .armorMalformed(
                    "the first line does not end after its five dashes; the line ends may have been lost")
            ),
            (
                armored.replacing("-----\n\n", with: "-----\n"),
                .armorMalformed("no empty line after the headers; the line ends may have been lost")
            ),
            (
                String(armored.prefix(300)),
                .armorMalformed("the line that ends the block is missing; the text was cut off")
            ),
            (
                armored.replacing("END PGP MESSAGE", with: "END PGP"),
                .armorMalformed("the block ends with another line than it begins with")
            ),
            (vectors.server, .otherBlock(found: "PGP PUBLIC KEY BLOCK", expected: "PGP MESSAGE")),
            ("an answer", .armorMalformed("the text is neither armored nor base64")),
        ]

        for (text, reason) in reasons {
            #expect(throws: reason) { try OpenPGP.Armor.message.decode(Array(text.utf8)) }
        }
    }

    @Test func `more than 64 KiB are refused in every form`() throws {
        let bytes = [UInt8](repeating: 0x85, count: 65_537)
        let limit = [UInt8](repeating: 0x85, count: 65_536)

        #expect(throws: OpenPGPError.tooLarge(bytes: 65_537, limit: 65_536)) {
            try OpenPGP.Armor.message.decode(bytes)
        }
        #expect(throws: OpenPGPError.tooLarge(bytes: 65_537, limit: 65_536)) {
            try OpenPGP.Armor.message.decode(Array(OpenPGP.Armor.message.encode(bytes).utf8))
        }
        #expect(throws: OpenPGPError.tooLarge(bytes: 131_073, limit: 131_072)) {
            try OpenPGP.Armor.message.decode([UInt8](repeating: 0x41, count: 131_073))
        }
        #expect(try OpenPGP.Armor.message.decode(Array(OpenPGP.Armor.message.encode(limit).utf8)) == limit)
    }
}
