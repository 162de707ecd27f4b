import Crypto
import Essentials

/// The public keys and PINs' keys of the installations that a recording shows, by which it can be told what they signed.
struct NextAuthPlan: Sendable {
    /// Of accounts and of biometrics, as they stand in requests.
    private(set) var publicKeys: [(text: String, key: PublicKey)] = []
    /// By which PINs are proven: 32 bytes.
    private(set) var pinKeys: [[UInt8]] = []

    static let mount = "nextauth"
    /// A recording comes from anywhere, and each signature is tried by all of them.
    private static let mostKeys = 20

    init(_ exchanges: [Exchange], _ bases: Bases) {
        for exchange in exchanges {
            guard bases.place(of: exchange.request.url)?.mount == Self.mount,
                let asked = SpelledJSON(exchange.request.body)
            else { continue }
            for text in ["publickey", "biometrickey"].compactMap({ asked[$0]?.string }) { keep(text) }
            if let key = asked["pinkey"]?.string.flatMap({ Base64URL.decode($0) }), !pinKeys.contains(key),
                pinKeys.count < Self.mostKeys
            {
                pinKeys.append(key)
            }
        }
    }

    private mutating func keep(_ text: String) {
        // What is no key signs nothing.
        guard publicKeys.count < Self.mostKeys, !publicKeys.contains(where: { $0.text == text }),
            let der = Base64URL.decode(text), let key = try? PublicKey(der: der), key.kind == .ec(.p256)
        else { return }
        publicKeys.append((text, key))
    }
}
