import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import MIRACL

@Suite struct VerificationMailTests {
    @Test func `a mail brings a link with the code before the user, and the plus sign encoded`() throws {
        let bench = try TestProject.bench()

        let (answer, sent) = try bench.mail(["userId": "ada+test@example.org"])

        #expect(answer.status == .ok)
        #expect(answer.members["method"] == "link")
        #expect(answer.members["backoff"]?.integer == Int(bench.clock.now.timeIntervalSince1970))
        let mail = try #require(sent).message
        #expect(mail.from.address == "noreply@trust.miracl.cloud")
        #expect(mail.to.address == "ada+test@example.org")
        let code = try #require(mail.code)
        let link =
            "http://localhost:8420/miracl/verification/confirmation?code=\(code)&user_id=ada%2Btest%40example.org"
        #expect(mail.link == link)
        #expect(mail.text.contains(link))
        #expect(mail.html?.contains(link.replacing("&", with: "&amp;")) == true)
        #expect(mail.expiresAt == bench.clock.now.addingTimeInterval(3600))
    }

    @Test func `the method code brings six digits behind the words that clients look for`() throws {
        let bench = try TestProject.bench("\"verification_method\": \"code\",")

        let (answer, sent) = try bench.mail()

        #expect(answer.members["method"] == "code")
        let mail = try #require(sent).message
        let digits = try #require(
            mail.text.firstMatch(of: /Type the following code to register your device: ([0-9]{6})\n/))
        #expect(mail.code == String(digits.1))
        #expect(mail.link == nil)
    }

    @Test func `with method code a known user who comes without an M-Pin id gets a link`() throws {
        let bench = try TestProject.bench("\"verification_method\": \"code\",")
        let phone = try Phone(on: bench, activationToken: bench.activationToken())

        let (known, digits) = try bench.mail(["mpinId": .string(phone.mpinID)])
        #expect(known.members["method"] == "code")
        #expect(digits?.message.link == nil)
        let (other, link) = try bench.mail(["deviceName": "another phone"])
        #expect(other.members["method"] == "link")
        let mail = try #require(link).message
        #expect(mail.link?.contains("/miracl/verification/confirmation?code=") == true)
        #expect(try bench.confirm(#require(mail.code)).members["actToken"] != nil)
        #expect(try bench.mail(["userId": "bob@example.org"]).answer.members["method"] == "code")
    }

    @Test func `the registration of the first generation sends the same mail`() throws {
        let bench = try TestProject.bench()

        _ = try bench.put("/miracl/rps/v2/user", ["userId": "ada@example.org", "deviceName": "<phone>"])

        let mail = try #require(bench.messages.first).message
        #expect(mail.link?.contains("/miracl/verification/confirmation?code=") == true)
        #expect(mail.text.contains("“<phone>”"))
        #expect(mail.html?.contains("“&lt;phone&gt;”") == true)
    }

    @Test func `a second mail too early is refused with the time as text`() throws {
        let waiting = try TestBench(
            MIRACL.self, fixtures: #"{"miracl": {"projects": [{"id": "blue", "name": "Blue"}]}}"#)
        let until = Int(waiting.clock.now.timeIntervalSince1970) + 10

        #expect(try waiting.mail().answer.members["backoff"]?.integer == until)
        try waiting.clock.advance(seconds: 9)
        let refused = try waiting.mail().answer
        #expect(refused.status == .tooManyRequests)
        #expect(
            refused.json
                == refusal(
                    "REQUEST_BACKOFF", "Too many verification requests", ["backoff": String(until)]))
        #expect(try waiting.messages.count == 1)
        try waiting.clock.advance(seconds: 1)
        #expect(try waiting.mail().answer.status == .ok)
        #expect(waiting.misshapenExplanations.isEmpty)
        // Another user waits for nobody.
        #expect(try waiting.mail(["userId": "bob@example.org"]).answer.status == .ok)
    }

    @Test func `without credentials the older path sends a mail too`() throws {
        let bench = try TestProject.bench()

        let answer = try bench.post("/miracl/verification", ["userId": "ada@example.org"])

        #expect(answer.members["method"] == "link")
        #expect(try bench.messages.count == 1)
    }

    @Test func `no mail goes to a user of a project that verifies itself`() throws {
        let bench = try TestProject.bench("\"verification_method\": \"custom\",")

        let refused = try bench.mail().answer

        #expect(refused.status == .forbidden)
        #expect(refused.json == refusal("FORBIDDEN", "The project verifies its users itself"))
        #expect(try bench.messages.isEmpty)
    }

    @Test func `no mail goes to a user who may not register`() throws {
        let bench = try TestProject.bench("\"allowed_users\": [\"@other.example\"],")

        let refused = try bench.mail().answer

        #expect(refused.status == .forbidden)
        #expect(refused.json == refusal("FORBIDDEN", "The user is not allowed to register"))
        #expect(try bench.messages.isEmpty)
    }
}
