import Essentials
import PlatformKit

/// A user as the console shows one, and the form that makes one.
struct UserView {
    static let kind = "user"
    static let verify = "verify"

    let account: Account
    /// The address that the user registered and has not confirmed.
    let pending: Email?

    var record: ConsoleRecord {
        let name = account.primaryEmail?.address ?? account.user.username ?? pending?.address ?? account.id
        return ConsoleRecord(
            id: account.id, title: account.user.name ?? name,
            user: name, state: state, createdAt: account.user.createdAt, facts: facts, actions: actions)
    }

    private var state: String {
        if account.emails.isEmpty, account.user.username == nil { return "unconfirmed" }
        return account.hasSecondFactor ? "active, with second factor" : "active"
    }

    private var facts: [ConsoleRecord.Fact] {
        let all: [(String, String?)] = [
            ("Username", account.user.username),
            ("Addresses", lines(account.emails.map(told))), ("Waiting address", pending?.address),
            ("Password", account.password == nil ? nil : "set"),
            ("Authenticator app", account.otpSecret == nil ? nil : "set up"),
            ("Passkeys", lines(account.passkeys.map { $0.name ?? $0.id })),
            ("Security keys", lines(account.securityKeys.map { $0.name ?? $0.id })),
            ("Identities", lines(account.identities.map { "\($0.provider): \($0.subject)" })),
            ("Public metadata", account.metadata.public?.text),
            ("Private metadata", account.metadata.private?.text),
            ("Unsafe metadata", account.metadata.unsafe?.text),
            ("Changed", Timestamp.text(account.user.updatedAt)),
        ]
        return ConsoleRecord.Fact.known(all)
    }

    private func lines(_ lines: [String]) -> String? { lines.isEmpty ? nil : lines.joined(separator: "\n") }

    private func told(_ email: Email) -> String {
        let marks = [email.isPrimary ? "primary" : nil, email.isVerified ? "verified" : "not verified"]
        return "\(email.address), " + marks.compactMap(\.self).joined(separator: ", ")
    }

    private var actions: [ConsoleRecord.Action] {
        let waiting =
            account.emails.filter { !$0.isVerified }.map(\.address) + [pending?.address].compactMap(\.self)
        let address = ConsoleRecord.Input(
            "address", "Address", isRequired: true, choices: waiting, preset: waiting.first ?? "")
        let verify = ConsoleRecord.Action(Self.verify, "Verify an address", inputs: [address])
        return (waiting.isEmpty ? [] : [verify]) + [ConsoleRecord.Action("delete", "Delete", isFinal: true)]
    }

    static let form = NewRecord(
        kind: kind, title: "Create a user",
        inputs: [
            ConsoleRecord.Input("address", "Mail address"),
            ConsoleRecord.Input("verified", "Verified", choices: ["yes", "no"], preset: "yes"),
            ConsoleRecord.Input("username", "Username"), ConsoleRecord.Input("password", "Password"),
        ])

    /// - Throws: `RecordRefusal`, ``AdminRefusal``.
    static func newUser(_ inputs: [String: String]) throws -> NewUser {
        guard inputs["address"] != nil || inputs["username"] != nil else {
            throw RecordRefusal.inputMissing("address")
        }
        let verified = inputs["verified"] ?? "yes"
        guard ["yes", "no"].contains(verified) else {
            throw RecordRefusal.inputWrong(
                "Verified is “\(verified.prefix(40))”, expected yes or no.")
        }
        var new = NewUser(username: try inputs["username"].map(AdminRules.username))
        if let address = inputs["address"] {
            guard MailAddress.isValid(address) else {
                throw RecordRefusal.inputWrong(
                    "The address is “\(address.prefix(100))”, which is not an email address.")
            }
            new.addresses = [
                NewUser.Address(
                    address: address.lowercased(), isPrimary: true, isVerified: verified == "yes")
            ]
        }
        return new
    }
}
