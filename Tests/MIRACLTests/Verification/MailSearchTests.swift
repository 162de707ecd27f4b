import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import MIRACL

@Suite struct MailSearchTests {
    @Test func `mails are found by sender, recipient and time, the newest first`() throws {
        let bench = try TestProject.bench()
        _ = try bench.mail()
        _ = try bench.mail(["userId": "bob@example.org"])
        try bench.clock.advance(seconds: 100)
        let after = Int(bench.clock.now.timeIntervalSince1970)
        _ = try bench.mail()
        let search = { (query: String) in
            try #require(
                bench.get("/miracl/api/v1/search?query=" + query.percentEncoded).members["messages"]?.array
            )
        }

        #expect(try search("from:noreply@trust.miracl.cloud").count == 3)
        let own = try search("from:noreply@trust.miracl.cloud to:ada@example.org")
        #expect(own.count == 2)
        let recent = try search("to:ada@example.org after:\(after)")
        #expect(recent.count == 1)
        #expect(recent.first?["ID"] == own.first?["ID"])
        #expect(try search("to:ada@example.org after:\(after + 1)").isEmpty)
        #expect(try search("to:carol@example.org").isEmpty)
        #expect(try search("subject:registration").count == 3)
    }

    @Test func `a mail is read whole`() throws {
        let bench = try TestProject.bench()
        let sent = try #require(try bench.mail().mail)
        let found = bench.get("/miracl/api/v1/search?query=to:ada@example.org").members["messages"]?.array
        let id = try #require(found?.first?["ID"]?.string)

        let mail = bench.get("/miracl/api/v1/message/" + id).members

        #expect(mail["ID"]?.string == id)
        #expect(mail["From"] == ["Name": "Blue", "Address": "noreply@trust.miracl.cloud"])
        #expect(mail["To"] == [["Name": "", "Address": "ada@example.org"]])
        #expect(mail["Subject"]?.string == sent.message.subject)
        #expect(mail["Text"]?.string == sent.message.text)
        #expect(mail["HTML"]?.string == sent.message.html)
        #expect(mail["Date"]?.string?.hasSuffix("Z") == true)
    }

    @Test func `mails of other platforms are not told of`() throws {
        let bench = try TestProject.bench()
        let address = Message.Address("ada@example.org")
        try bench.world.services.outbox.deliver(
            Message(kind: "passcode", from: address, to: address, subject: "a", text: "b", source: "hanko"))
        let id = try #require(try bench.messages.first).id

        #expect(bench.get("/miracl/api/v1/search?query=").members["total"] == 0)
        #expect(bench.get("/miracl/api/v1/message/\(id)").status == .notFound)
        #expect(bench.explanation == "The outbox of this world has no mail of MIRACL with the ID “\(id)”.")
    }

    @Test(arguments: [
        "/api/v1/search?query=to:ada@example.org", "/api/v1/message/1", "/otpgen?client_id=shop",
    ])
    func `what only the developer reads asks for the control token where there is one`(_ path: String) throws
    {
        let bench = try TestBench(
            MIRACL.self, fixtures: TestProject.fixtures(), controlToken: "open-sesame")
        _ = try bench.mail()

        let missing = bench.get("/miracl" + path)
        #expect(missing.status == .unauthorized)
        #expect(missing.headers["WWW-Authenticate"]?.hasPrefix("Bearer") == true || path.hasPrefix("/otpgen"))
        #expect(bench.explanation?.contains("--control-token") == true)
        let wrong = bench.get("/miracl" + path, headers: ["Authorization": "Bearer open"])
        #expect(wrong.status == .unauthorized && !wrong.text.contains("ada@example.org"))
        let right = bench.get("/miracl" + path, headers: ["Authorization": "Bearer open-sesame"])
        #expect(right.status == .ok)
        #expect(bench.misshapenExplanations.isEmpty)
    }

    @Test func `no web page of another origin reads them`() throws {
        let bench = try TestProject.bench()
        for path in ["/api/v1/search?query=", "/api/v1/message/1", "/otpgen?client_id=shop"] {
            let answer = bench.get("/miracl" + path, headers: ["Origin": "https://evil.example"])
            #expect(answer.headers["Access-Control-Allow-Origin"] == nil, "\(path)")
        }
    }

    @Test func `mails that are not there and times that are none are refused`() throws {
        let bench = try TestProject.bench()

        for id in ["1", "x"] {
            let missing = bench.get("/miracl/api/v1/message/" + id)
            #expect(missing.status == .notFound)
            #expect(missing.json == refusal("NOT_FOUND", "Not found"))
        }
        let wrong = bench.get("/miracl/api/v1/search?query=after:yesterday")
        #expect(wrong.status == .badRequest)
        #expect(
            wrong.json
                == refusal("INVALID_REQUEST_PARAMETERS", "Invalid request parameters", ["params": "query"]))
        #expect(bench.misshapenExplanations.isEmpty)
    }
}
