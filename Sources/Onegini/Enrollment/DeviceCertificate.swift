import Crypto
import Essentials
import HTTP
import JOSE
import PlatformKit

/// What a device enrolled with, which also says how its messages are protected.
enum DeviceCertificate: Sendable {
    /// As the vendor's SDKs have it: messages in both directions are encrypted by OpenPGP.
    case openPGP(OpenPGPCertificate)
    /// The simple level, for stubs that have a platform's own cryptography and nothing else: what the device reads is plain, what it answers
    /// is a compact JWS with ES256. Source: ours; RFC 7515 §3.1, RFC 7518 §3.4.
    case key(PublicKey)

    /// Why a text is none, a sentence.
    struct Fault: Error {
        let explanation: String
    }

    /// - Parameter text: an OpenPGP certificate, armored or in Base64, or a JWK as JSON.
    init(_ text: String, at now: Date) throws(Fault) {
        if text.utf8.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
            self = .key(try Self.key(text))
            return
        }
        do {
            self = .openPGP(try OpenPGPCertificate(text, at: now))
        } catch {
            throw Fault(explanation: error.explanation)
        }
    }

    private static func key(_ text: String) throws(Fault) -> PublicKey {
        let key: JWK
        do {
            key = try JSONDecoder().decode(JWK.self, from: Data(text.utf8))
        } catch let error as DecodingError {
            throw Fault(explanation: "The jwk is not a JWK: \(error.sentence).")
        } catch {
            throw Fault(explanation: "The jwk is not a JWK: \(error).")
        }
        guard case .publicKey(let material) = key.material, material.kind == .ec(.p256), key.suits(.es256)
        else {
            throw Fault(explanation: "The jwk is a \(key.summary), expected a public P-256 key for ES256.")
        }
        return material
    }

    /// As records keep it.
    var lines: [String] {
        get throws {
            switch self {
            case .openPGP(let certificate): certificate.lines
            case .key(let key):
                [String(decoding: try JSONEncoder().encode(JWK(.publicKey(key))), as: UTF8.self)]
            }
        }
    }

    /// Of the OpenPGP certificate, or the JWK's thumbprint. Source: RFC 7638 §3.
    var fingerprint: String {
        get throws {
            switch self {
            case .openPGP(let certificate): certificate.fingerprint
            case .key(let key): try JWK(.publicKey(key)).thumbprint()
            }
        }
    }

    /// Whether the server's own key takes part.
    var isOpenPGP: Bool {
        if case .openPGP = self { true } else { false }
    }
}

extension Members {
    /// `public_key`, or `jwk` in its place, as text.
    func deviceKey() throws -> String {
        let key = try read("jwk", "a JWK (an object)") { $0.object.map { JSONValue.object($0).text } }
        guard let key else { return try text("public_key") }
        if self["public_key"] != nil { try refuse("public_key", "left out where “jwk” is given") }
        return key
    }
}
