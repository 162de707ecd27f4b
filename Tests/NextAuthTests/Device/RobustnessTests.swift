import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import NextAuth

@Suite struct RobustnessTests {
    private static let bodies = [
        "", "{", "[]", "null", "7", "{\"type\": 7}", "{\"signature\": null}", "{\"signature\": \"\"}",
        "{\"type\": \"APPLOGIN\", \"config\": {\"appLoginTimeout\": 9223372036854775807}}",
        "{\"type\": \"LOGIN\", \"data\": \"na1;L;;;\"}", "{\"activity\": -9223372036854775808}",
        "{\"pinkey\": \"AAAA\", \"challenge\": \"\"}", "{\"reason\": \"\\u0000\"}",
        String(repeating: "[", count: 5000),
    ]

    @Test func `a device that knows its token but not the protocol hurts nobody`() throws {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        var device = try Device(bench)
        try device.enrol(try BackEnd(bench: bench).enrolmentCode())
        let login = try device.appLogIn(1)
        for route in NextAuth.deviceRoutes where route.method != .delete {
            for id in ["none", "1", login.sessionID] {
                let path = "/nextauth" + route.pattern.replacing(/:\w+/, with: id)
                if path.hasSuffix("/stop") || path.hasSuffix("/instance/pin") && id == "1" { continue }
                for body in Self.bodies {
                    let answer = bench.send(
                        route.method, path, body: Array(body.utf8),
                        headers: ["Authorization": "Device \(device.token)"])
                    #expect((200..<500).contains(answer.status.code), "\(path) \(body.prefix(80))")
                }
            }
        }
        #expect(bench.reports.lines == [])
        #expect(bench.misshapenExplanations == [])
    }
}
