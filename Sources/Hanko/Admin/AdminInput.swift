import Essentials
import HTTP
import PlatformKit
import SQLite

/// What the endpoints of the admin API take from path and body.
extension Hanko {
    /// The id of a user in the path of the endpoints that parse it by themselves: in any case.
    func adminUserID(_ request: Request) throws -> String {
        let text = request.parameter("id")
        guard let id = UUIDText.parsed(text) else { throw AdminRefusal.idMalformed(text) }
        return id
    }

    /// Ids in the path of the endpoints that validate them: in lower case.
    ///
    /// - Parameter names: of the parameters in the route, by the name that violations give them.
    func adminIDs(_ request: Request, _ names: KeyValuePairs<String, String>) throws -> [String] {
        var check = Validation()
        let ids = names.map { name, parameter in
            check.required(name, request.parameter(parameter), .uuid)
        }
        try check.finish(isWrapped: true)
        return ids
    }

    /// The user whose id is in the path, of the endpoints that validate it.
    func adminUserParameter(_ request: Request) throws -> String {
        try adminIDs(request, ["user_id": "id"])[0]
    }

    func requireAccount(_ id: String) throws -> Account { try database.read { try $0.requireAccount(id) } }
}

extension Connection {
    func requireUser(_ id: String) throws -> User {
        guard let user = try user(id) else { throw AdminRefusal.userUnknown(id) }
        return user
    }

    func requireAccount(_ id: String) throws -> Account {
        guard let account = try account(id) else { throw AdminRefusal.userUnknown(id) }
        return account
    }
}

/// Members of users that have rules of their own.
enum AdminRules {
    /// Characters that a name or username may have; ours.
    static let textLimit = 255
    /// Characters that the URL of a picture may have. Source: published description of the admin API, `maxLength`.
    static let pictureLimit = 2048

    /// In lower case. Source: Hanko 2.7: `^\w+$`.
    static func username(_ text: String) throws -> String {
        guard 1...textLimit ~= text.utf8.count,
            text.utf8.allSatisfy({
                switch $0 {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"): true
                default: false
                }
            })
        else {
            throw AdminRefusal.memberWrong(
                "Expected 1 to \(textLimit) letters, digits and underscores in “username”, found “\(text.prefix(60))”."
            )
        }
        return text.lowercased()
    }

    static func name(_ text: String, _ member: String) throws -> String {
        guard text.contains(where: { !$0.isWhitespace }), text.count <= textLimit else {
            throw AdminRefusal.memberWrong(
                "Expected 1 to \(textLimit) characters in “\(member)” that are not all blanks, found "
                    + "\(text.count); null clears the member.")
        }
        return text
    }

    static func picture(_ text: String) throws -> String {
        guard WebhookRules.isURL(text), !text.prefix(while: { $0 != "?" }).contains("@"),
            text.count <= pictureLimit
        else {
            throw AdminRefusal.memberWrong(
                "Expected an http or https URL without credentials in “picture”, found “\(text.prefix(100))”."
            )
        }
        return text
    }
}
