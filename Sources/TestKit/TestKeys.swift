package import PlatformKit

/// Signing keys for tests: an RSA-2048 and a P-256 key that protect nothing.
package enum TestKeys {
    /// A fixture file with nothing but the keys, those of `platform`.
    package static func fixtures(for platform: String) throws -> FixtureSet {
        let keys = """
            {"keys": [
                {"kid": "\(rsaID)", "alg": "RS256", "for": "\(platform)", "pem": ["\(joined(rsa))"]},
                {"kid": "\(ecID)", "alg": "ES256", "for": "\(platform)", "pem": ["\(joined(ec))"]}
            ]}
            """
        return try FixtureSet(text: Array(keys.utf8), file: "test keys")
    }

    package static let rsaID = "0c8f5e1a-4b1d-4f6e-9a53-2f1f6d0e7a01"
    package static let ecID = "0c8f5e1a-4b1d-4f6e-9a53-2f1f6d0e7a02"

    private static func joined(_ pem: String) -> String {
        pem.split(separator: "\n").joined(separator: "\", \"")
    }

    package static let rsa = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCnglAXN0zD1H4n
        ho1V2GnS9y6TgOcHsLV1pchWjaWq96nHMp+MXKd5WPT4rCALq1FrKAIPBtyKkzsH
        sFUeX/9cBu0vIiXtdNTmpkxQBsyFKx3Vvn+nJMGpAguSp5wn4xBb8crHASvf67bj
        FKGXTxW1Hxclg+MnIfFC7aUU8XcpnLetNWfr2gREQYCkEKg4dCbpyL3foClHl8I3
        a1RIi0Ni1vvIkrMcHepnoxJRuLwZieMzw1vrxZG3RKOWraYiUrJ/QhjK+MsqZlYT
        GlM5pcZnL0NIZaTTtPYzjZ9GXHCR+s4bYRQDjey62xkIVj3mpL+YtsgBA3yaXbXA
        SDNMZe0RAgMBAAECggEABs7JgYAKWyUeMW4K/XOrrVrFZlJFUW8xmMPxle7wzjd9
        i253xIUZe1mNrzOTo9XFG9VG7CRrvygHrKLSescNAkj3x8QcBYALjQoyLMhx9HGR
        p1e0KW9ZfYxrOv0b4BUe25XCl37pMRML3kO+437f03odfzVSfIspGn69CFJd9O9s
        QnWTy6/c8SIGjtQWpw4xPdOEuPrqnOXPQlOhFQOEbIZ0Is68EnTVbnY0vHsnrU/8
        R9vLslBJw9zUaj7GAuCJd9DxN7KCcUX85XBXyFnRiCu4KtoMkscQKZn9PWX7s/Bn
        UWIb7U0bFnVC9TrBfUFcUMzHHu8ObvtFtxGgDiNNyQKBgQDVoedG01VLiKghsNYl
        dwgrvhXmeXljdLeIEaGLuQ4rhvNJ4AGQpEpXz4Kbrv5NzmiYltbXKsCosW/izISJ
        CLUhqIaYjB/XmeAZk7GNhuwvJmyd6u0kIgKKCTvh5jysPNewwMZCip8SyBRGWmX8
        fuMg0Y+COW0iwvIyDhwTB/Gp5QKBgQDIurqqat99MMPuXc4YiR0jlbxNz9DKKq8A
        awBJ9uXdFMCxpKBtqLWk09k5S/7ln093IPo1pDwGLc4wzbLeXwFY3c4xIVGPrL2U
        7gN+prNzZ0cnpBgC5brKSxRi2MYheYGR9frzXHrmfC+xClTp/Qk3656naUhFXZNV
        uHuyVemTvQKBgQDNZFC4jnymF2gWpC7vbEbFz4a8xLOJhHDj+JeJf0z5WlDUCPNY
        Pixfyll3FsLWyYlUk0lRK4B5b8bzldAi8+U5zA5D4gzHO+DylkYRnNO87UNmfLSs
        lao9Tm1tXe+dZQ22mVDELwSLiSO9FDKTlOcH6ZMBD/c2gZlbuKcTQQL+ZQKBgFhW
        pVPemOCVl4TNz6fIoARLH4X3EWIHiuDaNlRWzi6PtYX4d4oLF3WkrhKjOViA1g4N
        e1AkKS5m9jlQLYnjscoUQ2wnx6c9VGm4nd0dLBh7uTre4ppT0/K3PA+MaxXMTZOY
        94omhwfsW2jErT4U1/u+PCJdGSs91VuCRx3i5VrZAoGAOtCwfq4CRRcnAN1zg/uT
        fBH/MU3+PyURi8kiTw5LP/51iYpgpswpIyK+5lAIhutBJl9mfAc8Fu0U1dxzf8d+
        jRmqwR3pgDYWnZwvQg1DuAlnzBjpiZB+toAD8wkbzdMKzHebcN38q8nvJvMAWtUZ
        687+xwVUklY/xGurT1nnSd4=
        -----END PRIVATE KEY-----
        """

    package static let ec = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgnGZdMXdgLpqaCWKj
        JgRF1fjLQSr7lO8mcTPetTLoA8qhRANCAARjxzSIb8pYY3Mrskn0ffefsIjbahsV
        NGmuObwxxwQ0uGaibfIFB4DssIYE+VYTd+bAhMmHHCXabf8mOgttqFPY
        -----END PRIVATE KEY-----
        """
}
