import Essentials
import PlatformKit

/// What a caller sets of a callback; nil keeps what is there.
struct CallbackInput: Sendable {
    var name: String?
    var url: String?
    var attributes: [String]?
    var httpBasic: [String: JSONValue]?
    var oauth2: [String: JSONValue]?
    var maxAttempts: Int?
    var initialBackoff: String?
    var retentionPeriod: String?

    /// Notes in `input` what is wrong. The kind decides which attributes there are.
    init(_ input: Members, kind: CallbackKind?) throws {
        name = try input.optionalText("name", 1...255)
        url = try input.optionalText("callbackUrl", 1...1024)
        attributes = try input.optionalTexts("attributes")?.unique
        maxAttempts = try input.optionalInteger("maxAttempts", 1...64)
        initialBackoff = try Self.duration(input, "initialBackoff")
        retentionPeriod = try Self.duration(input, "retentionPeriod")
        if let unknown = attributes?.first(where: { kind?.attributes.contains($0) == false }), let kind {
            try input.refuse(
                "attributes",
                "members of \(kind.rawValue), which are \(kind.attributes.joined(separator: ", ")), and not \(unknown)"
            )
        }
        try readAuthentication(input)
    }

    private static func duration(_ input: Members, _ name: String) throws -> String? {
        guard let text = try input.optionalText(name, 1...64) else { return nil }
        if ISODuration(text) == nil { try input.refuse(name, "a duration of ISO 8601 such as PT2S or P30D") }
        return text
    }

    private mutating func readAuthentication(_ input: Members) throws {
        guard let authentication = try input.optionalObject("authentication") else { return }
        httpBasic = authentication["httpBasic"]?.object
        oauth2 = authentication["oauth2"]?.object
        if authentication["certificate"]?["enabled"] == true {
            try input.refuse("authentication", "httpBasic or oauth2: client certificates are not emulated")
        }
        for (name, members) in [("httpBasic", httpBasic), ("oauth2", oauth2)] {
            for (key, value) in members ?? [:] where !value.isNull {
                let isRight = key == "enabled" ? value.boolean != nil : value.string != nil
                if !isRight {
                    try input.refuse(
                        "authentication", "\(name).\(key) that is a text, or true or false for enabled")
                }
            }
        }
    }

    /// Whether `url` can be called.
    var hasUsableURL: Bool { url.map(Self.isUsable) ?? true }

    static func isUsable(url: String) -> Bool {
        let shape = /https?:\/\/[^\/?#@]+([\/?].*)?/
        return url.utf8.allSatisfy { 0x21...0x7E ~= $0 } && url.wholeMatch(of: shape) != nil
    }

    /// An omitted secret keeps its old value, other members of a group that is given are replaced.
    func apply(to callback: inout RegisteredCallback) {
        callback.name = name ?? callback.name
        callback.url = url ?? callback.url
        callback.attributes = attributes ?? callback.attributes
        callback.maxAttempts = maxAttempts ?? callback.maxAttempts
        callback.initialBackoff = initialBackoff ?? callback.initialBackoff
        callback.retentionPeriod = retentionPeriod ?? callback.retentionPeriod
        if let basic = httpBasic {
            callback.authentication.httpBasic = .init(
                enabled: basic["enabled"]?.boolean ?? false, username: basic["username"]?.string,
                password: basic["password"]?.string ?? callback.authentication.httpBasic?.password)
        }
        if let oauth2 {
            callback.authentication.oauth2 = .init(
                enabled: oauth2["enabled"]?.boolean ?? false, clientId: oauth2["clientId"]?.string,
                clientSecret: oauth2["clientSecret"]?.string
                    ?? callback.authentication.oauth2?.clientSecret, tokenUri: oauth2["tokenUri"]?.string,
                scope: oauth2["scope"]?.string)
        }
    }
}

extension RegisteredCallback {
    /// What the APIs tell of it: everything but the secrets.
    ///
    /// - Parameter type: the kind as the API calls it.
    func members(type: String) -> [String: JSONValue] {
        [
            "id": .string(id), "name": .string(name), "type": .string(type), "callbackUrl": .string(url),
            "attributes": JSONValue(attributes), "authentication": .object(authentication.withoutSecrets),
            "maxAttempts": .integer(maxAttempts), "initialBackoff": .string(initialBackoff),
            "retentionPeriod": .string(retentionPeriod),
        ]
    }
}

extension CallbackAuthentication {
    fileprivate var withoutSecrets: [String: JSONValue] {
        var groups: [String: JSONValue] = [:]
        if let basic = httpBasic {
            var members: [String: JSONValue] = ["enabled": .boolean(basic.enabled)]
            members["username"] = basic.username.map(JSONValue.string)
            groups["httpBasic"] = .object(members)
        }
        if let oauth2 {
            var members: [String: JSONValue] = ["enabled": .boolean(oauth2.enabled)]
            members["clientId"] = oauth2.clientId.map(JSONValue.string)
            members["tokenUri"] = oauth2.tokenUri.map(JSONValue.string)
            members["scope"] = oauth2.scope.map(JSONValue.string)
            groups["oauth2"] = .object(members)
        }
        return groups
    }
}
