import Crypto
import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import SQLite
import TestKit
import Testing

@testable import PowerAuth

/// Pushes and inbox messages. Source: PowerAuth Cloud documentation; documentation of the push server and the Mobile Token SDKs.
struct MessageTests {
    private let bench: OfficeBench

    init() throws { bench = try OfficeBench() }

    private func registerPush(_ id: String, token: String = "token-1") throws {
        try bench.bench.world.database.write { db in
            try db.save(
                PushDevice(
                    activation: id, service: .apns, token: token, registeredAt: bench.bench.clock.now))
        }
    }

    private var pushes: [JSONValue] {
        get throws { try bench.bench.messages.map { try JSONValue(parsing: Array($0.message.text.utf8)) } }
    }

    @Test func `a push ends in the outbox with the forms of both services`() throws {
        let (_, id) = try bench.active()
        try registerPush(id)

        bench.expectOK(
            bench.cloud(
                .post, "/v2/messages/send",
                #"{"userId": "ada", "title": "Hello", "message": "World", "sound": "default", "extras": {"k": 1}}"#
            ))

        let sent = try #require(try bench.bench.messages.first).message
        #expect((sent.channel, sent.kind, sent.subject) == (.push, "push", "Hello"))
        #expect(sent.to.address == "token-1")
        #expect(sent.to.name == "ada")
        let push = try #require(try pushes.first)
        #expect(
            push["apns"] == [
                "aps": ["alert": ["title": "Hello", "body": "World"], "sound": "default"], "k": 1,
            ])
        #expect(
            push["fcm"] == [
                "data": ["k": "1"], "notification": ["title": "Hello", "body": "World"],
                "android": ["notification": ["sound": "default"]],
            ])
    }

    @Test func `a silent push shows nothing`() throws {
        let (_, id) = try bench.active()
        try registerPush(id)

        bench.expectOK(
            bench.cloud(
                .post, "/v2/messages/send", #"{"userId": "ada", "silent": true, "extras": {"k": "v"}}"#))

        let push = try #require(try pushes.first)
        #expect(push["apns"] == ["aps": ["content-available": 1], "k": "v"])
        #expect(push["fcm"] == ["data": ["k": "v"]])
    }

    @Test func `one registration alone, and no device at all`() throws {
        let (_, first) = try bench.active()
        let (_, second) = try bench.active()
        try registerPush(first, token: "token-1")
        try registerPush(second, token: "token-2")
        bench.cloud(
            .post, "/v2/messages/send",
            "{\"userId\": \"ada\", \"registrationId\": \"\(second)\", \"title\": \"x\"}")
        #expect(try bench.bench.messages.map(\.message.to.address) == ["token-2"])

        bench.expectOK(bench.cloud(.post, "/v2/messages/send", #"{"userId": "nobody", "title": "x"}"#))
        #expect(try bench.bench.messages.count == 1)
        #expect(bench.bench.journal.contains { $0.event == "push without device" })
        #expect(bench.bench.misshapenExplanations == [])

        try bench.expect(
            bench.cloud(
                .post, "/v2/messages/send",
                "{\"userId\": \"eve\", \"registrationId\": \"\(second)\", \"title\": \"x\"}"),
            "ERROR_REGISTRATION_NOT_FOUND", "Registration \(second) does not exist.",
            because: "is of the user “ada”")
        try bench.expect(
            bench.cloud(.post, "/v2/messages/send", #"{"userId": "ada"}"#), "ERROR_PUSH_MESSAGE",
            "The message is empty.", because: "needs a title or a message")
    }

    @Test func `block and unblock tell the device silently`() throws {
        let (_, id) = try bench.active()
        try registerPush(id)
        bench.cloud(.put, "/v2/registrations/\(id)", #"{"change": "BLOCK"}"#)

        let push = try #require(try pushes.first)

        #expect(push["apns"]?["messageType"] == "mtoken.statusChange")
        #expect(push["apns"]?["aps"] == ["content-available": 1])
    }

    @Test func `an inbox message is told with a push`() throws {
        let (_, id) = try bench.active()
        try registerPush(id)
        let response = bench.cloud(
            .post, "/v2/inbox/messages",
            #"{"userId": "ada", "subject": "Message #1", "summary": "The first one", "body": "The first message"}"#
        )

        let object = try bench.object(response)
        let message = try #require(object["id"]?.string)
        #expect(
            JSONValue.object(object) == [
                "id": .string(message), "subject": "Message #1", "summary": "The first one",
                "body": "The first message", "type": "text", "read": false, "timestamp": .integer(bench.now),
            ])
        let push = try #require(try pushes.first)
        #expect(
            push["fcm"]?["data"] == ["messageType": "mtoken.inboxMessage.new", "inboxId": .string(message)])
        #expect(push["apns"]?["aps"]?["alert"] == ["title": "Message #1", "body": "The first one"])

        bench.cloud(
            .post, "/v2/inbox/messages",
            #"{"userId": "ada", "subject": "Message #2", "summary": "12345678", "body": "12345678", "silent": true, "type": "html"}"#
        )
        #expect(try bench.bench.messages.count == 1)
        let old = bench.cloud(
            .post, "/v2/inbox/ada?appId=bank", #"{"subject": "Message #3", "body": "12345678"}"#)
        #expect(old.fields["summary"] == "Message #3")
        #expect(
            try bench.bench.world.database.read { try $0.all(InboxMessage.self) }.map(\.applications) == [
                ["bank", "none"], ["bank", "none"], ["bank"],
            ])
    }

    @Test func `an inbox message that does not fit is refused`() throws {
        let short = bench.cloud(
            .post, "/v2/inbox/messages",
            #"{"userId": "ada", "subject": "1234567", "summary": "12345678", "body": "12345678", "type": "pdf"}"#
        )
        #expect(
            try bench.result(short)["violations"]?.array?.compactMap { $0["fieldName"]?.string } == [
                "subject", "type",
            ])
        try bench.expect(
            bench.cloud(
                .post, "/v2/inbox/messages",
                #"{"userId": "ada", "subject": "12345678", "summary": "12345678", "body": "12345678", "applications": ["shop"]}"#
            ),
            "ERROR_INBOX", "The message could not be created.", because: "for the applications shop")
    }
}
