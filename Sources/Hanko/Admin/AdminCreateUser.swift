import Essentials
import HTTP
import PlatformKit
import SQLite

/// A user that is made from outside, with everything checked that needs no look at the others.
struct NewUser: Sendable {
    struct Address: Sendable {
        /// Lower case.
        let address: String
        let isPrimary: Bool
        let isVerified: Bool
    }

    var id: String?
    var addresses: [Address] = []
    var username: String?
    var createdAt: Date?
    var passwordHash: PasswordHash?
}

extension Hanko {
    /// Addresses that one call may bring; ours.
    private static let newAddressLimit = 100

    /// `POST /users`: makes a user, with addresses, a username or both.
    ///
    /// - Request: `{"id"?: uuid, "emails"?: [{"address", "is_primary", "is_verified"}], "username"?, "created_at"?: time}`;
    ///   addresses and username are lower-cased.
    /// - Response: `200`, the ``AdminUser``. Webhook `user.create`.
    /// - Errors: 400 for neither address nor username, none or several primary addresses, one twice, one that is none; 409 when
    ///   the id, an address or the username exists.
    /// - Source: Hanko 2.7, admin API.
    func adminCreateUser(_ request: Request) throws -> Response {
        let new = try Self.newUser(request.members())
        let announcer = try announcer(request)
        let account = try world.change { try announcer.create(new, in: $0) }
        return try .hanko(AdminUser(account))
    }

    private static func newUser(_ input: Members) throws -> NewUser {
        let (id, createdAt) = (try input.optionalText("id"), try input.optionalText("created_at"))
        let username = try input.optionalText("username")
        let addresses = try addresses(input)
        guard !addresses.isEmpty || username != nil else {
            throw wrong("Expected an address in “emails”, a “username”, or both; there is neither.")
        }
        let primary = addresses.filter(\.isPrimary).count
        guard addresses.isEmpty || primary == 1 else {
            throw wrong("Exactly one address must have \"is_primary\": true, here \(primary) have.")
        }
        return NewUser(
            id: try id.map(Self.id), addresses: addresses, username: try username.map(AdminRules.username),
            createdAt: try createdAt.map(time))
    }

    private static func addresses(_ input: Members) throws -> [NewUser.Address] {
        let emails = try input.optionalMembers("emails") ?? []
        guard emails.count <= newAddressLimit else {
            throw wrong("Expected at most \(newAddressLimit) addresses, found \(emails.count).")
        }
        var check = Validation()
        let addresses = try emails.map { email in
            NewUser.Address(
                address: check.required("address", try email.optionalText("address"), .email).lowercased(),
                isPrimary: try email.optionalBoolean("is_primary") ?? false,
                isVerified: try email.optionalBoolean("is_verified") ?? false)
        }
        if Set(addresses.map(\.address)).count < addresses.count {
            check.add(Violation(field: "emails", rule: .unique, value: ""))
        }
        try check.finish()
        return addresses
    }

    private static func id(_ text: String) throws -> String {
        guard let id = UUIDText.parsed(text) else {
            throw wrong("Expected a UUID in “id”, found “\(text.prefix(60))”.")
        }
        return id
    }

    private static func time(_ text: String) throws -> Date {
        guard let time = Timestamp.parse(text), WorldClock.range.contains(time) else {
            throw wrong(
                "Expected an RFC 3339 time from 1970 to 9999 in “created_at”, found “\(text.prefix(60))”."
            )
        }
        return time
    }

    private static func wrong(_ reason: String) -> HankoRefusal { AdminRefusal.memberWrong(reason) }
}

extension Announcer {
    /// Makes the user. An address that is nobody's yet becomes this user's.
    func create(_ new: NewUser, in turn: Turn) throws -> Account {
        let (entropy, now) = (world.services.entropy, turn.now)
        let id = new.id ?? entropy.uuid(for: "hanko.user")
        try turn.db.checkNew(new, id)
        let createdAt = new.createdAt ?? now
        try turn.insert(
            User(id: id, username: new.username, createdAt: createdAt, updatedAt: max(createdAt, now)))
        for address in new.addresses {
            try turn.assign(address, to: id, newID: entropy.uuid(for: "hanko.email"))
        }
        if let hash = new.passwordHash {
            try turn.db.setPassword(hash, of: id, id: entropy.uuid(for: "hanko.password"), at: now)
        }
        let account = try turn.db.requireAccount(id)
        turn.note(
            "user created", about: account.primaryEmail?.address ?? id,
            "The user \(id) was created from outside, for "
                + (new.addresses.map(\.address) + [new.username].compactMap(\.self)).joined(separator: ", ")
                + ".")
        try announce(.userCreate, of: account, in: turn)
        return account
    }
}

extension Connection {
    fileprivate func checkNew(_ new: NewUser, _ id: String) throws {
        if try user(id) != nil { throw AdminRefusal.userExists(id) }
        if let name = new.username, let owner = try user(named: name) {
            throw AdminRefusal.usernameTaken(name, userID: owner.id)
        }
        for address in new.addresses {
            if let owner = try email(address: address.address)?.userID {
                throw AdminRefusal.addressTaken(address.address, userID: owner)
            }
        }
    }
}

extension Turn {
    /// Gives an address that is nobody's to a user.
    ///
    /// - Parameter newID: of the row, when the address is new.
    @discardableResult
    func assign(_ new: NewUser.Address, to userID: String, newID: String) throws -> Email {
        let known = try db.email(address: new.address)
        let email = Email(
            id: known?.id ?? newID, userID: userID, address: new.address, isVerified: new.isVerified,
            isPrimary: new.isPrimary, createdAt: known?.createdAt ?? now, updatedAt: now)
        if known == nil {
            try db.insert(email)
        } else {
            try db.confirm(email)
        }
        return email
    }
}
