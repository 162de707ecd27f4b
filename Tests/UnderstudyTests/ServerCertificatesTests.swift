import Crypto
import Essentials
import Sockets
import Synchronization
import Testing

@testable import PlatformKit
@testable import Understudy

@Suite struct ServerCertificatesTests {
    private final class Hand: Sendable {
        let now = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        var clock: WallClock { WallClock { self.now.withLock { $0 } } }
        func advance(_ seconds: Double) { now.withLock { $0 += seconds } }
    }

    private let hand = Hand()

    private func certificates(_ hosts: [String]) throws -> ServerCertificates {
        let authority = try DevelopmentAuthority(
            label: "mac", hosts: [], serialNumber: [1], at: hand.clock.now())
        return try ServerCertificates(authority, hosts: hosts, clock: hand.clock) { Issue.record("\($0)") }
    }

    private func shown(_ certificates: ServerCertificates, _ name: String?, _ address: String? = nil) throws
        -> TLSIdentity
    {
        try #require(certificates.identity(for: TLSGreeting(name: name, address: address)))
    }

    @Test func `a certificate is made once, and anew long before it ends`() throws {
        let certificates = try certificates(["localhost", "127.0.0.1"])
        let first = try shown(certificates, "localhost", "127.0.0.1")
        #expect(try shown(certificates, nil, "127.0.0.1") === first)

        hand.advance(ServerCertificates.renewalSeconds - 1)
        #expect(try shown(certificates, "localhost") === first)
        hand.advance(2)
        let second = try shown(certificates, "localhost")
        #expect(second !== first)
        #expect(ServerCertificates.renewalSeconds < DevelopmentAuthority.serverSeconds / 2)
    }

    @Test func `a name or address that is not known yet gets a certificate of its own`() throws {
        let certificates = try certificates(["localhost", "127.0.0.1"])
        let base = try shown(certificates, "localhost")

        let named = try shown(certificates, "blue--hanko.localhost")
        #expect(named !== base)
        #expect(try shown(certificates, "blue--hanko.localhost") === named)
        #expect(try shown(certificates, nil, "192.168.7.7") !== base)
    }

    @Test func `any number of made-up names takes no more room than some`() throws {
        let certificates = try certificates(["localhost"])
        for number in 0..<600 { _ = try shown(certificates, "n\(number).localhost") }
        // Neither do names that are none.
        #expect(try shown(certificates, "a b,DNS:evil.example") === shown(certificates, nil))
    }

    @Test func `what the authority may not sign for is left out, and the rest goes on`() throws {
        let certificates = try certificates(["localhost", "login.example.com"])
        #expect(certificates.hosts == ["localhost"])
        #expect(certificates.refused == ["login.example.com"])
        _ = try shown(certificates, "login.example.com")
    }
}
