import Essentials
import PlatformKit

extension MobileAuthenticationSettings {
    /// What the shape cannot say.
    ///
    /// - Throws: ``FixtureProblem`` with a path below this section.
    func check() throws {
        for (index, type) in types.enumerated() { try check(type, at: index) }
        for (index, receiver) in callbacks.enumerated() { try check(receiver, at: index) }
        try FixtureRules.require(0...10, callbackRetries, at: ["callback_retries"])
        try FixtureRules.require(1...10_000, messageLimit, at: ["message_limit"])
        if let deepLink, !deepLink.contains(":") {
            throw FixtureProblem(
                at: ["deep_link"], "expected a URL such as “myapp://login”, found “\(deepLink)”")
        }
    }

    private func check(_ type: MobileAuthenticationType, at index: Int) throws {
        let path = ["types", String(index)]
        if types[..<index].contains(where: { $0.name == type.name }) {
            throw FixtureProblem(at: path + ["name"], "the type “\(type.name)” appears twice")
        }
        if type.name.isEmpty { throw FixtureProblem(at: path + ["name"], "expected a name") }
        try FixtureRules.require(1...86_400, type.expiresIn, at: path + ["expires_in"])
        try FixtureRules.require(0...1000, type.maxResends, at: path + ["max_resends"])
        try FixtureRules.require(0...1000, type.maxAttempts, at: path + ["max_attempts"])
        if type.isSigning, !type.method.isPush {
            throw FixtureProblem(at: path + ["signing"], "only a push can carry data to sign")
        }
        try checkFallback(of: type, at: path + ["fallback"])
    }

    private func checkFallback(of type: MobileAuthenticationType, at path: [String]) throws {
        guard let name = type.fallback else { return }
        guard type.method.isPush else {
            throw FixtureProblem(at: path, "only a type of a push method falls back to another one")
        }
        guard let other = self.type(name), other.method == .sms else {
            let known = types.filter { $0.method == .sms }.map(\.name)
            throw FixtureProblem(
                at: path,
                "expected the name of a type of method SMS, one of: "
                    + (known.isEmpty ? "none is there" : known.joined(separator: ", ")))
        }
    }

    private func check(_ receiver: CallbackReceiver, at index: Int) throws {
        let path = ["callbacks", String(index)]
        guard CallbackAddress.fault(of: receiver.url) == nil else {
            throw FixtureProblem(
                at: path + ["url"], "expected an absolute http or https URL, found “\(receiver.url)”")
        }
        if callbacks[..<index].contains(where: { $0.url == receiver.url }) {
            throw FixtureProblem(at: path + ["url"], "the URL “\(receiver.url)” appears twice")
        }
        if receiver.username?.contains(":") == true {
            // RFC 7617 §2.
            throw FixtureProblem(at: path + ["username"], "a user name of HTTP Basic has no colon")
        }
        if receiver.password != nil, receiver.username == nil {
            throw FixtureProblem(at: path + ["password"], "a password without a user name is never sent")
        }
    }
}
