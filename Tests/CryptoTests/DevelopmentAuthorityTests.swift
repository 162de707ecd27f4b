import Crypto
import Essentials
import Testing

@Suite struct DevelopmentAuthorityTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let serial: [UInt8] = [0xFF] + [UInt8](repeating: 7, count: 15)

    private func authority(_ hosts: [String] = []) throws -> DevelopmentAuthority {
        try DevelopmentAuthority(label: "mac", hosts: hosts, serialNumber: Self.serial, at: Self.now)
    }

    private func leaf(_ hosts: [String], of authority: DevelopmentAuthority) throws -> Certificate {
        let key = try PrivateKey.generate(.ec(.p256))
        return try authority.issue(
            for: hosts, key: key.publicKey, serialNumber: Self.serial, at: Self.now)
    }

    private func isTrusted(_ hosts: [String], _ authority: DevelopmentAuthority) throws -> Bool {
        let chain = try leaf(hosts, of: authority).chain(
            over: [], to: [authority.certificate], at: Self.now)
        if case .trusted = chain { return true }
        return false
    }

    @Test func `the authority is one, with critical name constraints, and says what it is for`() throws {
        let certificate = try authority().certificate
        #expect(try certificate.isAuthority() == true)
        #expect(try certificate.extendedKeyUsage() == ["1.3.6.1.5.5.7.3.1"])
        #expect(try certificate.extensionValue("2.5.29.30")?.isCritical == true)
        #expect(try certificate.extensionValue("2.5.29.15")?.isCritical == true)
        // RFC 5280 §4.2.1.9: CA and a path of no further authorities.
        #expect(try certificate.extensionValue("2.5.29.19")?.value == [0x30, 6, 1, 1, 0xFF, 2, 1, 0])
        #expect(try certificate.subject.last?.value == "Understudy development CA, mac")
    }

    @Test(arguments: [
        "localhost", "hanko.localhost", "*.blue.localhost", "mac.local", "a.test", "host.docker.internal",
        "pi.home.arpa", "understudy", "127.0.0.1", "::1", "10.0.2.2", "172.31.255.255", "192.168.1.5",
        "169.254.1.1", "100.64.0.1", "100.127.255.255", "fe80::1", "fd00::1",
    ])
    func `local names and private addresses are signed for`(_ host: String) throws {
        let authority = try authority()
        #expect(try isTrusted([host], authority))
        #expect(try authority.permitted([host], at: Self.now) == [host])
    }

    @Test(arguments: [
        "example.com", "localhost.example.com", "mylocalhost", "com", "172.32.0.1", "192.169.0.1", "8.8.8.8",
        "100.128.0.1", "11.0.0.1", "2001:db8::1", "::2",
    ])
    func `nothing else is`(_ host: String) throws {
        let authority = try authority()
        #expect(try !isTrusted([host], authority))
        #expect(try authority.permitted(["localhost", host], at: Self.now) == ["localhost"])
    }

    @Test func `what it was made for is signed for, with all below it`() throws {
        let authority = try authority(["login.example.com", "203.0.113.5"])
        for host in ["login.example.com", "hanko.login.example.com", "203.0.113.5"] {
            #expect(try isTrusted([host], authority))
        }
        for host in ["example.com", "203.0.113.6"] { #expect(try !isTrusted([host], authority)) }
    }

    @Test func `a server's certificate lives ninety days and begins a day early`() throws {
        let certificate = try leaf(["localhost", "127.0.0.1"], of: authority())
        #expect(try certificate.notBefore == Self.now.addingTimeInterval(-86_400))
        #expect(try certificate.notAfter == Self.now.addingTimeInterval(90 * 86_400))
        #expect(try certificate.isAuthority() == false)
        #expect(try certificate.subjectAlternativeNames() == [.dns("localhost"), .other(7)])
        #expect(try certificate.extendedKeyUsage() == ["1.3.6.1.5.5.7.3.1"])
    }

    // RFC 1123 §2.1: a top-level domain is alphabetic; RFC 3696 §2.
    @Test(arguments: [
        ("mac-book", true), ("mac2", true), ("a.example", true), ("10.0.0.1", true), ("fd00::1", true),
        ("dev", false), ("xn--p1ai", false), ("*.a.test", false), ("a b", false), ("", false),
        ("a..b", false),
    ])
    func `a name that may be a top-level domain is given to no authority`(_ host: String, _ may: Bool) {
        #expect(DevelopmentAuthority.mayVouch(for: host) == may)
    }

    // RFC 1123 §2.1; rustls takes nothing of a certificate that has another name in it.
    @Test(arguments: [
        ("localhost", true), ("a_b.test", true), ("*.a.test", true), ("3com.test", true), ("7f3a", true),
        ("*", false), ("*.localhost", false), ("a.*.test", false), ("172839405162", false),
        ("host.42", false), ("-a.test", false), ("a-.test", false), ("a.test.", false), ("a..test", false),
    ])
    func `a certificate has names that strict clients take`(_ host: String, _ isName: Bool) throws {
        #expect(DevelopmentAuthority.isName(host) == isName)
        if !isName {
            let authority = try authority()
            #expect(throws: CryptoError.self) { try leaf([host], of: authority) }
        }
    }

    @Test func `a key of another certificate is refused`() throws {
        let (one, other) = (try authority(), try authority())
        #expect(throws: CryptoError.self) {
            try DevelopmentAuthority(certificate: one.certificate, key: other.key)
        }
        let server = try PrivateKey.generate(.ec(.p256))
        let leaf = try one.issue(for: ["localhost"], key: server.publicKey, serialNumber: [1], at: Self.now)
        #expect(throws: CryptoError.self) { try DevelopmentAuthority(certificate: leaf, key: server) }
    }
}
