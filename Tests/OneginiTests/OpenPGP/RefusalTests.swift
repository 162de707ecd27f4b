import Crypto
import Essentials
import Testing

@testable import Onegini

/// Each test starts from a message that is read, and changes one thing.
struct RefusalTests {
    private let builder: MessageBuilder
    private let text = OpenPGPMessage.literal(Array("text".utf8))

    init() throws { builder = try MessageBuilder() }

    @Test func `the messages that are built here are read before they are changed`() throws {
        let plain = try builder.decrypt(builder.message([text]))
        let signed = try builder.decrypt(builder.message(builder.signed("text")))
        let hidden = try builder.decrypt([
            builder.recipient(builder.session.encoded, keyID: [0, 0, 0, 0, 0, 0, 0, 0]),
            builder.protected([text]),
        ])

        #expect(plain == (Array("text".utf8), false))
        #expect(signed == (Array("text".utf8), true))
        #expect(hidden == plain)
    }

    @Test func `data without an integrity check, or with a newer one, are refused`() throws {
        let (recipient, protected) = (
            try builder.recipient(builder.session.encoded), try builder.protected([text])
        )
        let newer = OpenPGP.Packet(tag: 18, body: [2] + protected.body.dropFirst())

        #expect(throws: OpenPGPError.notProtected) {
            try builder.decrypt([recipient, .init(tag: 9, body: protected.body)])
        }
        #expect(throws: OpenPGPError.newerProtection) {
            try builder.decrypt([recipient, .init(tag: 20, body: protected.body)])
        }
        #expect(throws: OpenPGPError.newerProtection) { try builder.decrypt([recipient, newer]) }
        #expect(throws: OpenPGPError.newerProtection) {
            try builder.decrypt([recipient, .init(tag: 18, body: [])])
        }
    }

    @Test func `data that were changed, cut or never checked are refused`() throws {
        let recipient = try builder.recipient(builder.session.encoded)
        let body = try builder.protected([text]).body

        for place in 1..<body.count {
            var bent = body
            bent[place] ^= 1
            #expect(throws: OpenPGPError.modified) {
                try builder.decrypt([recipient, .init(tag: 18, body: bent)])
            }
        }
        for count in 1..<body.count {
            let cut = OpenPGP.Packet(tag: 18, body: Array(body.prefix(count)))
            #expect(throws: OpenPGPError.modified) { try builder.decrypt([recipient, cut]) }
        }
    }

    @Test func `session keys that are malformed or for another cipher are refused`() throws {
        let good = builder.session.encoded
        let cases: [([UInt8], OpenPGPError)] = [
            ([2] + good.dropFirst(), .cipher(2)), ([10] + good.dropFirst(), .cipher(10)),
            ([9] + good.dropFirst(), .sessionKeyUnreadable), (Array(good.dropLast()), .sessionKeyUnreadable),
            (good.dropLast() + [good[18] ^ 1], .sessionKeyUnreadable), ([], .sessionKeyUnreadable),
            ([7, 0, 0], .sessionKeyUnreadable),
        ]

        for (encoded, reason) in cases {
            let packets = [try builder.recipient(encoded), try builder.protected([text])]
            #expect(throws: reason) { try builder.decrypt(packets) }
        }
    }

    @Test func `a session key that is not encrypted to the key it names is refused`() throws {
        var packet = try builder.recipient(builder.session.encoded)
        var body = packet.body
        body[body.count - 1] ^= 1
        packet = .init(tag: 1, body: body)
        let short = OpenPGP.Packet(tag: 1, body: Array(body.prefix(10)) + [0, 8, 0xFF])
        let followed = OpenPGP.Packet(tag: 1, body: try builder.recipient(builder.session.encoded).body + [0])

        for wrong in [packet, short, followed] {
            #expect(throws: OpenPGPError.sessionKeyUnreadable) {
                try builder.decrypt([wrong, builder.protected([text])])
            }
        }
    }

    @Test func `a message to others is refused with their key ids`() throws {
        let stranger = try builder.recipient(builder.session.encoded, keyID: [1, 2, 3, 4, 5, 6, 7, 8])
        let reason = OpenPGPError.notForServer(
            recipients: ["0102030405060708"], expected: "32E5BC4B3B71B52A")

        #expect(throws: reason) { try builder.decrypt([stranger, builder.protected([text])]) }
        let both = [stranger, try builder.recipient(builder.session.encoded), try builder.protected([text])]
        #expect(try builder.decrypt(both).plaintext == Array("text".utf8))
    }

    @Test func `sixteen recipients are looked at and no more`() throws {
        let stranger = try builder.recipient(builder.session.encoded, keyID: [1, 2, 3, 4, 5, 6, 7, 8])
        let (own, protected) = (try builder.recipient(builder.session.encoded), try builder.protected([text]))
        let strangers = Array(repeating: stranger, count: 15)

        #expect(try builder.decrypt(strangers + [own, protected]).plaintext == Array("text".utf8))
        #expect(throws: OpenPGPError.tooManyRecipients(17)) {
            try builder.decrypt([stranger] + strangers + [own, protected])
        }
    }

    @Test func `what stands outside in another order is refused`() throws {
        let message = try builder.message([text])

        #expect(throws: OpenPGPError.notEncrypted) { try builder.decrypt([text]) }
        #expect(throws: OpenPGPError.notEncrypted) { try builder.decrypt(message + [text]) }
        #expect(throws: OpenPGPError.malformed("a packet of the tag 11 stands before encrypted data")) {
            try builder.decrypt([text] + message)
        }
        #expect(throws: OpenPGPError.malformed("the encrypted data are missing")) {
            try builder.decrypt([message[0]])
        }
        #expect(throws: OpenPGPError.malformed("there is no packet")) { try builder.decrypt([]) }
    }

    @Test func `what stands inside must be one text with at most one signature`() throws {
        let signed = try builder.signed("text")
        let refused: [([OpenPGP.Packet], [UInt8])] = [
            ([], []), ([text, text], [11, 11]), (Array(signed.dropFirst()), [11, 2]),
            (Array(signed.dropLast()), [4, 11]), ([signed[0]] + signed + [signed[2]], [4, 4, 11, 2, 2]),
            (try builder.message([text]), [1, 18]),
        ]

        for (inside, tags) in refused {
            let reason = "a text with at most one signature was expected inside, not the packets \(tags)"
            #expect(throws: OpenPGPError.malformed(reason)) { try builder.decrypt(builder.message(inside)) }
        }
        let compressed = OpenPGP.Packet(tag: 8, body: [0] + text.encoded)
        #expect(throws: OpenPGPError.compressed) { try builder.decrypt(builder.message([compressed])) }
        let format = OpenPGP.Packet(tag: 11, body: [UInt8(ascii: "m")] + text.body.dropFirst())
        #expect(throws: OpenPGPError.malformed("a literal packet of the format 109")) {
            try builder.decrypt(builder.message([format]))
        }
    }

    @Test func `a signature upon another text, of another kind or by another key is refused`() throws {
        let decrypt = { (packets: [OpenPGP.Packet]) in try builder.decrypt(builder.message(packets)) }

        #expect(throws: OpenPGPError.signatureInvalid) { try decrypt(builder.signed("text", upon: "Text")) }
        #expect(throws: OpenPGPError.signedByAnother(issuer: "0807060504030201")) {
            try decrypt(builder.signed("text", issuer: [8, 7, 6, 5, 4, 3, 2, 1]))
        }
        #expect(throws: OpenPGPError.malformed("a signature of the kind 16, which is not upon a message")) {
            try decrypt(builder.signed("text", kind: 0x10))
        }
        var weak = try builder.signed("text")
        var body = weak[2].body
        body[3] = 2
        weak[2] = .init(tag: 2, body: body)
        #expect(throws: OpenPGPError.hashAlgorithm(2)) { try decrypt(weak) }
    }

    @Test(arguments: [(99, false), (99 | 0x80, true)] as [(UInt8, Bool)])
    func `a part of a signature that is not known is passed over unless it is critical`(
        kind: UInt8, isRefused: Bool
    ) throws {
        var packets = try builder.signed("text")
        packets[2] = .init(
            tag: 2,
            body: try OpenPGP.Signature.make(
                0, of: Array("text".utf8), hashed: .init([5, 2, 0x65, 0x92, 0, 0x80, 2, kind, 1]),
                unhashed: .init([UInt8]()), by: builder.signer))

        let decrypt = { try builder.decrypt(builder.message(packets)) }
        if isRefused {
            #expect(throws: OpenPGPError.criticalSubpacket(99)) { try decrypt() }
        } else {
            #expect(try decrypt() == (Array("text".utf8), true))
        }
    }

    @Test func `a signature upon text is made for line ends of two characters`() throws {
        let message = try builder.message(builder.signed("a\nb\r\nc\n", kind: 1, upon: "a\r\nb\r\nc\r\n"))

        #expect(try builder.decrypt(message) == (Array("a\nb\r\nc\n".utf8), true))
    }

    @Test(
        arguments: [
            .tooLarge(bytes: 1, limit: 0), .truncated(wanted: 1, left: 0), .malformed("x"),
            .armorMalformed("x"),
            .otherBlock(found: "x", expected: "y"), .tooManyPackets, .tooManyRecipients(17),
            .cryptography("x"),
            .secretKeySent, .severalCertificates, .keyVersion(6), .keyAlgorithm(17), .keySize(bits: 1024),
            .selfSignatureMissing, .selfSignatureInvalid, .bindingInvalid, .revoked,
            .expired(at: .distantPast),
            .encryptionKeyMissing, .hashAlgorithm(2), .criticalSubpacket(99), .signatureInvalid,
            .signedByAnother(issuer: "x"),
            .notEncrypted, .notProtected, .newerProtection, .notForServer(recipients: [], expected: "x"),
            .sessionKeyUnreadable, .cipher(2), .modified, .compressed,
        ] as [OpenPGPError])
    func `every reason has its own sentence`(_ error: OpenPGPError) {
        #expect(error.explanation.hasSuffix("."))
        #expect(error.explanation != "The OpenPGP data are refused.")
    }
}
