import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

struct ProfileEmailTests {
    private static let new = "new@example.com"

    @Test func `a new address is confirmed by a passcode and then the user's`() throws {
        let bench = try TestBench.profile()
        var client = try bench.profileFlow()
        #expect(
            client.inputs(of: "email_create") == [
                "email": ["name": "email", "type": "email", "max_length": 120, "required": true]
            ])

        try client.run("email_create", ["email": " NEW@Example.com "])
        #expect(client.state == "passcode_confirmation")
        #expect(client.payload == [:])
        #expect(client.actions == ["back", "resend_passcode", "verify_passcode"])
        let message = try #require(try bench.messages.first?.message)
        #expect(message.to.address == Self.new)
        #expect(message.subject.contains("verify your email address"))
        #expect(try bench.requireAda().emails.count == 1)

        try client.run("verify_passcode", ["code": .string(try client.code())])
        client.expectProfile()
        let emails = try bench.requireAda().emails
        #expect(emails.map(\.address) == [Ada.address, Self.new])
        #expect(emails.map(\.isVerified) == [true, true])
        #expect(emails.map(\.isPrimary) == [true, false])
        #expect(client.payload["user"]?["emails"]?.array?.count == 2)
        #expect(client.actions.contains("email_set_primary"))
    }

    @Test func `nothing else is asked of somebody who confirmed an address`() throws {
        // A sign-up would go on to a second factor here.
        let bench = try TestBench.profile(
            config: #""mfa": {"acquire_on_registration": true, "acquire_on_login": true}"#)
        var client = try bench.profileFlow()

        try client.run("email_create", ["email": .string(Self.new)])
        try client.run("verify_passcode", ["code": .string(try client.code())])
        client.expectProfile()
    }

    @Test func `back from the passcode leads to the profile, and forth again to the same code`() throws {
        let bench = try TestBench.profile()
        var client = try bench.profileFlow()

        try client.run("email_create", ["email": .string(Self.new)])
        let code = try client.code()
        try client.run("back")
        client.expectProfile()
        #expect(try bench.requireAda().emails.count == 1)
        try client.run("email_create", ["email": .string(Self.new)])
        #expect(try bench.messages.count == 1)
        try client.run("verify_passcode", ["code": .string(code)])
        client.expectProfile()
        #expect(try bench.requireAda().emails.count == 2)
    }

    @Test func `an address of somebody else looks like a free one, and gets a notice without a code`() throws
    {
        let bench = try TestBench.profile()
        var client = try bench.profileFlow()

        try client.run("email_create", ["email": .string(Grace.address)])
        #expect(client.state == "passcode_confirmation")
        #expect(client.status == 200)
        #expect(client.payload == [:])
        #expect(client.body["error"] == nil)
        #expect(client.actions == ["back", "resend_passcode", "verify_passcode"])
        let message = try #require(try bench.messages.first?.message)
        #expect(message.to.address == Grace.address)
        #expect(message.subject == "Provided email address already taken")
        #expect(message.code == nil)
        #expect(bench.events.contains { $0.event == "address taken" })

        try client.run("verify_passcode", ["code": "123456"])
        #expect(client.error == "form_data_invalid_error")
        try client.run("back")
        client.expectProfile()
        #expect(try bench.account(Grace.id)?.emails.map(\.address) == [Grace.address])
        #expect(try bench.requireAda().emails.map(\.address) == [Ada.address])
    }

    @Test(arguments: [
        (Ada.address, ""), (Grace.address, #""privacy": {"show_account_existence_hints": true}"#),
        (Grace.address, #""email": {"require_verification": false}"#),
    ])
    func `an address that is known already is told where that gives nothing away`(
        address: String, config: String
    ) throws {
        let bench = try TestBench.profile(config: config)
        var client = try bench.profileFlow()

        try client.run("email_create", ["email": .string(address)])
        #expect(client.state == "profile_init")
        #expect(client.status == 400)
        #expect(client.error == "form_data_invalid_error")
        #expect(client.inputError("email", of: "email_create") == "email_already_exists")
        #expect(try bench.messages.isEmpty)
    }

    @Test func `an address that is not an address is invalid`() throws {
        let bench = try TestBench.profile()
        var client = try bench.profileFlow()

        try client.run("email_create", ["email": "no address"])
        #expect(client.inputError("email", of: "email_create") == "value_invalid_error")
        try client.run("email_create", ["email": ""])
        #expect(client.inputError("email", of: "email_create") == "value_missing_error")
    }

    @Test func `without verification a new address is the user's at once`() throws {
        let bench = try TestBench.profile(config: #""email": {"require_verification": false}"#)
        var client = try bench.profileFlow()

        try client.run("email_create", ["email": .string(Self.new)])
        client.expectProfile()
        let emails = try bench.requireAda().emails
        #expect(emails.map(\.address) == [Ada.address, Self.new])
        #expect(emails.last?.isVerified == false)
        #expect(emails.last?.isPrimary == false)
        #expect(try bench.messages.isEmpty)
    }

    @Test func `the first address of a user is the primary one`() throws {
        let bench = try TestBench.profile(
            config: #""username": {"enabled": true}"#, ada: AdaHas.username)
        var client = try bench.profileFlow()

        try client.run("email_create", ["email": .string(Self.new)])
        try client.run("verify_passcode", ["code": .string(try client.code())])
        client.expectProfile()
        #expect(try bench.requireAda().primaryEmail?.address == Self.new)
    }

    @Test(arguments: [
        (#""email": {"enabled": false}"#, "email.enabled is false"),
        (#""email": {"limit": 1}"#, "email.limit is 1, and the user has as many addresses"),
    ])
    func `no address is added beyond what the configuration allows`(config: String, reason: String) throws {
        let bench = try TestBench.profile(config: config)

        let client = try bench.profileFlow()
        #expect(!client.actions.contains("email_create"))
        #expect(bench.suspends("email_create", because: reason))
    }

    @Test func `another address becomes the primary one`() throws {
        let bench = try TestBench.profile(ada: AdaHas.emails)
        var client = try bench.profileFlow()
        #expect(
            client.inputs(of: "email_set_primary") == [
                "email_id": ["name": "email_id", "type": "string", "required": true, "hidden": true]
            ])

        try client.run("email_set_primary", ["email_id": .string(AdaHas.secondID)])
        client.expectProfile()
        #expect(try bench.requireAda().primaryEmail?.id == AdaHas.secondID)
        #expect(try bench.requireAda().emails.filter(\.isPrimary).count == 1)
        try client.run("email_set_primary", ["email_id": .string(AdaHas.secondID)])
        client.expectProfile()
    }

    @Test(arguments: ["email_set_primary", "email_verify"])
    func `an address that is not the user's is not found`(action: String) throws {
        let bench = try TestBench.profile(ada: AdaHas.emails)
        var client = try bench.profileFlow()

        try client.run(action, ["email_id": .string(Grace.emailID)])
        #expect(client.state == "profile_init")
        #expect(client.status == 404)
        #expect(
            client.body["error"]
                == ["code": "not_found", "message": "The requested resource was not found."])
        #expect(client.payload["user"]?["id"]?.string == Ada.id)
    }

    @Test func `with one address there is nothing to make primary and nothing to verify`() throws {
        let bench = try TestBench.profile()

        let client = try bench.profileFlow()
        #expect(!client.actions.contains("email_set_primary"))
        #expect(bench.suspends("email_set_primary", because: "there is no address but the primary one"))
        #expect(bench.suspends("email_verify", because: "every address is verified"))
    }

    @Test func `an unverified address is verified by a passcode`() throws {
        let bench = try TestBench.profile(ada: AdaHas.emails)
        var client = try bench.profileFlow()
        #expect(
            client.inputs(of: "email_verify") == [
                "email_id": ["name": "email_id", "type": "string", "required": true, "hidden": true]
            ])

        try client.run("email_verify", ["email_id": .string(AdaHas.secondID)])
        #expect(client.state == "passcode_confirmation")
        #expect(try bench.messages.first?.message.to.address == AdaHas.secondAddress)
        try client.run("verify_passcode", ["code": .string(try client.code())])
        client.expectProfile()
        let emails = try bench.requireAda().emails
        #expect(emails.map(\.isVerified) == [true, true])
        #expect(emails.map(\.isPrimary) == [true, false])
        #expect(!client.actions.contains("email_verify"))
    }

    @Test func `an address that is not the primary one is deleted`() throws {
        let bench = try TestBench.profile(ada: AdaHas.emails)
        var client = try bench.profileFlow()
        #expect(
            client.inputs(of: "email_delete") == [
                "email_id": [
                    "name": "email_id", "type": "string", "required": true, "hidden": true,
                    "allowed_values": [
                        ["value": .string(AdaHas.secondID), "name": .string(AdaHas.secondAddress)]
                    ],
                ]
            ])

        try client.run("email_delete", ["email_id": .string(Ada.emailID)])
        #expect(client.status == 400)
        #expect(client.inputError("email_id", of: "email_delete") == "value_invalid_error")
        try client.run("email_delete", ["email_id": .string(AdaHas.secondID)])
        client.expectProfile()
        #expect(try bench.requireAda().emails.map(\.address) == [Ada.address])
    }

    @Test func `the last address stays, and a foreign one is not found`() throws {
        let bench = try TestBench.profile()
        var client = try bench.profileFlow()
        #expect(
            client.inputs(of: "email_delete") == [
                "email_id": ["name": "email_id", "type": "string", "required": true, "hidden": true]
            ])

        try client.run("email_delete", ["email_id": .string(Ada.emailID)])
        #expect(client.status == 403)
        #expect(client.error == "operation_not_permitted_error")
        #expect(client.state == "profile_init")
        try client.run("email_delete", ["email_id": .string(Grace.emailID)])
        #expect(client.status == 404)
        #expect(client.error == "not_found")
        #expect(try bench.requireAda().emails.count == 1)
        #expect(try bench.account(Grace.id)?.emails.count == 1)
    }

    @Test func `the last address goes where addresses are optional and a passkey is there`() throws {
        let bench = try TestBench.profile(
            config: #""email": {"optional": true}"#, ada: AdaHas.email, AdaHas.credentials(passkeys: 1))
        var client = try bench.profileFlow()

        try client.run("email_delete", ["email_id": .string(Ada.emailID)])
        client.expectProfile()
        #expect(try bench.requireAda().emails.isEmpty)
        #expect(client.payload["user"]?["emails"] == nil)
    }
}
