import Foundation
import Testing

@testable import Onegini

/// Both directions with the real program, on keys that it makes itself.
@Suite(.enabled(if: GnuPG.program != nil, Comment(rawValue: GnuPG.reason)))
struct GnuPGTests {
    /// The keys that a device may have, as `gpg` is asked for them.
    enum DeviceKey: String, CaseIterable, CustomTestStringConvertible {
        case rsa = "RSA that signs and encrypts"
        case rsaWithSubkey = "RSA with a subkey"
        case curve = "Ed25519 with Curve25519"

        var testDescription: String { rawValue }

        func make(with gpg: GnuPG) throws {
            switch self {
            case .rsa: try gpg("--quick-generate-key", "device", "rsa2048", "encr,sign", "never")
            case .rsaWithSubkey:
                try gpg("--quick-generate-key", "device", "rsa2048", "sign", "1y")
                try gpg("--quick-add-key", Self.fingerprint(with: gpg), "rsa2048", "encr", "1y")
            case .curve: try gpg("--quick-generate-key", "device", "future-default", "default", "1y")
            }
        }

        private static func fingerprint(with gpg: GnuPG) throws -> String {
            let lines = try gpg.text("--with-colons", "--list-keys", "device").split(separator: "\n")
            let line = try #require(lines.first { $0.hasPrefix("fpr:") })
            return String(line.split(separator: ":").last ?? "")
        }
    }

    private let gpg: GnuPG
    private let server: OpenPGPServerKey

    init() throws {
        gpg = try GnuPG()
        server = try OpenPGPVectors.shared.serverKey()
        try gpg("--import", input: Array(server.armored.utf8))
    }

    @Test func `gpg finds the server's certificate well signed and good for encryption`() throws {
        let checked = try gpg.text("--with-colons", "--check-signatures", server.fingerprint)
        let lines = checked.split(separator: "\n").map {
            $0.split(separator: ":", omittingEmptySubsequences: false)
        }

        #expect(lines.filter { $0[0] == "sig" }.map { $0[1] } == ["!", "!"])
        #expect(
            lines.filter { $0[0] == "uid" }.map { $0[9] } == [
                "Understudy Token Server <token-server@localhost>"
            ])
        #expect(lines.filter { $0[0] == "pub" }.map { $0[11] } == ["scESC"])
        #expect(lines.filter { $0[0] == "sub" }.map { $0[11] } == ["e"])
    }

    @Test(arguments: DeviceKey.allCases)
    func `gpg decrypts what we write to the keys it makes`(_ key: DeviceKey) throws {
        try key.make(with: gpg)
        let certificate = try OpenPGPCertificate(gpg("--export", "device"), at: Date())
        let armored = try OpenPGPCertificate(gpg.text("--armor", "--export", "device"), at: Date())

        #expect(armored.fingerprint == certificate.fingerprint)
        for text in ["", "{\"challenge\":\"ä\"}", String(repeating: "x", count: 20_000)] {
            let message = try OpenPGPMessage.encrypt(
                Array(text.utf8), to: certificate, entropy: steadyEntropy())
            #expect(try gpg.text("--decrypt", input: message) == text)
        }
    }

    @Test(arguments: DeviceKey.allCases)
    func `signatures of gpg's keys are verified`(_ key: DeviceKey) throws {
        try key.make(with: gpg)
        let certificate = try OpenPGPCertificate(gpg("--export", "device"), at: Date())
        let message = try encrypted(["--sign", "--encrypt"], text: "an answer")

        #expect(try decrypt(message, certificate) == (Array("an answer".utf8), true))
    }

    @Test(
        arguments: [
            [], ["--armor"], ["--throw-keyids"], ["--hidden-recipient", "device"], ["--recipient", "device"],
            ["--cipher-algo", "AES"], ["--cipher-algo", "AES192"], ["--textmode"],
            ["--set-filename", "name"],
            ["--armor", "--comment", "made: by a test", "--emit-version"], ["--rfc4880"],
            ["--sign"], ["--sign", "--digest-algo", "SHA384"],
            ["--sign", "--digest-algo", "SHA256", "--armor"],
            ["--sign", "--textmode"], ["--sign", "--throw-keyids", "--recipient", "device"],
        ])
    func `what gpg writes to the server is read`(_ options: [String]) throws {
        try gpg("--import", input: Array(OpenPGPVectors.shared.deviceRSASecret.utf8))
        let device = try OpenPGPCertificate(OpenPGPVectors.shared.deviceRSA, at: Date())
        let text = Array("{\"v\":1,\n\"result\":\"confirm\"}\n".utf8)
        let canonical = Array("{\"v\":1,\r\n\"result\":\"confirm\"}\r\n".utf8)
        let expected = options.contains("--textmode") ? canonical : text

        let file = try gpg.file("answer.json", text)
        let fromFile = try gpg(options + ["-r", server.fingerprint, "--encrypt", "--output", "-", file])
        let fromStream = try gpg(options + ["-r", server.fingerprint, "--encrypt"], input: text)
        for message in [fromFile, fromStream] {
            #expect(try decrypt(message, device) == (expected, options.contains("--sign")))
        }
    }

    @Test(arguments: [1, 511, 512, 8192, 20_000])
    func `a stream comes in parts and is read`(count: Int) throws {
        let text = [UInt8](repeating: 0x61, count: count)
        let message = try gpg("-r", server.fingerprint, "--encrypt", input: text)
        // The packet of the session key is before it, in the old format with two bytes of length: of 268 bytes, or fewer where
        // the number in it begins with zeros. From 224 on a length is partial.
        try #require(message.count > 300 && message[0] == 0x85)
        let start = 3 + Int(message[1]) * 256 + Int(message[2])
        let length = try #require(message.dropFirst(start + 1).first)

        #expect(message[start] == 0xD2)
        if count >= 8192 { #expect((224..<255).contains(length)) }
        #expect(try decrypt(message, nil) == (text, false))
    }

    @Test func `what the subset leaves out is refused for its reason`() throws {
        let cases: [([String], OpenPGPError)] = [
            (["--cipher-algo", "3DES", "--encrypt"], .cipher(2)),
            (["--cipher-algo", "CAMELLIA256", "--encrypt"], .cipher(13)),
            (["--compress-algo", "zip", "--encrypt"], .compressed),
            (["--compress-algo", "zlib", "--sign", "--encrypt"], .compressed),
            (["--sign", "--digest-algo", "SHA1", "--encrypt"], .hashAlgorithm(2)),
            (["--rfc2440", "--encrypt"], .notProtected),
            (["--store"], .notEncrypted),
        ]
        try gpg("--import", input: Array(OpenPGPVectors.shared.deviceRSASecret.utf8))
        let device = try OpenPGPCertificate(OpenPGPVectors.shared.deviceRSA, at: Date())

        for (options, reason) in cases {
            let message = try encrypted(options, text: "an answer that can be made shorter shorter shorter")
            #expect(throws: reason) { try decrypt(message, device) }
        }
    }

    @Test func `a message to another key or to a password is refused`() throws {
        try DeviceKey.rsa.make(with: gpg)
        let toDevice = try gpg("-r", "device", "--encrypt", input: [1])
        let hidden = try gpg("-R", "device", "--encrypt", input: [1])
        let toPassword = try gpg("--passphrase", "secret", "--symmetric", input: [1])
        let keyID = String(
            try OpenPGPCertificate(gpg("--export", "device"), at: Date()).fingerprint.suffix(16))

        #expect(throws: OpenPGPError.notForServer(recipients: [keyID], expected: "32E5BC4B3B71B52A")) {
            try decrypt(toDevice, nil)
        }
        #expect(throws: OpenPGPError.sessionKeyUnreadable) { try decrypt(hidden, nil) }
        #expect(throws: OpenPGPError.notForServer(recipients: [], expected: "32E5BC4B3B71B52A")) {
            try decrypt(toPassword, nil)
        }
    }

    @Test func `a message that was tampered with, or is not protected, is refused`() throws {
        let message = try gpg("-r", server.fingerprint, "--encrypt", input: Array("an answer".utf8))
        var bent = message
        bent[message.count - 30] ^= 1
        let packets = try OpenPGP.Packet.all(in: message)
        let stripped = packets[0].encoded + OpenPGP.Packet(tag: 9, body: packets[1].body).encoded

        #expect(throws: OpenPGPError.modified) { try decrypt(bent, nil) }
        #expect(throws: OpenPGPError.notProtected) { try decrypt(stripped, nil) }
    }

    @Test func `a signature by a key that is not enrolled is refused`() throws {
        try DeviceKey.curve.make(with: gpg)
        let enrolled = try OpenPGPCertificate(OpenPGPVectors.shared.deviceRSA, at: Date())
        let message = try encrypted(["--sign", "--encrypt"], text: "an answer")
        let fingerprint = try OpenPGPCertificate(gpg("--export", "device"), at: Date()).fingerprint

        #expect(throws: OpenPGPError.signedByAnother(issuer: fingerprint)) { try decrypt(message, enrolled) }
    }

    private func encrypted(_ options: [String], text: String) throws -> [UInt8] {
        let recipient = options.contains("--store") ? [] : ["-r", server.fingerprint]
        return try gpg(recipient + options, input: Array(text.utf8))
    }

    private func decrypt(
        _ message: [UInt8], _ signer: OpenPGPCertificate?
    ) throws(OpenPGPError) -> (plaintext: [UInt8], isSigned: Bool) {
        try OpenPGPMessage.decrypt(message, with: server, signer: signer)
    }
}
