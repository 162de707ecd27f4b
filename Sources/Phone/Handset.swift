import Crypto
package import Essentials
package import HTTP
package import PlatformKit

/// What a phone has for its apps: a clock, chance, a network, and what each app was built with.
package struct Handset: Sendable {
    package let phone: Phone
    /// Of the app, where it has several; empty for the first.
    let account: String
    /// One for each application of the app's platform, or for each version of one.
    package let configurations: [AppConfiguration]
    /// Where the platforms of the world are: `http://127.0.0.1:8420/w/blue`.
    let base: String
    /// What those send who want a refusal explained: `1`, or the control token where one is asked for.
    let explainKey: String
    let world: World
    /// A new key of RSA with 2,048 bits, which may be long in coming.
    let newRSAKey: @Sendable () throws -> PrivateKey

    /// Milliseconds since 1970, by the clock of the phone.
    package var milliseconds: Int { now.unixMilliseconds }

    /// By the clock of the phone.
    package var now: Date { worldNow.adding(seconds: phone.clockSkew) }
    /// By the world's clock, which timers of apps obey.
    package var worldNow: Date { world.services.clock.now() }

    /// What an app tells its platform as the name of the device.
    var deviceName: String { "Phone " + phone.name + (account.isEmpty ? "" : ", " + account) }

    /// Where platforms send pushes for the app: what it tells them as the token of the vendor's push service.
    var pushToken: String { Self.pushToken(of: phone.name, account) }

    static func pushToken(of phone: String, _ account: String) -> String {
        pushPrefix + phone + (account.isEmpty ? "" : ":" + account)
    }

    /// Phone and account that pushes with this token are for; nil for another's.
    static func recipient(ofPushTo token: String) -> (phone: String, account: String)? {
        guard token.hasPrefix(pushPrefix) else { return nil }
        let parts = token.dropFirst(pushPrefix.count).split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }

    private static let pushPrefix = "phone:"

    package func draw(_ count: Int) -> [UInt8] {
        world.services.entropy.bytes(count, "phones." + phone.name)
    }

    /// Asks a platform, whose refusal comes with the journal's explanation.
    ///
    /// - Parameter path: with the base path of the platform: `/enrollment-server/pa/v3/status`.
    /// - Throws: `WebCallFailed`, also when the phone is offline.
    package func send(
        _ method: String, _ path: String, headers: [(name: String, value: String)], body: [UInt8]
    ) throws -> Response {
        guard phone.network != .offline else { throw WebCallFailed("the phone is offline") }
        var fields = Headers()
        if let address { fields.add("Host", address) }
        for (name, value) in headers { fields.add(name, value) }
        fields.add("X-Understudy-Explain", explainKey)
        fields.add(
            "X-Request-Id", Self.mark(phone.name) + world.services.entropy.identifier(for: "phones.request"))
        return try world.services.web.send(Request.Method(rawValue: method), base + path, fields, body)
    }

    /// By which name the phone calls the program, as its owner's browser does: what the platforms tell of their addresses begins with that.
    private var address: String? {
        let authority = base.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true).dropFirst()
            .first
        guard let authority, authority.hasPrefix("127.0.0.1:") else { return nil }
        return "localhost" + authority.drop { $0 != ":" }
    }

    /// The place of the program as the phone calls it: `http://localhost:8420`.
    var origin: String {
        let parts = base.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard let address, let scheme = parts.first else { return parts.prefix(3).joined(separator: "/") }
        return scheme + "//" + address
    }

    /// What the paths of its world begin with: `/w/blue`, or nothing.
    var worldPath: String {
        let parts = base.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count > 3 ? "/" + parts[3] : ""
    }

    /// What the ids of its requests in the journal begin with.
    package static func mark(_ phone: String) -> String { "phone.\(phone)." }
}
