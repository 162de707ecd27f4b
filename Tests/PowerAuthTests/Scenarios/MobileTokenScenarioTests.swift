import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import TestKit
import Testing

/// What an app with the Mobile Token SDK calls beside operations.
@Suite struct MobileTokenScenarioTests {
    @Test(arguments: Device.Version.allCases)
    func `messages are listed, read and counted`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        for number in 1...3 {
            try stage.backEnd(
                .post, "/v2/inbox/messages",
                [
                    "userId": "eva", "subject": .string("Message #\(number)"), "summary": "The summary",
                    "body": "The body of it", "type": "html", "silent": true,
                ])
            try stage.bench.clock.advance(seconds: 1)
        }
        #expect(try phone.unreadMessages() == 3)
        let page = try phone.messages(size: 2)
        #expect(page.map(\.subject) == ["Message #3", "Message #2"])
        #expect(try phone.messages(page: 1, size: 2).map(\.subject) == ["Message #1"])
        #expect(try phone.messages(page: 2, size: 2).isEmpty)
        let message = try phone.message(page[0].id)
        #expect(message.body == "The body of it")
        #expect(message.type == "html")
        #expect(!message.isRead)

        try phone.markRead(message.id)
        try phone.markRead(message.id)
        #expect(try phone.unreadMessages() == 2)
        #expect(try phone.messages(onlyUnread: true).map(\.subject) == ["Message #2", "Message #1"])
        try phone.markAllRead()
        #expect(try phone.unreadMessages() == 0)

        let other = try stage.makeActivePhone(version, user: "carl")
        let refusal = #expect(throws: ServerRefusal.self) { _ = try other.message(message.id) }
        #expect(refusal?.status == 400)
        #expect(refusal?.code == "INBOX_FAILED")
    }

    @Test(arguments: Device.Version.allCases)
    func `a device says where pushes go`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        for platform in ["apns", "fcm", "hms", "ios", "android", "huawei"] {
            try phone.registerPush(platform: platform, token: "token-\(platform)")
        }
        try phone.registerPush(platform: "apns", token: "t", environment: "development", isNewPath: true)
        for (platform, token) in [("palm", "t"), ("apns", " ")] {
            let refusal = #expect(throws: ServerRefusal.self) {
                try phone.registerPush(platform: platform, token: token)
            }
            #expect(refusal?.status == 400)
            #expect(refusal?.code == "INVALID_REQUEST")
        }
    }

    @Test(arguments: Device.Version.allCases)
    func `an app gives a code to another app of its house`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        let otp = "0123456789abcdef"
        let spawned = try phone.activationCode(
            forApplication: "other-app", otp: otp, with: .pin(Stage.pin))
        let other = try stage.makePhone(version, application: "other-app")
        #expect(spawned.code.isSigned(by: other.configuration.masterKey))
        let request = ActivationRequest(.code(spawned.code.text), otp: otp)
        #expect(try other.activate(request, pin: Stage.pin).activationID == spawned.activationID)
        #expect(try other.status().state == .active)

        let refusal = #expect(throws: ServerRefusal.self) {
            try phone.activationCode(forApplication: "none", otp: otp, with: .pin(Stage.pin))
        }
        #expect(refusal?.code == "ACTIVATION_CODE_FAILED")
    }

    @Test(arguments: Device.Version.allCases)
    func `an app without an activation learns of a provider`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makePhone(version)
        for (provider, isPKCE) in [("plain", false), ("pkce", true)] {
            #expect(
                try phone.openIDConfiguration(provider: provider, isWrapped: isPKCE)
                    == [
                        "providerId": .string(provider), "clientId": "client", "scopes": "openid",
                        "authorizeUri": "https://issuer.example/authorize",
                        "redirectUri": "com.example.app:/oidc", "pkceEnabled": .boolean(isPKCE),
                    ])
        }
        let refusal = #expect(throws: ServerRefusal.self) { try phone.openIDConfiguration(provider: "none") }
        #expect(refusal?.status == 400)
        #expect(refusal?.code == "APPLICATION_CONFIGURATION_ERROR")
    }

    @Test func `texts come in the language of the device`() throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(style: DeviceStyle(.android, language: "cs"))
        let id = try stage.startOperation("login", on: phone)
        #expect(try phone.operation(id).title == "Přihlášení")
        phone.style.language = "de-AT"
        #expect(try phone.operation(id).title == "Log in")
    }
}
