import Essentials
import HTTP
import PlatformKit
@testable import PowerAuth
import PowerAuthDevice
import SQLite
import TestKit
import Testing
import TestKit

@Suite struct DeviceServiceTests {
    @Test(arguments: [
        ("apns", PushDevice.Service.apns), ("ios", .apns), ("fcm", .fcm), ("android", .fcm), ("hms", .hms),
        ("huawei", .hms),
    ])
    func `push services have newer and older names`(_ name: String, _ service: PushDevice.Service) throws {
        let bench = try OperationBench()
        try bench.phone.registerPush(platform: name, token: "one")
        try bench.phone.registerPush(platform: name, token: "two", isNewPath: true)
        let devices = try bench.bench.world.database.read { try $0.all(PushDevice.self) }
        #expect(devices.map(\.token) == ["two"] && devices.map(\.service) == [service])
    }

    @Test func `push registration checks what comes`() throws {
        let bench = try OperationBench()
        let faulty: [(String, String, String?)] = [
            ("palm", "t", nil), ("apns", " ", nil), ("apns", "t", "test"),
        ]
        for (platform, token, environment) in faulty {
            let refused = bench.refusal {
                try bench.phone.registerPush(platform: platform, token: token, environment: environment)
            }
            #expect(refused == "400 INVALID_REQUEST")
        }
    }

    @Test func `the inbox is counted, paged and read`() throws {
        let bench = try OperationBench()
        for number in 1...3 {
            _ = bench.office.cloud(
                .post, "/v2/inbox/messages",
                #"{"userId": "ada", "subject": "Message \#(number)", "summary": "A summary", "body": "A longer body"}"#
            )
            bench.bench.time.advance(seconds: 1)
        }
        #expect(try bench.phone.unreadMessages() == 3)
        let page = try bench.phone.messages(page: 0, size: 2)
        #expect(page.map(\.subject) == ["Message 3", "Message 2"])
        #expect(try bench.phone.messages(page: 1, size: 2).map(\.subject) == ["Message 1"])
        #expect(try bench.phone.messages(page: 2, size: 2).isEmpty)
        let id = try #require(page.first?.id)
        #expect(try bench.phone.message(id).body == "A longer body")
        #expect(try bench.phone.unreadMessages() == 3)
        try bench.phone.markRead(id)
        try bench.phone.markRead(id)
        #expect(try bench.phone.messages(onlyUnread: true).map(\.subject) == ["Message 2", "Message 1"])
        try bench.phone.markAllRead()
        #expect(try bench.phone.unreadMessages() == 0)
    }

    @Test func `messages of others are not there`() throws {
        let bench = try OperationBench()
        let response = bench.office.cloud(
            .post, "/v2/inbox/messages",
            #"{"userId": "bob", "subject": "For Bob's eyes", "summary": "A summary", "body": "A longer body"}"#
        )
        let id = try #require(response.fields["id"])
        #expect(bench.refusal { _ = try bench.phone.message(id) } == "400 INBOX_FAILED")
        #expect(bench.refusal { try bench.phone.markRead("none") } == "400 INBOX_FAILED")
        #expect(try bench.phone.messages().isEmpty)
    }

    @Test(arguments: [true, false])
    func `one app gets a code for another`(_ isWrapped: Bool) throws {
        let bench = try OperationBench()
        let spawned = try bench.phone.activationCode(
            forApplication: "shop", otp: "0123456789abcdef", with: .pin(OfficeBench.pin),
            isWrapped: isWrapped)
        let stored = try #require(
            try bench.bench.world.database.read { try Activation.find(spawned.activationID, in: $0) })
        #expect(stored.user == "ada" && stored.application == "shop" && stored.state == .created)
        #expect(stored.commitPhase == .onKeyExchange && stored.otp != nil)
        let short = bench.refusal {
            _ = try bench.phone.activationCode(
                forApplication: "shop", otp: "0123", with: .pin(OfficeBench.pin))
        }
        #expect(short == "400 INVALID_REQUEST")
        let unknown = bench.refusal {
            _ = try bench.phone.activationCode(
                forApplication: "nowhere", otp: "0123456789abcdef", with: .pin(OfficeBench.pin))
        }
        #expect(unknown == "400 ACTIVATION_CODE_FAILED")
    }

    @Test(arguments: [nil, "", "PowerAuth pa_version=\"3.1\"", "Basic x"])
    func `a code for another app is asked for with an authorization header`(_ header: String?) throws {
        let bench = try OperationBench()
        var headers: Headers = ["Content-Type": "application/json"]
        headers["X-PowerAuth-Authorization"] = header
        let response = bench.bench.send(
            .post, "/enrollment-server/api/activation/code", body: Array("{}".utf8), headers: headers)
        try bench.office.expect(
            response, "POWERAUTH_AUTH_FAIL", "Authentication failed", status: 401,
            because: "X-PowerAuth-Authorization")
    }

    @Test(arguments: [true, false])
    func `an unknown provider has no configuration`(_ isWrapped: Bool) throws {
        let bench = try OperationBench()
        let refused = bench.refusal {
            _ = try bench.phone.openIDConfiguration(provider: "none", isWrapped: isWrapped)
        }
        #expect(refused == "400 APPLICATION_CONFIGURATION_ERROR")
    }
}
