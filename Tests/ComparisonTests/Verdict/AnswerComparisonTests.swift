import Essentials
import HTTP
import Testing

@testable import Comparison

/// What of an answer differs, and what does not.
@Suite struct AnswerComparisonTests {
    private static let url = "http://localhost:8420/w/rec/hanko/config"

    /// The verdict on an answer that both worlds give alike.
    private func verdict(
        _ recorded: (headers: [String: String], text: String), _ ours: (headers: Headers, text: String),
        status: Int = 200
    ) throws -> String {
        var recording = SmallRecording()
        recording.add("GET", Self.url, status: status, answer: recorded.headers, text: recorded.text)
        return try recording.verdicts(["GET /hanko/config"]) { _, _, _, _ in
            Stage.Answer(status: status, headers: ours.headers, body: Array(ours.text.utf8))
        }[0]
    }

    @Test(
        arguments: [
            // Names with signs, digits and hashes are names.
            (
                #"{"_links":1,"2fa":1,"x5t#S256":1,"sha256":1}"#, "{}",
                "body 2fa, body _links, body sha256, body x5t#S256"
            ),
            (#"{"6f1c2b9e-70a4-4c4f-9d5e-0a1b2c3d4e5f":1,"6f1c2b9e70a44c4f9d5e0a1b2c3d4e5f":1}"#, "{}", nil),
            // Lists with an entry that is no word.
            (#"{"a":["code","code id_token"]}"#, #"{"a":["code"]}"#, "body a"),
            (#"{"a":["Google","Sign in with X"]}"#, #"{"a":["Google"]}"#, "body a"),
            (#"{"a":[]}"#, #"{"a":["Google"]}"#, "body a"),
            (#"{"a":["b","c"]}"#, #"{"a":["c","b"]}"#, nil),
            // A space where a parser of ISO 8601 wants a T.
            (#"{"a":"2026-01-01 00:00:00Z"}"#, #"{"a":"2026-01-01T00:00:00Z"}"#, "body a"),
            (#"{"a":"2025-01-01T00:00:00Z"}"#, #"{"a":"2026-01-01T00:00:00Z"}"#, nil),
            // What Spring says.
            (#"{"error":"Bad Request"}"#, #"{"error":"invalid_client"}"#, "body error"),
            (#"{"message":"Bad Request"}"#, #"{"message":"invalid_client"}"#, nil),
            ("OK", "{}", "body"),
        ] as [(String, String, String?)])
    func `members, lists and texts`(recorded: String, ours: String, differs: String?) throws {
        let type = "application/json"
        let found = try verdict((["Content-Type": type], recorded), (["Content-Type": type], ours))
        let places = found.replacing("differs: ", with: "").split(separator: ", ").sorted()
        #expect(places.joined(separator: ", ") == differs ?? "agrees")
    }

    @Test(arguments: [
        (
            "Bearer error=\"invalid_token\", error_description=\"Old, or \\\"new\\\"\"",
            "Bearer error=\"invalid_token\"", true
        ),
        ("Bearer, DPoP algs=\"ES256\"", "DPoP algs=\"ES256\", Bearer", true),
        ("Bearer realm=\"a\"", "Bearer realm=\"b\"", true),
        ("Bearer, DPoP algs=\"ES256\"", "Bearer", false),
        ("Bearer error=\"invalid_token\"", "Bearer error=\"invalid_request\"", false),
        ("Bearer error=\"invalid_token\"", "Bearer", false),
    ])
    func `challenges of all fields, in any order`(recorded: String, ours: String, agrees: Bool) throws {
        let found = try verdict(
            (["WWW-Authenticate": recorded], ""), (["WWW-Authenticate": ours], ""), status: 401)
        #expect(found == (agrees ? "agrees" : "differs: header WWW-Authenticate"))
    }

    // A pattern that begins anew at each letter takes minutes.
    @Test(.timeLimit(.minutes(1))) func `a challenge of megabytes is read once`() throws {
        let long = "Bearer " + String(repeating: "a", count: 1 << 20)
        #expect(
            try verdict((["WWW-Authenticate": long], ""), (["WWW-Authenticate": long], ""), status: 401)
                == "agrees")
    }

    @Test(arguments: [
        ("a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "a=; Max-Age=0", "agrees"),
        ("a=deleted; Expires=Thu, 01-Jan-70 00:00:00 GMT", "a=deleted; Max-Age=0", "agrees"),
        ("a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "a=b; Max-Age=300", "differs: cookie a value"),
        ("a=b; Expires=Wed, 09 Jun 2100 10:18:14 GMT", "a=b", "differs: cookie a Max-Age"),
        ("a=b; Expires=Wed, 09 Jun 2100 10:18:14 GMT", "a=b; Max-Age=300", "agrees"),
    ])
    func `how long a cookie is kept`(recorded: String, ours: String, verdict expected: String) throws {
        #expect(try verdict((["Set-Cookie": recorded], ""), (["Set-Cookie": ours], "")) == expected)
    }

    @Test(arguments: [
        ("http://localhost/cb?x=one&x=two", "http://localhost/cb?x=one&x=two", true),
        ("http://localhost/cb?x=one&x=two", "http://localhost/cb?x=one&x=three", false),
        ("http://localhost/cb/", "http://localhost/cb", false),
    ])
    func `where a redirect leads`(recorded: String, ours: String, agrees: Bool) throws {
        let found = try verdict((["Location": recorded], ""), (["Location": ours], ""), status: 302)
        #expect(found.hasPrefix(agrees ? "agrees" : "differs: header Location"))
    }

    @Test func `a list in another order does not swap its words in later requests`() throws {
        let type = ["Content-Type": "application/json"]
        var recording = SmallRecording()
        recording.add(
            "GET", Self.url, answer: type, text: #"{"grants":["client_credentials","refresh_token"]}"#)
        recording.add("GET", Self.url + "?grant=client_credentials", answer: type, text: "{}")
        let verdicts = try recording.verdicts(["GET /hanko/config"]) { _, _, url, _ in
            let text =
                url.contains("grant=")
                ? url.contains("client_credentials") ? "{}" : #"{"a":1}"#
                : #"{"grants":["refresh_token","client_credentials"]}"#
            return Stage.Answer(
                status: 200, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
        }
        #expect(verdicts == ["agrees", "agrees"])
    }

    @Test func `who answered and who asks ties nothing together`() throws {
        var recording = SmallRecording()
        let asked = ["X-Device-Id": "6f1c2b9e-70a4-4c4f-9d5e-0a1b2c3d4e5f"]
        let answer = [
            "Content-Type": "application/json", "Server": "nginx/1.25.3 (Ubuntu)",
            "ETag": "W/\"9f86d081884c7d65\"",
        ]
        recording.add("GET", Self.url, asked, status: 503, answer: answer, text: "{}")
        recording.add("GET", Self.url, asked, answer: answer, text: #"{"more":1}"#)
        let verdicts = try recording.verdicts(["GET /hanko/config"]) { _, _, _, _ in
            Stage.Answer(status: 200, headers: ["Content-Type": "application/json"], body: Array("{}".utf8))
        }
        #expect(verdicts == ["differs: status", "differs: body more"])
    }
}
