import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

/// Deletion of the account, and metadata.
struct ProfileAccountTests {
    @Test func `an account is deleted with all that is its own, and the cookie is cleared`() throws {
        let bench = try TestBench.profile(
            config: #""account": {"allow_deletion": true}"#, ada: AdaHas.email, AdaHas.password, AdaHas.otp)
        var client = try bench.profileFlow()
        #expect(client.inputs(of: "account_delete") == [:])

        try client.run("account_delete")
        #expect(
            client.body == [
                "name": "account_deleted", "status": 200, "payload": [:],
                "csrf_token": .string(client.token), "actions": [:], "links": .null,
            ])
        #expect(
            client.response.headers.values(of: "Set-Cookie")
                == ["hanko=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict"])
        #expect(try bench.account() == nil)
        #expect(try bench.account(Grace.id) != nil)

        let after = try FlowClient(bench, "/profile", headers: client.headers)
        #expect(after.status == 401)
    }

    @Test func `an account stays where deletion is not allowed`() throws {
        let bench = try TestBench.profile()
        var client = try bench.profileFlow()
        #expect(!client.actions.contains("account_delete"))
        #expect(bench.suspends("account_delete", because: "account.allow_deletion is false"))

        try client.force("account_delete")
        #expect(client.status == 403)
        #expect(try bench.account() != nil)
    }

    // RFC 7396 appendix A, as far as the target is an object, which metadata always is.
    static let patches: [(target: String, patch: String, result: String)] = [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#),
        (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
        (#"{}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
        // RFC 7396 §3.
        (
            #"{"title":"Goodbye!","author":{"givenName":"John","familyName":"Doe"},"tags":["example","sample"],"content":"This will be unchanged"}"#,
            #"{"title":"Hello!","phoneNumber":"+01-123-456-7890","author":{"familyName":null},"tags":["example"]}"#,
            #"{"title":"Hello!","author":{"givenName":"John"},"tags":["example"],"content":"This will be unchanged","phoneNumber":"+01-123-456-7890"}"#
        ),
    ]

    @Test(arguments: patches)
    func `metadata is merged`(target: String, patch: String, result: String) throws {
        for isText in [false, true] {
            let bench = try TestBench.profile(
                ada: AdaHas.email,
                #""metadata": {"public": {"p": 1}, "private": {"q": 2}, "unsafe": \#(target)}"#)
            var client = try bench.profileFlow()

            try client.run(
                "patch_metadata",
                ["patch_metadata": isText ? .string(patch) : try JSON(parsing: Array(patch.utf8))])
            client.expectProfile()
            let expected = try JSON(parsing: Array(result.utf8))
            #expect(
                try bench.requireAda().metadata
                    == Metadata(userID: Ada.id, public: ["p": 1], private: ["q": 2], unsafe: expected))
            #expect(
                client.payload["user"]?["metadata"]
                    == ["public_metadata": ["p": 1], "unsafe_metadata": expected])
        }
    }

    @Test(arguments: [.null, "null"] as [JSON])
    func `null clears the metadata`(patch: JSON) throws {
        let bench = try TestBench.profile(ada: AdaHas.email, #""metadata": {"unsafe": {"a": 1}}"#)
        var client = try bench.profileFlow()
        #expect(
            client.inputs(of: "patch_metadata") == [
                "patch_metadata": [
                    "name": "patch_metadata", "type": "json", "required": true, "hidden": false,
                ]
            ])

        try client.run("patch_metadata", ["patch_metadata": patch])
        client.expectProfile()
        #expect(try bench.requireAda().metadata.isEmpty)
        #expect(client.payload["user"]?["metadata"] == nil)
    }

    @Test(arguments: [nil, "", "{", "7", 7, true, [], ["a"], "[1]", "\"text\""] as [JSON?])
    func `metadata that is not an object is refused`(patch: JSON?) throws {
        let bench = try TestBench.profile(ada: AdaHas.email, #""metadata": {"unsafe": {"a": 1}}"#)
        var client = try bench.profileFlow()

        try client.run("patch_metadata", patch.map { ["patch_metadata": $0] })
        #expect(client.state == "profile_init")
        #expect(client.status == 400)
        #expect(client.error == "form_data_invalid_error")
        #expect(client.inputError("patch_metadata", of: "patch_metadata") == "invalid_metadata_error")
        #expect(try bench.requireAda().metadata.unsafe == ["a": 1])
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `metadata has at most 3000 characters after the merge`() throws {
        let bench = try TestBench.profile(ada: AdaHas.email, #""metadata": {"unsafe": {"a": "b"}}"#)
        var client = try bench.profileFlow()
        // {"a":"b","c":"…"}: 16 characters around the text, which counts characters and not bytes.
        let longest = String(repeating: "ü", count: Metadata.limit - 16)

        try client.run("patch_metadata", ["patch_metadata": ["c": .string(longest + "ü")]])
        #expect(client.inputError("patch_metadata", of: "patch_metadata") == "invalid_metadata_error")
        #expect(try bench.requireAda().metadata.unsafe == ["a": "b"])
        try client.run("patch_metadata", ["patch_metadata": ["c": .string(longest)]])
        client.expectProfile()
        #expect(try bench.requireAda().metadata.unsafe?["c"]?.string == longest)
    }

    /// Objects in each other.
    private static func nested(_ levels: Int) -> String {
        String(repeating: #"{"a":"#, count: levels) + "1" + String(repeating: "}", count: levels)
    }

    @Test func `metadata as deep as they may be do not keep their user out`() throws {
        let bench = try TestBench.profile()
        let patch = "{\"unsafe_metadata\": \(Self.nested(31))}"
        #expect(bench.admin(.patch, "/users/\(Ada.id)/metadata", patch).status == .ok)

        var client = try bench.profileFlow()
        #expect(
            client.payload["user"]?["metadata"]?["unsafe_metadata"]
                == (try JSON(parsing: Array(Self.nested(31).utf8))))
        try client.run("patch_metadata", ["patch_metadata": .string(Self.nested(32))])
        client.expectProfile()
        try client.run("patch_metadata", ["patch_metadata": .string(Self.nested(33))])
        #expect(client.inputError("patch_metadata", of: "patch_metadata") == "invalid_metadata_error")
    }
}
