package import Essentials

/// The habits in which the kits for iOS and Android differ on the wire; a server must understand both.
package struct DeviceStyle: Sendable, Codable, Equatable {
    package enum Platform: String, Sendable, Codable, CaseIterable { case ios, android }

    package var platform: Platform
    /// Whether public keys are sent in 33 bytes, as the real kits do, or in 65.
    package var compressesPoints: Bool
    /// `User-Agent` of each request; the operations remember it.
    package var userAgent: String
    /// `Accept-Language` of each request.
    package var language: String

    package init(_ platform: Platform, compressesPoints: Bool = true, language: String = "en") {
        self.platform = platform
        self.compressesPoints = compressesPoints
        self.language = language
        let system = platform == .ios ? "(Apple; iOS/18.1; iphone15,2)" : "(Google; Android/15; Pixel 8)"
        userAgent = "PowerAuthNetworking/1.5.1 (\(language); wifi) com.example.bank/4.2.0 \(system)"
    }

    package static let ios = DeviceStyle(.ios)
    package static let android = DeviceStyle(.android)

    /// JSON as the platform writes it: `\/` on iOS; `\u003d` and the like for five signs on Android.
    ///
    /// The signs that are escaped stand nowhere in JSON but inside of texts.
    package func json(_ value: JSONValue) -> [UInt8] {
        value.bytes.flatMap { byte -> [UInt8] in
            switch (platform, Unicode.Scalar(byte)) {
            case (.ios, "/"): Array("\\/".utf8)
            case (.android, "="): Array("\\u003d".utf8)
            case (.android, "<"): Array("\\u003c".utf8)
            case (.android, ">"): Array("\\u003e".utf8)
            case (.android, "&"): Array("\\u0026".utf8)
            case (.android, "'"): Array("\\u0027".utf8)
            default: [byte]
            }
        }
    }

    /// The value of a header of PowerAuth; members are given in the order that both kits have, the version first.
    ///
    /// Android parts the members of the encryption header by a blank alone. Source: published sources of both kits 1.9.
    func header(_ members: [(String, String)], isEncryption: Bool = false) -> String {
        let separator = platform == .android && isEncryption ? " " : ", "
        return "PowerAuth " + members.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: separator)
    }
}
