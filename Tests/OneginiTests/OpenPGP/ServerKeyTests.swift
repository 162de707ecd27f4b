import Crypto
import Essentials
import Testing

@testable import Onegini

struct ServerKeyTests {
    private let vectors = OpenPGPVectors.shared

    @Test
    func `the certificate differs from that of the vectors by the certifying key and its signatures alone`()
        throws
    {
        let ours = try OpenPGP.Packet.all(in: vectors.serverKey().certificate)
        let theirs = try OpenPGP.Packet.all(in: OpenPGP.Armor.certificate.decode(Array(vectors.server.utf8)))
        let fingerprints = (
            ours: try OpenPGP.KeyPacket(ours[0].body).fingerprint,
            theirs: try OpenPGP.KeyPacket(theirs[0].body).fingerprint
        )

        #expect(ours.map(\.tag) == [6, 13, 2, 14, 2])
        #expect(ours.map(\.tag) == theirs.map(\.tag))
        #expect([ours[1], ours[3]] == [theirs[1], theirs[3]])
        for place in [2, 4] {
            let (one, other) = (
                try OpenPGP.Signature(ours[place].body), try OpenPGP.Signature(theirs[place].body)
            )
            let renamed = other.hashed.encoded.replacing(fingerprints.theirs, with: fingerprints.ours)
            #expect(one.hashed.encoded == renamed)
            #expect([one.kind, one.algorithm, one.hash] == [other.kind, other.algorithm, other.hash])
            #expect(one.unhashed[.issuer] == Array(fingerprints.ours.suffix(8)))
        }
    }

    @Test func `the certificate passes the checks of a device's`() throws {
        let key = try vectors.serverKey()
        let certificate = try OpenPGPCertificate(key.armored, at: OpenPGPVectors.keyTime)

        #expect(certificate.fingerprint == key.fingerprint)
        #expect(certificate.encryptionKey.keyID == key.encryptionKeyID)
        #expect(certificate.bytes == key.certificate)
        // The key was made at the same time with the same numbers as the device's.
        #expect([key.fingerprint] == vectors.deviceRSAFingerprints)
    }

    @Test func `the same keys and time make the same certificate, another time another`() throws {
        let key = try vectors.serverKey()
        let later = try OpenPGPServerKey(
            primary: PrivateKey(pem: vectors.deviceRSAPEM),
            encryption: PrivateKey(pem: vectors.serverEncryptionPEM), createdAt: OpenPGPVectors.keyTime + 1)

        #expect(try vectors.serverKey().certificate == key.certificate)
        #expect(later.fingerprint != key.fingerprint)
    }

    @Test func `keys that cannot be in a certificate are refused`() throws {
        let rsa = try PrivateKey(pem: vectors.deviceRSAPEM)
        let curve = try PrivateKey.generate(.ed25519)
        let now = OpenPGPVectors.keyTime

        #expect(throws: OpenPGPError.self) {
            try OpenPGPServerKey(primary: curve, encryption: rsa, createdAt: now)
        }
        #expect(throws: OpenPGPError.self) {
            try OpenPGPServerKey(primary: rsa, encryption: curve, createdAt: now)
        }
        for time in [-1.0, 4_294_967_296, .nan, .infinity] {
            #expect(throws: OpenPGPError.malformed("a key cannot be created before 1970 or after 2106")) {
                try OpenPGPServerKey(
                    primary: rsa, encryption: rsa, createdAt: Date(timeIntervalSince1970: time))
            }
        }
    }
}
