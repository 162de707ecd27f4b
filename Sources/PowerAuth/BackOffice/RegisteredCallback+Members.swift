import Essentials

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
