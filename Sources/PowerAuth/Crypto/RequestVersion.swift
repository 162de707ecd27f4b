import Crypto

/// The version of the mobile protocol that a header names: one of 3.x, which is a matter of each request, or 4.0, which is one of the
/// activation.
enum RequestVersion: Sendable, Equatable {
    case three(ProtocolVersion)
    case four

    /// Of the activations that speak it.
    var generation: Int {
        switch self {
        case .three: 3
        case .four: 4
        }
    }

    /// Of codes that are made online.
    var authenticationCodeFormat: AuthenticationCodeFormat {
        switch self {
        case .three(let version): version.mobileProtocol.authenticationCodeFormat
        case .four: .wholeBase64
        }
    }
}

extension RequestVersion: RawRepresentable {
    static let expectation = "one of 3.0, 3.1, 3.2, 3.3, 4.0"

    init?(rawValue: String) {
        if rawValue == V4.version {
            self = .four
        } else if let version = ProtocolVersion(rawValue: rawValue) {
            self = .three(version)
        } else {
            return nil
        }
    }

    var rawValue: String {
        switch self {
        case .three(let version): version.rawValue
        case .four: V4.version
        }
    }
}

// MAC tokens.
extension RequestVersion {
    static let ofTokens = ProtocolVersion.allCases.map(RequestVersion.three) + [.four]

    /// Whether `digest` is the token's; takes the same time for every wrong one of the right length.
    ///
    /// - Parameter secret: 16 bytes in 3.x; 32 in 4.0, or the 16 of a token that is older than its activation's upgrade.
    func isTokenDigest(
        _ digest: [UInt8], _ secret: [UInt8], nonce: Nonce, timestamp: String
    ) throws -> Bool {
        switch self {
        case .three(let version):
            // A secret of 4.0 makes no digest of 3.x.
            try secret.count == SecretKey.count
                && version.mobileProtocol.isTokenDigest(
                    digest, TokenSecret(secret), nonce: nonce, timestamp: timestamp)
        case .four:
            constantTimeEqual(digest, try V4.tokenDigest(secret, nonce: nonce, timestamp: timestamp))
        }
    }
}
