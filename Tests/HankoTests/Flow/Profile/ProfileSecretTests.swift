import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Hanko

/// Passwords and usernames.
struct ProfileSecretTests {
    private static let password: JSON = [
        "password": [
            "name": "password", "type": "string", "min_length": 8, "max_length": 72, "required": true,
        ]
    ]
    private static let username: JSON = [
        "username": [
            "name": "username", "type": "string", "value": .null, "min_length": 3, "max_length": 32,
            "required": true,
        ]
    ]
    private static let usernames = #""username": {"enabled": true}"#

    @Test func `a first password is set, and then changed`() throws {
        let bench = try TestBench.profile()
        var client = try bench.profileFlow()
        #expect(client.inputs(of: "password_create") == Self.password)
        #expect(
            bench.suspends("password_update", because: "the user has no password; password_create sets one"))

        try client.run("password_create", ["password": "correct horse"])
        client.expectProfile()
        #expect(try bench.requireAda().password?.matches("correct horse") == true)
        #expect(!client.actions.contains("password_create"))
        #expect(
            bench.suspends(
                "password_create", because: "the user has a password already; password_update changes it"))
        #expect(client.inputs(of: "password_update") == Self.password)

        try client.run("password_update", ["password": "battery staple"])
        client.expectProfile()
        #expect(try bench.requireAda().password?.matches("battery staple") == true)
        #expect(try bench.requireAda().password?.matches("correct horse") == false)
    }

    @Test(arguments: [
        ("1234567", "value_too_short_error"), (String(repeating: "ä", count: 37), "value_too_long_error"),
        ("", "value_missing_error"),
    ])
    func `a password keeps its bounds, in bytes`(password: String, error: String) throws {
        for (action, members) in [
            ("password_create", [AdaHas.email]), ("password_update", [AdaHas.email, AdaHas.password]),
        ] {
            let bench = try TestBench.profile(ada: members.joined(separator: ", "))
            var client = try bench.profileFlow()
            let before = try bench.requireAda().password

            try client.run(action, ["password": .string(password)])
            #expect(client.status == 400)
            #expect(client.error == "form_data_invalid_error")
            #expect(client.inputError("password", of: action) == error)
            #expect(client.input("password", of: action)["value"] == nil)
            #expect(try bench.requireAda().password == before)
        }
    }

    @Test func `an optional password is deleted`() throws {
        let bench = try TestBench.profile(
            config: #""password": {"optional": true}"#, ada: AdaHas.email, AdaHas.password)
        var client = try bench.profileFlow()
        #expect(client.inputs(of: "password_delete") == [:])

        try client.run("password_delete")
        client.expectProfile()
        #expect(try bench.requireAda().password == nil)
        #expect(bench.suspends("password_delete", because: "the user has no password"))
        #expect(client.actions.contains("password_create"))
    }

    @Test(arguments: [
        ("", "password.optional is false"),
        (
            #""password": {"optional": true}, "email": {"use_for_authentication": false}"#,
            "nothing else would be left to sign in with"
        ),
    ])
    func `a password that is needed stays`(config: String, reason: String) throws {
        let bench = try TestBench.profile(config: config, ada: AdaHas.email, AdaHas.password)
        var client = try bench.profileFlow()
        #expect(!client.actions.contains("password_delete"))
        #expect(bench.suspends("password_delete", because: reason))

        try client.force("password_delete")
        #expect(client.error == "operation_not_permitted_error")
        #expect(try bench.requireAda().password != nil)
    }

    @Test(arguments: [AdaHas.email, AdaHas.email + ", " + AdaHas.password])
    func `without passwords nothing is done about them`(ada: String) throws {
        let bench = try TestBench.profile(config: #""password": {"enabled": false}"#, ada: ada)

        let client = try bench.profileFlow()
        for action in ["password_create", "password_update", "password_delete"] {
            #expect(!client.actions.contains(action))
            #expect(bench.suspends(action, because: "password.enabled is false"))
        }
    }

    @Test func `a first username is set, and then changed and deleted`() throws {
        let bench = try TestBench.profile(config: Self.usernames)
        var client = try bench.profileFlow()
        #expect(client.inputs(of: "username_create") == Self.username)
        #expect(
            bench.suspends("username_update", because: "the user has no username; username_create sets one"))
        #expect(bench.suspends("username_delete", because: "the user has no username"))

        try client.run("username_create", ["username": " Ada_1 "])
        client.expectProfile()
        #expect(client.payload["user"]?["username"]?["username"] == "ada_1")
        #expect(try bench.requireAda().user.username == "ada_1")
        #expect(
            bench.suspends(
                "username_create", because: "the user has a username already; username_update changes it"))
        #expect(client.inputs(of: "username_update") == Self.username)

        try client.run("username_update", ["username": "ada_2"])
        client.expectProfile()
        #expect(try bench.requireAda().user.username == "ada_2")
        #expect(client.input("username", of: "username_update")["value"] == "ada_2")
        try client.run("username_update", ["username": "ada_2"])
        client.expectProfile()

        try client.run("username_delete")
        client.expectProfile()
        #expect(try bench.requireAda().user.username == nil)
        #expect(client.payload["user"]?["username"] == nil)
    }

    @Test(arguments: [
        ("ab", "value_too_short_error"), (String(repeating: "a", count: 33), "value_too_long_error"),
        ("ada lovelace", "invalid_username_error"), ("", "value_missing_error"),
        ("grace", "username_already_exists"),
    ])
    func `a username keeps its rules, and what was typed is repeated`(username: String, error: String) throws
    {
        for (action, members) in [
            ("username_create", [AdaHas.email]), ("username_update", [AdaHas.email, AdaHas.username]),
        ] {
            let bench = try TestBench.profile(
                config: Self.usernames, ada: members.joined(separator: ", "))
            try bench.world.database.write { db in
                var grace = try #require(try db.user(Grace.id))
                grace.rename("grace", at: bench.clock.now)
                try db.update(grace)
            }
            var client = try bench.profileFlow()

            try client.run(action, ["username": .string(username)])
            #expect(client.status == 400)
            #expect(client.inputError("username", of: action) == error)
            #expect(client.input("username", of: action)["value"]?.string == username)
            #expect(try bench.account(Grace.id)?.user.username == "grace")
            #expect(try bench.requireAda().user.username == (action == "username_create" ? nil : "ada"))
        }
    }

    @Test(arguments: [
        (#""username": {"enabled": true, "optional": false}"#, AdaHas.email, "username.optional is false"),
        (
            Self.usernames, AdaHas.password,
            "the user has neither an address nor a passkey to sign in with instead"
        ), (#""username": {"enabled": false}"#, AdaHas.email, "username.enabled is false"),
    ])
    func `a username that is needed stays`(config: String, ada: String, reason: String) throws {
        let bench = try TestBench.profile(config: config, ada: AdaHas.username, ada)
        var client = try bench.profileFlow()
        #expect(!client.actions.contains("username_delete"))
        #expect(bench.suspends("username_delete", because: reason))

        try client.force("username_delete")
        #expect(client.error == "operation_not_permitted_error")
        #expect(try bench.requireAda().user.username == "ada")
    }
}
