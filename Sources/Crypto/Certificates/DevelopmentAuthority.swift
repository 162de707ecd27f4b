import COpenSSL
package import Essentials

/// A certificate authority for development: it vouches for servers of one machine and its networks, and can vouch for nothing else.
///
/// What it may sign for stands in its own certificate, as critical name constraints (RFC 5280 §4.2.1.10), so that whoever gets hold of
/// its key cannot pretend to be a web site: the names below ``localDomains``, those that were known when it was made, and the addresses
/// of ``localNetworks``. Its extended key usage allows servers of TLS alone, and no authority below it is allowed.
package struct DevelopmentAuthority: Sendable {
    package let certificate: Certificate
    package let key: PrivateKey

    /// Domains that nobody can register, each with all names below it. Sources: RFC 6761 §6.2 and §6.3 (`test`, `localhost`), RFC 6762
    /// §3 (`local`), RFC 8375 (`home.arpa`), ICANN Board resolution 2024.07.29.06 (`internal`); `understudy` is the name that the service
    /// has in our container files.
    package static let localDomains = ["localhost", "local", "test", "internal", "home.arpa", "understudy"]

    /// Address and mask. Sources: RFC 1918 §3, RFC 1122 §3.2.1.3 (loopback), RFC 3927 §2.1 and RFC 4291 §2.5.6 (link-local), RFC 6598 §7
    /// (shared), RFC 4291 §2.5.3 (loopback), RFC 4193 §3.1 (unique local).
    package static let localNetworks = [
        ("10.0.0.0", 8), ("172.16.0.0", 12), ("192.168.0.0", 16), ("127.0.0.0", 8), ("169.254.0.0", 16),
        ("100.64.0.0", 10), ("::1", 128), ("fe80::", 10), ("fc00::", 7),
    ]

    /// The longest that Apple's systems take a server's certificate of an authority that the user added is 825 days, and 398 that browsers
    /// take one of a public authority; this is far below both, and a new one is made long before. In seconds.
    package static let serverSeconds = 90.0 * 86_400
    /// Ten years, in seconds.
    package static let authoritySeconds = 3650.0 * 86_400
    /// Certificates begin a day early, for phones whose clock is behind.
    private static let earlySeconds = 86_400.0

    /// Takes a certificate and its key.
    ///
    /// - Throws: when the key is of another certificate, or the certificate of no authority.
    package init(certificate: Certificate, key: PrivateKey) throws {
        guard try certificate.publicKey == VerificationKey(der: key.publicKey.der()) else {
            throw CryptoError(call: "authority", message: "the key does not belong to the certificate")
        }
        guard try certificate.isAuthority() == true else {
            throw CryptoError(call: "authority", message: "the certificate is of no authority")
        }
        (self.certificate, self.key) = (certificate, key)
    }

    /// Makes an authority with a key of its own.
    ///
    /// - Parameters:
    ///   - label: tells it from others in a list of what is trusted, such as the machine's name.
    ///   - hosts: host names and numeric addresses beside the local ones for which it may sign.
    ///   - serialNumber: 16 random bytes.
    package init(label: String, hosts: [String], serialNumber: [UInt8], at now: Date) throws {
        key = try PrivateKey.generate(.ec(.p256))
        let template = CertificateTemplate(
            subject: [
                NameAttribute(NameAttribute.organization, "Understudy"),
                NameAttribute(NameAttribute.commonName, "Understudy development CA, \(label.prefix(40))"),
            ],
            serialNumber: Self.positive(serialNumber), notBefore: now.addingTimeInterval(-Self.earlySeconds),
            notAfter: now.addingTimeInterval(Self.authoritySeconds), isAuthority: true, pathLength: 0,
            extensions: [
                // keyCertSign and cRLSign.
                ("2.5.29.15", .init(isCritical: true, value: DER.element(.bitString, [1, 0x06]))),
                ("2.5.29.37", try Self.serverAuthentication),
                ("2.5.29.14", .init(isCritical: false, value: DER.octetString(try Self.identifier(of: key)))),
                ("2.5.29.30", .init(isCritical: true, value: try Self.constraints(hosts))),
            ])
        certificate = try template.issue(for: key.publicKey, by: key, with: .es256)
    }

    /// A server's certificate for `hosts`, host names and numeric addresses, all of which the authority has to permit: a client that
    /// reads constraints takes none of the others either then.
    package func issue(
        for hosts: [String], key server: PublicKey, serialNumber: [UInt8], at now: Date
    ) throws -> Certificate {
        let names = try hosts.map { try Self.generalName($0) }
        let authority = DER.element(.context(0, isConstructed: false), try Self.identifier(of: key))
        let template = CertificateTemplate(
            subject: [NameAttribute(NameAttribute.commonName, "Understudy, a development server")],
            serialNumber: Self.positive(serialNumber), notBefore: now.addingTimeInterval(-Self.earlySeconds),
            notAfter: min(now.addingTimeInterval(Self.serverSeconds), try certificate.notAfter),
            extensions: [
                // digitalSignature.
                ("2.5.29.15", .init(isCritical: true, value: DER.element(.bitString, [7, 0x80]))),
                ("2.5.29.37", try Self.serverAuthentication),
                ("2.5.29.35", .init(isCritical: false, value: DER.sequence([authority]))),
                ("2.5.29.17", .init(isCritical: false, value: DER.sequence(names))),
            ])
        return try template.issue(for: server, by: key, with: .es256, issuer: certificate)
    }

    /// Those of `hosts` for which the authority may sign, as OpenSSL judges a certificate for each.
    package func permitted(_ hosts: [String], at now: Date) throws -> [String] {
        if try isTrusted(hosts, at: now) { return hosts }
        return try hosts.filter { try isTrusted([$0], at: now) }
    }

    private func isTrusted(_ hosts: [String], at now: Date) throws -> Bool {
        guard !hosts.isEmpty else { return true }
        let probe = try issue(for: hosts, key: key.publicKey, serialNumber: [1], at: now)
        if case .trusted = try probe.chain(over: [], to: [certificate], at: now) { return true }
        return false
    }

    // MARK: Extensions

    private static var serverAuthentication: Certificate.Extension {
        get throws {
            let purpose = try DER.objectIdentifier("1.3.6.1.5.5.7.3.1")
            return Certificate.Extension(isCritical: false, value: DER.sequence([purpose]))
        }
    }

    /// RFC 7093 §2, method 1.
    private static func identifier(of key: PrivateKey) throws -> [UInt8] {
        Array(Digest.sha256(try key.publicKey.der()).prefix(20))
    }

    /// At most 20 bytes and not negative. Source: RFC 5280 §4.1.2.2.
    private static func positive(_ serialNumber: [UInt8]) -> [UInt8] {
        let bytes = Array(serialNumber.prefix(20))
        return bytes.contains { $0 != 0 } ? [bytes[0] & 0x7F] + bytes.dropFirst() : [1]
    }

    /// permittedSubtrees. Source: RFC 5280 §4.2.1.10.
    private static func constraints(_ hosts: [String]) throws -> [UInt8] {
        let names = localDomains + hosts.filter { address($0) == nil }
        let networks =
            try localNetworks.map { try network($0.0, bits: $0.1) }
            + hosts.compactMap(address).map { $0 + [UInt8](repeating: 0xFF, count: $0.count) }
        let subtrees =
            try names.map { DER.sequence([try generalName($0)]) }
            + networks.map { DER.sequence([DER.element(.context(7, isConstructed: false), $0)]) }
        return DER.sequence([DER.element(.context(0), Array(subtrees.joined()))])
    }

    private static func network(_ text: String, bits: Int) throws -> [UInt8] {
        guard let address = address(text) else {
            throw CryptoError(call: "authority", message: "\(text) is not an address")
        }
        let mask = address.indices.map { index in
            UInt8(truncatingIfNeeded: 0xFF00 >> min(8, max(0, bits - 8 * index)))
        }
        return address + mask
    }

    /// A dNSName or an iPAddress. Source: RFC 5280 §4.2.1.6.
    private static func generalName(_ host: String) throws -> [UInt8] {
        if let address = address(host) { return DER.element(.context(7, isConstructed: false), address) }
        guard isName(host) else {
            throw CryptoError(call: "authority", message: "“\(host.prefix(80))” is not a host name")
        }
        return DER.element(.context(2, isConstructed: false), Array(host.asciiLowercased.utf8))
    }

    /// Whether a new authority may be given `host` to sign for, with all names below it: numeric addresses, and names that cannot be
    /// top-level domains, which consist of letters alone or begin with `xn--` (RFC 1123 §2.1, RFC 3696 §2): a machine called `dev` must
    /// not bring all of `.dev` along.
    package static func mayVouch(for host: String) -> Bool {
        if address(host) != nil { return true }
        guard isName(host), !host.hasPrefix("*") else { return false }
        if host.contains(".") { return true }
        return !host.asciiLowercased.hasPrefix("xn--")
            && host.utf8.contains { !(0x41...0x5A ~= $0 || 0x61...0x7A ~= $0) }
    }

    /// Four or sixteen bytes; nil for what is no numeric address.
    package static func address(_ host: String) -> [UInt8]? {
        defer { ERR_clear_error() }
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        guard let octets = a2i_IPADDRESS(bare) else { return nil }
        defer { ASN1_STRING_free(octets) }
        return [UInt8](
            UnsafeBufferPointer(start: ASN1_STRING_get0_data(octets), count: Int(ASN1_STRING_length(octets))))
    }

    /// Labels of letters, digits, hyphens and underscores with no hyphen at either end, the last of which is no number. The first may be `*`
    /// where at least two follow it: clients that are strict, such as rustls, take nothing of a certificate with any other name in it.
    /// Source: RFC 1123 §2.1, RFC 952.
    package static func isName(_ host: String) -> Bool {
        var labels = host.split(separator: ".", omittingEmptySubsequences: false)
        if labels.first == "*" {
            guard labels.count > 2 else { return false }
            labels.removeFirst()
        }
        let isNumber = labels.last?.utf8.allSatisfy { 0x30...0x39 ~= $0 } ?? true
        return (1...253).contains(host.utf8.count) && !isNumber && labels.allSatisfy(isLabel)
    }

    private static func isLabel(_ label: Substring) -> Bool {
        let bytes = label.utf8
        return (1...63).contains(bytes.count) && bytes.first != 0x2D && bytes.last != 0x2D
            && bytes.allSatisfy {
                0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x2D || $0 == 0x5F
            }
    }
}
