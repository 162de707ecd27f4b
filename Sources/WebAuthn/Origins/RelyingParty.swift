import Crypto

/// A relying party and the origins that it expects.
package struct RelyingParty: Sendable, Equatable {
    /// A host name, such as `example.com`.
    package var id: String
    /// As clients send them: `https://example.com`, `http://localhost:8080`, `android:apk-key-hash:…`.
    package var origins: [String]
    /// Origins of other sites that may use this id, as `/.well-known/webauthn` lists them. Source: Web Authentication Level 3 §5.11.
    package var relatedOrigins: [String]
    /// Origins of the apps that may use this id, as `/.well-known/assetlinks.json` names them.
    package var appOrigins: [String]
    /// Whether what ``relatedOrigins`` and ``appOrigins`` say to clients is expected by the server as well.
    package var expectsAssociated: Bool
    /// Whether `http://localhost` is expected with any port, for development.
    package var allowsLocalhost: Bool
    /// Whether origins are compared without regard to case, as some products do.
    package var ignoresCase: Bool
    /// Whether ceremonies in a frame of a foreign page are expected.
    package var allowsCrossOrigin: Bool
    /// The pages that may be around such a frame.
    package var topOrigins: [String]
    /// The AppID of the extension `appid`, whose hash counts in authentications as well. Source: Web Authentication Level 3 §10.1.1.
    package var appID: String?

    package init(
        id: String, origins: [String], relatedOrigins: [String] = [], appOrigins: [String] = [],
        expectsAssociated: Bool = true, allowsLocalhost: Bool = false,
        ignoresCase: Bool = false, allowsCrossOrigin: Bool = false, topOrigins: [String] = [],
        appID: String? = nil
    ) {
        (self.id, self.origins, self.relatedOrigins) = (id, origins, relatedOrigins)
        (self.appOrigins, self.expectsAssociated) = (appOrigins, expectsAssociated)
        (self.allowsLocalhost, self.ignoresCase) = (allowsLocalhost, ignoresCase)
        (self.allowsCrossOrigin, self.topOrigins, self.appID) = (allowsCrossOrigin, topOrigins, appID)
    }

    /// 32 bytes that authenticator data begins with.
    package var idHash: [UInt8] { Digest.sha256(Array(id.utf8)) }
}
