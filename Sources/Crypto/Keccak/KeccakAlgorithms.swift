import COpenSSL

/// The functions of FIPS 202 and SP 800-185, fetched when the first of them is used: most programs that start never do.
///
/// `@unchecked Sendable`: a fetched algorithm never changes and is never freed.
struct KeccakAlgorithms: @unchecked Sendable {
    static let shared = KeccakAlgorithms()

    let sha3of256 = Self.digest("SHA3-256")
    let sha3of512 = Self.digest("SHA3-512")
    let shake128 = Self.digest("SHAKE-128")
    let shake256 = Self.digest("SHAKE-256")
    let kmac256: OpaquePointer

    private init() {
        guard let mac = EVP_MAC_fetch(nil, "KMAC-256", nil) else {
            preconditionFailure("OpenSSL has no KMAC-256")
        }
        kmac256 = mac
    }

    /// In every OpenSSL 3; one without them is a broken installation.
    private static func digest(_ name: String) -> OpaquePointer {
        guard let digest = EVP_MD_fetch(nil, name, nil) else { preconditionFailure("OpenSSL has no \(name)") }
        return digest
    }
}
