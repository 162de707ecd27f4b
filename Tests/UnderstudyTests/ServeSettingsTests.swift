import PlatformKit
import Platforms
import Testing

@testable import Understudy

@Suite struct ServeSettingsTests {
    private func settings(_ arguments: String...) throws -> ServeSettings {
        try ServeSettings(ArgumentParser(command: Commands.serve, environment: [:]).parse(arguments))
    }

    @Test func `without options it listens on loopback, port 8420, and keeps nothing`() throws {
        let settings = try settings()

        #expect(settings.host == "localhost")
        #expect(settings.port == 8420)
        #expect(settings.isLoopback)
        #expect(settings.dataFolder == nil)
        #expect(settings.log == nil)
    }

    @Test func `all options together are understood`() throws {
        let settings = try settings(
            "--host", "0.0.0.0", "--port", "0", "--tls", "c.pem,k.pem", "--smtp-relay", "[::1]:1025",
            "--seed", "18446744073709551615", "--world-ttl", "90m", "--max-connections", "10",
            "--body-memory", "64m", "--log", "json",
            "--public-url", "https://understudy.example.com:8443/", "--trusted-proxy", "172.17.0.1",
            "--allow-host", "A.example", "--instance", "a.1")

        #expect(!settings.isLoopback)
        #expect(settings.isEverywhere)
        #expect(settings.tls == .files(certificate: "c.pem", key: "k.pem"))
        #expect(settings.relay == HostAndPort("[::1]:1025"))
        #expect(settings.relay?.host == "::1")
        #expect(settings.seed == .max)
        #expect(settings.worldIdleSeconds == 5400)
        #expect(settings.connections == 10)
        #expect(settings.bodyMemory == 67_108_864)
        #expect(settings.log == .json)
        #expect(settings.instance == "a.1")
        #expect(settings.publicURL == "https://understudy.example.com:8443")
        #expect(settings.trustedProxies == ["172.17.0.1"])
        #expect(settings.allowedHosts == ["a.example", "understudy.example.com", "0.0.0.0"])
    }

    @Test func `platforms and worlds have ports of their own`() throws {
        let some = try settings("--listen", "app=9001", "--listen", "blue/hanko=0", "--listen", "blue=9003")
        #expect(some.doors.map(\.name) == ["app", "blue/hanko", "blue"])
        #expect(some.doors.map(\.port) == [9001, 0, 9003])

        let all = try settings("--listen", "all", "--listen", "miracl=9001")
        #expect(all.doors.first == .init(name: "miracl", port: 9001))
        #expect(all.doors.contains(.init(name: "app", port: 8421)))
        #expect(Set(all.doors.map(\.name)) == Set(Platforms.mountPaths))
        #expect(try settings("--port", "0", "--listen", "all").doors.allSatisfy { $0.port == 0 })
    }

    @Test(arguments: [
        (
            "hnako=9001",
            "--listen: there is no platform “hnako”; did you mean hanko? A world of that name can have ports for its platforms, such as hnako/app=PORT"
        ),
        ("blue/hnako=9001", "--listen: there is no platform “hnako”; did you mean blue/hanko?"),
    ])
    func `a slip in a platform's name is none of a world`(_ text: String, _ message: String) {
        #expect(throws: UsageError(message)) { try settings("--listen", text) }
    }

    @Test(arguments: [
        ("https://mac.local", "mac.local"), ("mac.local:8420", "mac.local"),
        ("mac.local/w/blue", "mac.local"),
        ("http://[fd00::1]:8420/", "[fd00::1]"),
    ])
    func `an address given as a host name is refused with the name in it`(_ text: String, _ name: String) {
        #expect(
            throws: UsageError(
                "--allow-host expects a host name such as mac.local, not “\(text)”; did you mean \(name)?")
        ) { try settings("--allow-host", text) }
    }

    // Documents name them: none may move.
    @Test func `every platform has a place in the range of all`() {
        #expect(
            Platforms.documented == [
                "app", "enrollment-server", "hanko", "hanko-admin", "miracl", "nextauth", "oauth",
                "powerauth-cloud", "api", "powerauth-java-server", "user-data-store",
            ])
        #expect(Platforms.mountPaths.prefix(Platforms.documented.count) == Platforms.documented[...])
        #expect(Set(Platforms.mountPaths) == Set(Platforms.all.flatMap { $0.mountPaths }))
    }

    @Test func `lan is the options that phones need, unless others are given`() throws {
        let lan = try settings("--lan")
        #expect(lan.host == "0.0.0.0" && lan.tls == .auto && lan.doors.count == Platforms.mountPaths.count)
        let own = try settings(
            "--lan", "--tls", "c.pem,k.pem", "--listen", "app=9001", "--host", "192.168.1.5")
        #expect(own.tls == .files(certificate: "c.pem", key: "k.pem") && own.host == "192.168.1.5")
        #expect(own.doors.map(\.name) == ["app"])
        #expect(throws: UsageError.self) { try settings("--lan", "--host", "localhost") }
    }

    @Test(arguments: ["localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]", "LOCALHOST", "a.localhost"])
    func `these are loopback`(_ host: String) throws {
        #expect(try settings("--host", host).isLoopback)
    }

    @Test(arguments: ["0.0.0.0", "::", "192.168.1.5", "127.example.com", "example.com"])
    func `these are not`(_ host: String) throws {
        #expect(try !settings("--host", host).isLoopback)
    }

    @Test(arguments: [
        (["--port", "65536"], "--port expects a whole number from 0 to 65535, not “65536”"),
        (["--port", "-1"], "--port expects a whole number from 0 to 65535, not “-1”"),
        (["--seed", "1.5"], "--seed expects a whole number from 0 to 18446744073709551615, not “1.5”"),
        (["--world-ttl", "soon"], "--world-ttl expects a time such as 10s, 500ms, 5m or 1h, not “soon”"),
        (["--world-ttl", "0"], "--world-ttl expects at least 1s, not “0”"),
        (
            ["--tls", "c.pem"],
            "--tls expects auto, or two PEM files separated by a comma, CERT,KEY, not “c.pem”"
        ),
        (
            ["--smtp-relay", "mail"],
            "--smtp-relay expects host and port, such as localhost:1025, not “mail”"
        ),
        (["--smtp-relay", ":25"], "--smtp-relay expects host and port, such as localhost:1025, not “:25”"),
        (
            ["--smtp-relay", "::1:25"],
            "--smtp-relay expects host and port, such as localhost:1025, not “::1:25”"
        ),
        (["--log", "xml"], "--log expects text or json, not “xml”"),
        (
            ["--body-memory", "1023K"],
            "--body-memory expects a size such as 64M or 1G, at least 1M, not “1023K”"
        ),
        (
            ["--body-memory", "-5M"],
            "--body-memory expects a size such as 64M or 1G, at least 1M, not “-5M”"
        ),
        (
            ["--public-url", "https://a.example/a/../b"],
            "--public-url expects scheme, host and perhaps a path, such as https://understudy.example.com, not “https://a.example/a/../b”"
        ),
        (
            ["--trusted-proxy", "10.0.0.0/8"],
            "--trusted-proxy expects a numeric address such as 172.17.0.1 or fd00::1, not “10.0.0.0/8”"
        ),
        (
            ["--control-token", "short"],
            "--control-token expects 8 to 200 printable characters without spaces"
        ),
    ])
    func `a wrong value says what was expected`(_ arguments: [String], _ message: String) throws {
        let invocation = try ArgumentParser(command: Commands.serve, environment: [:]).parse(arguments)
        #expect(throws: UsageError(message)) { try ServeSettings(invocation) }
    }

    @Test(arguments: [
        ("*", "a pattern would let in every web page"), ("*.example.com", "a pattern would let in"),
        ("https://mac.local", "did you mean mac.local?"), ("mac.local:8420", "did you mean mac.local?"),
        ("mac.local/x", "did you mean mac.local?"), ("bücher.example", "without scheme"),
        (".example.com", "without scheme"),
    ])
    func `what is no host name cannot be allowed`(_ name: String, _ words: String) {
        let error = #expect(throws: UsageError.self) { try settings("--allow-host", name) }
        #expect(
            error?.message.contains("--allow-host expects a host name such as mac.local, not “\(name)”")
                == true)
        #expect(error?.message.contains(words) == true)
    }

    @Test func `an address to listen on that is no name is no name to be called by`() throws {
        #expect(try settings("--host", "*", "--control-token", "12345678").allowedHosts == [])
        #expect(throws: UsageError.self) { try settings("--trusted-proxy", "１.2.3.4") }
    }
}
