import Crypto
import Essentials
import Testing

@testable import Onegini

struct MessageTests {
    private let vectors = OpenPGPVectors.shared

    @Test func `messages of a device are read`() throws {
        let server = try vectors.serverKey()
        let device = try OpenPGPCertificate(vectors.deviceRSA, at: OpenPGPVectors.keyTime)

        let unsigned = try OpenPGPMessage.decrypt(
            Array(vectors.toServerUnsigned.utf8), with: server, signer: device)
        let signed = try OpenPGPMessage.decrypt(
            Array(vectors.toServerSigned.utf8), with: server, signer: device)
        #expect(unsigned == (Array(vectors.toServerPlaintext.utf8), false))
        #expect(signed == (Array(vectors.toServerPlaintext.utf8), true))
    }

    @Test func `a signature counts only with the certificate that it is by`() throws {
        let server = try vectors.serverKey()
        let other = try OpenPGPCertificate(vectors.deviceCurve, at: OpenPGPVectors.keyTime)
        let signed = Array(vectors.toServerSigned.utf8)

        #expect(throws: OpenPGPError.signedByAnother(issuer: vectors.deviceRSAFingerprints[0])) {
            try OpenPGPMessage.decrypt(signed, with: server, signer: other)
        }
        #expect(try OpenPGPMessage.decrypt(signed, with: server, signer: nil).isSigned == false)
    }

    @Test func `the messages to the devices are read with the devices' keys`() throws {
        let curve = try curveDevice()

        let toRSA = try OpenPGPMessage.decrypt(
            Array(vectors.toRSADevice.utf8), with: vectors.deviceReader(), signer: nil)
        let toCurve = try curve.decrypt(Array(vectors.toCurveDevice.utf8))
        #expect(toRSA.plaintext == Array(vectors.toDevicePlaintext.utf8))
        #expect(toCurve == Array(vectors.toDevicePlaintext.utf8))
    }

    @Test(arguments: [0, 1, 200, 10_000, 60_000])
    func `what we write to a device comes out of the readers of the vectors`(count: Int) throws {
        let text = [UInt8](repeating: 0x61, count: count)
        let rsa = try OpenPGPCertificate(vectors.deviceRSA, at: OpenPGPVectors.keyTime)
        let curve = try curveDevice()

        let toRSA = try OpenPGPMessage.encrypt(text, to: rsa, entropy: steadyEntropy())
        let toCurve = try OpenPGPMessage.encrypt(text, to: curve.certificate, entropy: steadyEntropy())
        #expect(try OpenPGPMessage.decrypt(toRSA, with: vectors.deviceReader(), signer: nil) == (text, false))
        #expect(try curve.decrypt(toCurve) == text)
    }

    @Test func `a message has the packets and the sizes of those of the vectors`() throws {
        let text = Array(vectors.toDevicePlaintext.utf8)
        let certificates = [vectors.deviceRSA, vectors.deviceCurve]
        let theirs = [vectors.toRSADevice, vectors.toCurveDevice]

        for (certificate, expected) in zip(certificates, theirs) {
            let ours = try OpenPGPMessage.encrypt(
                text, to: OpenPGPCertificate(certificate, at: OpenPGPVectors.keyTime),
                entropy: steadyEntropy())
            let (packets, others) = (
                try OpenPGP.Packet.all(in: ours),
                try OpenPGP.Packet.all(in: OpenPGP.Armor.message.decode(Array(expected.utf8)))
            )
            #expect(packets.map(\.tag) == others.map(\.tag))
            #expect(packets[1].body.count == others[1].body.count)
            // Version, key id and algorithm.
            #expect(packets[0].body.prefix(10) == others[0].body.prefix(10))
        }
    }

    @Test func `chance that runs dry is an error, and so is a text that is too long`() throws {
        let curve = try curveDevice().certificate

        #expect(throws: OpenPGPError.self) { try OpenPGPMessage.encrypt([1], to: curve) { _ in [] } }
        #expect(throws: OpenPGPError.tooLarge(bytes: 6_291_457, limit: 6_291_456)) {
            try OpenPGPMessage.encrypt(
                [UInt8](repeating: 0, count: 6_291_457), to: curve, entropy: steadyEntropy())
        }
    }

    private func curveDevice() throws -> CurveDevice {
        try CurveDevice(
            certificate: OpenPGPCertificate(vectors.deviceCurve, at: OpenPGPVectors.keyTime),
            secret: AgreementKey(Hex.decode(vectors.deviceCurveSubkeySecret) ?? []))
    }
}
