import PlatformKit

extension NextAuthError {
    var explanation: String {
        switch self {
        case .keyMissing:
            "The header X-apikey is missing; every call of the server API names the API key of a role in it."
        case .keyUnknown(let key):
            "No role has the API key \"\(key.prefix(60))\". The fixtures bring keys, POST /apikeys/ makes more."
        case .permissionMissing(let permission, let role):
            "The call needs the permission \"\(permission.rawValue)\" on this server, or globally; the role \(role) has "
                + "neither. Grant it: POST /servers/SERVERID/permissions/ROLEID."
        case .permissionsMissing(let permissions, let role):
            "The call needs one of the permissions \(Self.list(permissions)) on this server, or globally; the role \(role) "
                + "has none of them. Grant one: POST /servers/SERVERID/permissions/ROLEID."
        case .permissionMissingEverywhere(let permissions, let role):
            "The call needs one of the global permissions \(Self.list(permissions)); the role \(role) has none of them."
        case .impersonationForbidden(let role):
            "The header X-su asks to act as another role, which needs the global permission \"root\" or \"setrid\"; "
                + "the role \(role) has neither."
        case .roleUnknown(let id): "There is no role \"\(id.prefix(60))\"."
        case .nonceMissing:
            "The header X-nonce is missing; it names the session: the text that the back end chose for its own."
        case .inputInvalid(let reason): reason
        case .serverUnknown(let id):
            "There is no server \"\(id.prefix(60))\". The id is the Base64 text of \"serverid\", percent-encoded or in its "
                + "URL-safe form."
        case .userUnknown(let id): "The server has no user \"\(id.prefix(60))\"."
        case .accountUnknown(let id): "The server has no account \"\(id.prefix(60))\"."
        case .userIDForbidden(let id):
            "A user id has 1 to \(User.idLimit) characters, this one has \(id.count)."
        case .userRoleless(let id):
            "The user \"\(id.prefix(60))\" has no role; POST to the same path makes one."
        case .transactionUnknown(let id): "The server has no transaction \"\(id.prefix(60))\"."
        case .nobodyLoggedIn:
            "Nobody is logged in on this session. It is found by X-nonce: the same text as when the code was made."
        case .provocationImpossible(let reason): reason
        case .notEmulated(let reason): reason
        case .pathUnknown: "Nothing answers at this path."
        case .methodUnknown(let allow): "The path answers \(allow) alone."
        case .broken: "The emulator failed."
        }
    }

    private static func list(_ permissions: [Permission]) -> String {
        permissions.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    }
}
