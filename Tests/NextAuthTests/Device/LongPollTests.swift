import Dispatch
import Essentials
import HTTP
import TestKit
import Testing

@testable import NextAuth
@testable import PlatformKit

@Suite struct LongPollTests {
    @Test func `a device that waits is woken by what happens`() throws {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        let backEnd = BackEnd(bench: bench)
        var device = try Device(bench)
        try device.enrol(try backEnd.enrolmentCode())

        DispatchQueue(label: "back end").async {
            while !bench.world.services.changes.isWatched {}
            #expect(throws: Never.self) { try backEnd.block(1) }
        }
        let heard = try device.get("/events?since=0&wait=60")
        let types = heard["events"]?.array?.compactMap { $0["type"]?.string }
        #expect(types == ["SESSION_STOP", "ACCOUNT_UPDATED"])
    }

    @Test func `the end of the world sends it home`() throws {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        let device = try Device(bench)

        DispatchQueue(label: "end").async {
            while !bench.world.services.changes.isWatched {}
            bench.world.close()
        }
        #expect(try device.get("/events?wait=60") == ["events": [], "last": 0])
    }
}
