import Crypto
import Essentials
import HTTP

// What the server API shows of the platform's values. Times are whole seconds since 1970: the description does not say the unit.

extension JSONValue {
    /// An object of those members that have a value.
    static func members(_ members: KeyValuePairs<String, JSONValue?>) -> [String: JSONValue] {
        var object: [String: JSONValue] = [:]
        for (name, value) in members { object[name] = value }
        return object
    }
}

extension Account {
    /// Source: API description 2.2, `Account`.
    ///
    /// - Parameter instance: the device that has it.
    func members(_ instance: Instance?) -> [String: JSONValue] {
        JSONValue.members([
            "id": .integer(id), "description": .string(description), "blocked": .boolean(isBlocked),
            "clientVersion": instance.map { .string($0.clientVersion) },
            "created": .integer(createdAt.unixSeconds),
            "lastlogin": lastLoginAt.map { .integer($0.unixSeconds) },
            "lastprovoke": lastProvokedAt.map { .integer($0.unixSeconds) },
            "userid": user.map(JSONValue.string),
        ])
    }

    /// By which a list of accounts can be sorted.
    static let columns = [
        "id", "description", "blocked", "clientVersion", "created", "lastlogin", "lastprovoke", "userid",
    ]

    /// The public key in Base64.
    var standardPublicKey: String { Base64.encode(Base64URL.decode(publicKey) ?? []) }
}

extension User {
    /// Source: API description 2.2, `User`.
    func members(accountCount: Int) -> [String: JSONValue] {
        JSONValue.members([
            "userid": .string(id), "lastlogin": lastLoginAt.map { .integer($0.unixSeconds) },
            "numberaccounts": .integer(accountCount),
        ])
    }

    /// By which a list of users can be sorted.
    static let columns = ["userid", "lastlogin", "numberaccounts"]
}

extension Server {
    /// Source: API description 2.2, `Server`.
    func members(_ figures: AccountFigures, for request: Request) -> [String: JSONValue] {
        JSONValue.members([
            "serverid": .string(id), "serverpk": .string(publicKey), "serverName": .string(name),
            "logo": .string(logo), "pingTime": .integer(pingTime), "pinTimeout": .integer(pinTimeout),
            "pinTransTimeout": .integer(pinTransTimeout), "serverFlags": JSONValue(flags),
            "accountCount": .integer(figures.count),
            "lastLogin": figures.lastLoginAt.map { .integer($0.unixSeconds) },
            "appandroid": appAndroid.map(JSONValue.string),
            "appios": appIOS.map(JSONValue.string), "appname": appName.map(JSONValue.string),
            "appurl": appURL.map(JSONValue.string), "owner": owner.map(JSONValue.integer),
            "siteurl": siteURL.map(JSONValue.string),
            "wsurl": .string(webSocketURL(for: request)),
        ])
    }
}

extension Grant {
    /// Source: API description 2.2, `Permission`.
    var json: JSONValue {
        .object(
            JSONValue.members([
                "acl": .string(permissions.map(\.rawValue).joined(separator: ",")), "role": .string(role),
                "server": server.map(JSONValue.string),
            ]))
    }
}

extension APIKey {
    /// Source: API description 2.2, `ApiKey`.
    var json: JSONValue {
        ["apikey": .string(key), "description": .string(description), "role": .string(role)]
    }
}

extension Response {
    /// What succeeds and has nothing to say.
    static let done = Response()
}
