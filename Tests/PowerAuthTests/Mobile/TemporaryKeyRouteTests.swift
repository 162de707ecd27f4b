import Crypto
import Essentials
import PlatformKit
import PowerAuthDevice
import TestKit
import Testing

@testable import PowerAuth

@Suite struct TemporaryKeyRouteTests {
    private func expectRefused(
        _ bench: MobileBench, because explanation: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) {
        bench.expectRefusal(
            400, "ERR_TEMPORARY_KEY", "POWER_AUTH_TEMPORARY_KEY_FAILURE", because: explanation,
            sourceLocation: sourceLocation, body)
    }

    @Test func `each request gets a key of its own, for as long as the settings say`() throws {
        let bench = try MobileBench(settings: #""temporary_key_seconds": 100"#)
        let phone = try bench.activePhone()
        let now = Int(bench.bench.clock.now.timeIntervalSince1970) * 1000
        for scope in [Scope.application, .activation] {
            let (one, other) = (try phone.fetchTemporaryKey(scope), try phone.fetchTemporaryKey(scope))
            #expect(try one.id != other.id && one.point() != other.point())
            #expect(one.expires == now + 100_000)
        }
    }

    @Test func `everything that is wrong is one error`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        expectRefused(bench, because: "The member requestObject.jwt is missing.") {
            try phone.call("/pa/v3/keystore/create")
        }
        expectRefused(bench, because: "cannot be read: jwt: expected three parts") {
            try phone.call("/pa/v3/keystore/create", ["jwt": "a.b"])
        }
        let foreign = try bench.phone(secret: MobileBench.newSecret)
        expectRefused(bench, because: "it takes the application secret, decoded.") {
            _ = try foreign.fetchTemporaryKey(.application)
        }
        foreign.activation = phone.activation
        expectRefused(bench, because: "bound to the transport key of the activation.") {
            _ = try foreign.fetchTemporaryKey(.activation)
        }
        expectRefused(bench, because: "is not supported any more") {
            _ = try bench.phone(key: MobileBench.oldKey).fetchTemporaryKey(.application)
        }
        expectRefused(bench, because: "No application has a version with the key") {
            _ = try bench.phone(key: "R0dHR0dHR0dHR0dHR0dHRw==").fetchTemporaryKey(.application)
        }
        let other = try bench.phone(key: MobileBench.otherKey)
        other.activation = phone.activation
        expectRefused(bench, because: "of shop.") { _ = try other.fetchTemporaryKey(.activation) }
    }

    @Test func `an activation has to be active or blocked`() throws {
        let bench = try MobileBench()
        let phone = try bench.phone()
        let (id, code) = try bench.register()
        try phone.activate(.init(.code(code)), pin: MobileBench.pin)
        expectRefused(bench, because: "is PENDING_COMMIT, expected ACTIVE or BLOCKED.") {
            _ = try phone.fetchTemporaryKey(.activation)
        }
        try bench.commit(id)
        try bench.block(phone)
        _ = try phone.fetchTemporaryKey(.activation)
    }
}
