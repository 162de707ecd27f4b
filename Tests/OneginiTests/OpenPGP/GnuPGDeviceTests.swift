import Crypto
import Foundation
import Testing

@testable import OneginiDevice

/// What the device in software writes and reads of OpenPGP, against the real program.
@Suite(.enabled(if: GnuPG.program != nil, Comment(rawValue: GnuPG.reason)))
struct GnuPGDeviceTests {
    private let gpg: GnuPG
    private let key: PGPKey
    private let text = Array(#"{"v":1,"result":"confirm"}"#.utf8)

    init() throws {
        gpg = try GnuPG()
        let pem = try PrivateKey.generate(.rsa(bits: 2048)).pem()
        key = PGPKey(pem: pem, createdAt: Int(OpenPGPVectors.keyTime.timeIntervalSince1970))
        try gpg("--import", input: Array(key.certificate().utf8))
    }

    private func fingerprint() throws -> String { Hex.encode(try key.publicHalf().fingerprint).uppercased() }

    @Test func `gpg finds the device's certificate well signed, and good for everything`() throws {
        let lines = try gpg.text("--with-colons", "--check-signatures", fingerprint())
            .split(separator: "\n").map { $0.split(separator: ":", omittingEmptySubsequences: false) }
        #expect(lines.filter { $0[0] == "sig" }.map { $0[1] } == ["!"])
        #expect(lines.filter { $0[0] == "pub" }.map { $0[11] } == ["escESC"])
    }

    @Test func `the device decrypts what gpg writes to it`() throws {
        let message = try gpg("--encrypt", "--recipient", fingerprint(), input: text)
        #expect(try PGPMessage.decrypt(message, with: key) == text)
    }

    @Test(arguments: [false, true])
    func `gpg decrypts what the device writes, and finds its signature good`(_ isSigned: Bool) throws {
        try gpg("--cert-digest-algo", "SHA256", "--quick-generate-key", "server", "rsa2048", "sign", "never")
        let list = try gpg.text("--with-colons", "--list-keys", "server").split(separator: "\n")
        let line = try #require(list.first { $0.hasPrefix("fpr:") })
        let server = String(line.split(separator: ":").last ?? "")
        try gpg("--cert-digest-algo", "SHA256", "--quick-add-key", server, "rsa2048", "encr", "never")

        let certificate = try PGPCertificate(gpg.text("--armor", "--export", server))
        #expect(certificate.fingerprint == server)
        let message = try PGPMessage.encrypt(
            text, to: certificate, signer: isSigned ? key : nil, at: Int(Date().timeIntervalSince1970),
            draw: { count in (0..<count).map { _ in .random(in: 0...255) } })

        let status = try gpg.text(
            "--status-fd", "1", "--output", gpg.home.appending(path: "plain").path, "--decrypt",
            input: message)
        #expect(try [UInt8](Data(contentsOf: gpg.home.appending(path: "plain"))) == text)
        #expect(status.contains("DECRYPTION_OKAY"))
        #expect(status.contains("GOODSIG") == isSigned)
    }
}
