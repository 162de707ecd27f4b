import Crypto
import Essentials
import Testing

@testable import Onegini

struct CertificateTests {
    /// A certificate by GnuPG, and what GnuPG says of it or the refusal that is due.
    struct Vector: Decodable, CustomTestStringConvertible {
        let name: String
        let at: Date
        let fingerprint: String
        let armored: String
        let encryptionKey: String?
        let signingKeys: [String]?
        let refusal: String?

        var testDescription: String { name }
    }

    static let all = read([Vector].self, "certificates.json")
    private let vectors = OpenPGPVectors.shared

    @Test(arguments: all.filter { $0.refusal == nil })
    func `keys are chosen as GnuPG lists them`(_ vector: Vector) throws {
        let certificate = try OpenPGPCertificate(vector.armored, at: vector.at)

        #expect(certificate.fingerprint == vector.fingerprint)
        #expect(hex(certificate.encryptionKey) == vector.encryptionKey)
        #expect(certificate.signingKeys.map(hex) == vector.signingKeys)
        #expect(certificate.armored == vector.armored)
    }

    @Test(arguments: all.filter { $0.refusal != nil })
    func `a certificate that must not be used is refused for its reason`(_ vector: Vector) throws {
        let error = #expect(throws: OpenPGPError.self) {
            try OpenPGPCertificate(vector.armored, at: vector.at)
        }

        // The name of the case, without what it carries.
        let name = error.map { "\($0)".prefix { $0 != "(" } }
        #expect(name.map(String.init) == vector.refusal)
    }

    @Test func `the devices and the server of the vectors are read`() throws {
        let now = OpenPGPVectors.keyTime
        let rsa = try OpenPGPCertificate(vectors.deviceRSA, at: now)
        let curve = try OpenPGPCertificate(vectors.deviceCurve, at: now)
        let server = try OpenPGPCertificate(vectors.server, at: now)

        #expect([rsa.fingerprint] == vectors.deviceRSAFingerprints)
        #expect(hex(rsa.encryptionKey) == rsa.fingerprint)
        #expect([curve.fingerprint, hex(curve.encryptionKey)] == vectors.deviceCurveFingerprints)
        #expect([server.fingerprint] == vectors.serverFingerprints)
    }

    @Test func `base64 and the binary form are read as armor is`() throws {
        let now = OpenPGPVectors.keyTime
        let armored = try OpenPGPCertificate(vectors.deviceCurve, at: now)

        let base64 = try OpenPGPCertificate(Data(armored.bytes).base64EncodedString(), at: now)
        let binary = try OpenPGPCertificate(armored.bytes, at: now)
        #expect([base64.fingerprint, binary.fingerprint] == [armored.fingerprint, armored.fingerprint])
    }

    @Test func `a secret key and several certificates are refused as such`() throws {
        let now = OpenPGPVectors.keyTime
        let secret = try OpenPGP.Armor.certificate.decode(
            Array(vectors.deviceCurveSecret.replacing("PRIVATE", with: "PUBLIC").utf8))
        let certificate = try OpenPGPCertificate(vectors.deviceCurve, at: now).bytes

        #expect(throws: OpenPGPError.secretKeySent) {
            try OpenPGPCertificate(vectors.deviceCurveSecret, at: now)
        }
        #expect(throws: OpenPGPError.secretKeySent) { try OpenPGPCertificate(secret, at: now) }
        #expect(throws: OpenPGPError.severalCertificates) {
            try OpenPGPCertificate(certificate + certificate, at: now)
        }
        #expect(throws: OpenPGPError.malformed("there is no packet")) { try OpenPGPCertificate("", at: now) }
    }

    @Test(arguments: [3, 5, 6] as [UInt8])
    func `keys of other versions are refused with the version`(version: UInt8) {
        let packet = OpenPGP.Packet(tag: 6, body: [version] + [UInt8](repeating: 0, count: 50))

        let error = #expect(throws: OpenPGPError.self) {
            try OpenPGPCertificate(packet.encoded, at: OpenPGPVectors.keyTime)
        }
        #expect(error == .keyVersion(version))
    }

    @Test func `a key without a user id, and a subkey without its binding, are not used`() throws {
        let now = OpenPGPVectors.keyTime
        let packets = try OpenPGP.Packet.all(in: OpenPGPCertificate(vectors.deviceCurve, at: now).bytes)
        let (key, userID, certification, subkey) = (packets[0], packets[1], packets[2], packets[3])
        let read = { (packets: [OpenPGP.Packet]) in
            try OpenPGPCertificate(packets.flatMap(\.encoded), at: now)
        }

        #expect(throws: OpenPGPError.selfSignatureMissing) { try read([key]) }
        #expect(throws: OpenPGPError.selfSignatureMissing) { try read([key, userID]) }
        #expect(throws: OpenPGPError.encryptionKeyMissing) { try read([key, userID, certification]) }
        #expect(throws: OpenPGPError.bindingInvalid) { try read([key, userID, certification, subkey]) }
        #expect(throws: OpenPGPError.bindingInvalid) {
            try read([key, userID, certification, subkey, certification])
        }
    }

    @Test func `another user id than the signed one is refused`() throws {
        let armored = vectors.deviceRSA
        var bytes = try OpenPGPCertificate(armored, at: OpenPGPVectors.keyTime).bytes
        let place = try #require(bytes.firstRange(of: Array("device@".utf8))).lowerBound
        bytes[place] = UInt8(ascii: "D")

        #expect(throws: OpenPGPError.selfSignatureInvalid) {
            try OpenPGPCertificate(bytes, at: OpenPGPVectors.keyTime)
        }
    }

    private func hex(_ key: OpenPGP.KeyPacket) -> String { Hex.encode(key.fingerprint).uppercased() }
}
