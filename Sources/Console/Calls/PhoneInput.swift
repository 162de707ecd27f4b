import Crypto
import HTTP
import Phone
import PlatformKit

// What the bodies of the calls about phones say.

extension JSONBody {
    /// Of several of an app; empty for the first.
    func account() throws -> String? { try value("account", String.self, expected: "the name of an account") }

    func way() throws -> PhoneAnswer.Way? {
        let known = PhoneAnswer.Way.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", ")
        return try word("with", expected: known)
    }

    /// A word of an enumeration.
    func word<Word: RawRepresentable<String>>(_ name: String, expected: String) throws -> Word? {
        guard let text = try value(name, String.self, expected: expected) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw ControlError.parameter(name, expected: expected, given: "“\(text)”")
        }
        return word
    }
}

extension TypedIn {
    init(_ body: JSONBody) throws {
        self.init()
        pin = try body.value("pin", String.self, expected: "a text")
        otp = try body.value("otp", String.self, expected: "a text")
        puk = try body.value("puk", String.self, expected: "ten digits")
        provider = try body.value("provider", String.self, expected: "the name of a provider")
        usesBiometry = try body.value("biometry", Bool.self, expected: "true or false") ?? true
        version = try body.value("protocol", String.self, expected: "a version such as “3.3”, or a suite")
        application = try body.value("application", String.self, expected: "the id of an application")
        user = try body.value("user", String.self, expected: "a user's id")
    }
}

extension Phone {
    /// What the members of a body say; null takes the owner away.
    mutating func change(_ body: JSONBody) throws {
        if let owner = try body.value("owner", String.self, expected: Self.ownerRule) {
            guard 1...255 ~= owner.unicodeScalars.count else {
                throw ControlError.parameter("owner", expected: Self.ownerRule, given: "“\(owner)”")
            }
            self.owner = owner
        }
        if body.isNull("owner") { owner = nil }
        if let mail = try body.value("mail", String.self, expected: Self.mailRule) {
            guard 3...255 ~= mail.unicodeScalars.count, mail.contains("@") else {
                throw ControlError.parameter("mail", expected: Self.mailRule, given: "“\(mail)”")
            }
            self.mail = mail
        }
        if body.isNull("mail") { mail = nil }
        model = try body.word("model", expected: "“ios” or “android”") ?? model
        network = try body.word("network", expected: "“online”, “offline” or “slow”") ?? network
        policy = try body.word("policy", expected: PhonePolicy.forms) ?? policy
        if body.isNull("policies") { policies = nil }
        let words = "an object of policies, by app or app/kind"
        for (scope, value) in try body.value("policies", [String: String?].self, expected: words) ?? [:] {
            let policy = value.flatMap(PhonePolicy.init(rawValue:))
            if let value, policy == nil {
                throw ControlError.parameter(
                    "policies." + scope, expected: PhonePolicy.forms, given: "“\(value)”")
            }
            try set(policy, for: scope)
        }
        if body.isNull("sdks") { sdks = nil }
        let generations = "an object of generations of SDKs, by app"
        for (platform, name) in try body.value("sdks", [String: String?].self, expected: generations) ?? [:] {
            try set(sdk: name, of: platform)
        }
        let seconds = "whole seconds from \(Phone.clockSkews.lowerBound) to \(Phone.clockSkews.upperBound)"
        if let skew = try body.value("clockSkew", Int.self, expected: seconds) {
            guard Phone.clockSkews.contains(skew) else {
                throw ControlError.parameter("clockSkew", expected: seconds, given: String(skew))
            }
            clockSkew = skew
        }
        enrolsAtFirstUse =
            try body.value("enrolsAtFirstUse", Bool.self, expected: "true or false") ?? enrolsAtFirstUse
        keepsAlive = try body.value("keepsAlive", Bool.self, expected: "true or false") ?? keepsAlive
    }

    private static let mailRule = "an email address, 3 to 255 characters"
    private static let ownerRule = "the id of a user, 1 to 255 characters"
}
