import Crypto
import DeviceKit
import Essentials
import Testing

@testable import PowerAuthDevice

@Suite struct StatusTests {
    @Test(arguments: Device.Version.allCases)
    func `the state is read in every version`(_ version: Device.Version) throws {
        let server = try ServerHalf()
        let device = try server.makeActiveDevice(version)
        for state in [ActivationStatus.State.pendingCommit, .active, .blocked, .removed] {
            server.state = state.rawValue
            let status = try device.status()
            #expect(status.state == state)
            #expect(status.failedAttempts == 1)
            #expect(status.maximumFailedAttempts == 5)
            #expect(status.lookAhead == (version == .v30 ? nil : 20))
        }
        let request = try JSONValue(parsing: #require(server.requests.last).body)
        #expect((request["requestObject"]?["challenge"] == nil) == (version == .v30))
    }

    @Test(arguments: [0, 1, 20])
    func `a device behind the server walks forward`(_ steps: Int) throws {
        let server = try ServerHalf()
        let device = try server.makeActiveDevice(.v31)
        server.counter = server.counter.advanced(by: steps)
        #expect(try device.status().counterDistance == steps)
        #expect(device.activation?.counter == server.counter)
    }

    @Test(arguments: [(3, false), (10, false), (11, true), (20, true)])
    func `a device far ahead lets the server catch up`(_ steps: Int, _ isAsked: Bool) throws {
        let server = try ServerHalf()
        let device = try server.makeActiveDevice(.v32)
        try device.skipCounter(steps)
        #expect(try device.status().counterDistance == -steps)
        #expect((server.requests.last?.path == "/pa/v3/signature/validate") == isAsked)
    }

    @Test func `counters too far apart, or that disagree, are a deadlock`() throws {
        let server = try ServerHalf()
        let device = try server.makeActiveDevice()
        try device.skipCounter(21)
        #expect(throws: CounterDeadlock(byteDistance: -21, hashDistance: nil)) { try device.status() }

        let other = try server.makeActiveDevice()
        server.mistake = .wrongCounterByte
        #expect(throws: CounterDeadlock(byteDistance: 1, hashDistance: 0)) { try other.status() }

        server.mistake = .none
        server.counter = server.counter.advanced(by: 21)
        #expect(throws: CounterDeadlock(byteDistance: 21, hashDistance: nil)) { try other.status() }
    }

    @Test func `a blob for nobody and a window of nothing are refused`() throws {
        let server = try ServerHalf()
        let device = try server.makeActiveDevice()
        server.mistake = .lookAheadZero
        #expect(throws: DeviceError("the status blob has a look-ahead of 0")) { try device.status() }
        #expect(throws: DeviceError.self) {
            try StatusBlob(
                TestChance().draw(32), transportKey: TestChance().draw(16), challenge: nil, nonce: nil)
        }
    }

    @Test(arguments: [3_600_000, -90_000])
    func `the device's clock is set by the server's`(_ skew: Int) throws {
        for version in [Device.Version.v32, .v33] {
            let server = try ServerHalf()
            let device = server.makeDevice(version, skew: skew)
            try device.activate(ActivationRequest(.code("AAAAA-AAAAA-AAAAA-AAAAA")), pin: "1234")
            let request = try JSONValue(parsing: #require(server.requests.last).body)
            #expect(request["timestamp"]?.integer == server.now)
            #expect(
                server.requests[0].path == (version == .v32 ? "/pa/v3/status" : "/pa/v3/keystore/create"))
        }
    }

    @Test func `a temporary key for the activation is signed by the activation's own key`() throws {
        let server = try ServerHalf()
        let device = try server.makeActiveDevice()
        server.mistake = .temporaryKeyByOtherSigner
        #expect(throws: (any Error).self) { try device.createToken("a") }
        #expect(!server.requests.contains { $0.path == "/pa/v3/token/create" })
        server.mistake = .none
        try device.createToken("a")
    }

    @Test func `a temporary key is used until ten seconds before it expires`() throws {
        let server = try ServerHalf()
        let device = try server.makeActiveDevice()
        let asked = { server.requests.filter { $0.path == "/pa/v3/keystore/create" }.count }
        #expect(asked() == 1)
        try device.createToken("a")
        #expect(asked() == 2)
        server.now += 289_999
        try device.createToken("b")
        #expect(asked() == 2)
        server.now += 1
        try device.createToken("c")
        #expect(asked() == 3)
    }
}
