import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Hanko

/// What is told is part of the change that it tells of.
struct AnnouncementTurnTests {
    private static let storing = "\"audit_log\": {\"storage\": {\"enabled\": true}}, "

    @Test func `a change that cannot be written down is not made`() throws {
        let bench = try TestBench.mobile(config: Self.storing + "\"account\": {\"allow_deletion\": true}")
        let token = try bench.signIn(Ada.id)
        try bench.world.database.write { try $0.execute("DROP TABLE hanko_audit_log") }

        #expect(bench.delete("/hanko/user", headers: .bearer(token)).status == .internalServerError)
        #expect(try bench.world.database.read { try $0.user(Ada.id) } != nil)
        let started = try bench.post("/hanko/passcode/login/initialize", ["user_id": Grace.id])
        #expect(started.status == .internalServerError)
        #expect(try bench.messages.allSatisfy { $0.message.to.address != Grace.address })
        #expect(!bench.journal.contains { $0.event == "passcode sent" && $0.subject == Grace.address })
    }

    @Test func `a flow whose step cannot be written down stays where it was`() throws {
        let bench = try TestBench.profile(
            config: Self.storing + "\"password\": {\"optional\": true}", ada: AdaHas.email, AdaHas.password)
        var client = try bench.profileFlow()
        let (href, token) = (try client.href("password_delete"), client.token)
        try bench.world.database.write { try $0.execute("DROP TABLE hanko_audit_log") }

        try client.post(href, token: token, [:])
        #expect(client.error == "technical_error")
        #expect(try bench.requireAda().password != nil)
    }

    @Test func `a webhook hears nothing of what was taken back`() throws {
        try withHookReceiver { receiver, url in
            let bench = try TestBench.admin(
                config: Self.storing,
                section:
                    "\"webhooks\": [{\"callback\": \"\(url)/hook\", \"events\": [\"user\", \"email.send\"]}]")
            try bench.world.database.write { try $0.execute("DROP TABLE hanko_audit_log") }

            let started = try bench.post("/hanko/passcode/login/initialize", ["user_id": Ada.id])
            #expect(started.status == .internalServerError)
            #expect(bench.admin(.delete, "/users/\(Grace.id)").status == .noContent)
            try bench.awaitCalls(1)
            #expect(try receiver.received.map { try bench.claims(of: $0)["evt"] } == ["user.delete"])
        }
    }

    @Test func `hooks that are switched off or want other events hear nothing`() throws {
        try withHookReceiver { receiver, url in
            let bench = try TestBench.admin(
                section: """
                    "webhooks": [
                        {"callback": "\(url)/off", "events": ["user"], "enabled": false},
                        {"callback": "\(url)/other", "events": ["user.update", "email.send"]},
                        {"callback": "\(url)/longer", "events": ["user.update", "user.delete"]},
                        {"callback": "\(url)/exact", "events": ["user.delete"]},
                        {"callback": "\(url)/shorter", "events": ["email.send", "user"]},
                    ]
                    """)

            #expect(bench.admin(.delete, "/users/\(Grace.id)").status == .noContent)
            try bench.awaitCalls(3)
            #expect(receiver.received.map(\.path) == ["/longer", "/exact", "/shorter"])
        }
    }
}
