import Crypto
import Essentials

/// The origin of a native Android app: the hash of the certificate with which its package is signed. Source: Android developers,
/// “Verify origin” of Credential Manager.
package enum AndroidOrigin {
    static let prefix = "android:apk-key-hash:"

    /// The origin of a fingerprint as `keytool` and `assetlinks.json` have it: 32 bytes of SHA-256 in hexadecimal, with or without
    /// colons. nil for anything else.
    package static func origin(fingerprint: String) -> String? {
        guard let bytes = Hex.decode(fingerprint.filter { $0 != ":" }), bytes.count == 32 else { return nil }
        return prefix + Base64URL.encode(bytes)
    }

    /// The way back, in upper case with colons; nil for what is no such origin.
    package static func fingerprint(origin: String) -> String? {
        guard let bytes = hash(origin) else { return nil }
        return bytes.map { Hex.encode([$0]).asciiUppercased }.joined(separator: ":")
    }

    static func isWellFormed(_ origin: String) -> Bool { hash(origin) != nil }

    private static func hash(_ origin: String) -> [UInt8]? {
        guard origin.hasPrefix(prefix), let bytes = Base64URL.decode(origin.dropFirst(prefix.count)),
            bytes.count == 32
        else { return nil }
        return bytes
    }
}
