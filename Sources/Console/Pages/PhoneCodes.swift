import Phone
import PlatformKit

/// A request that waits for an answer on a phone.
struct PhoneRequestPlace {
    let phone: String
    let request: PhoneRequest
}

extension Console {
    /// The phones on which a transaction waits, as they know it.
    func askedPhones(of transaction: Transaction, _ world: World) throws -> [PhoneRequestPlace] {
        guard transaction.isOpen else { return [] }
        return try phoneNames(world).flatMap { name in
            try phones.look(at: name, in: world).requests
                .filter { $0.id == transaction.id && $0.kind != "offline" }
                .map { PhoneRequestPlace(phone: name, request: $0) }
        }
    }

    /// Codes of open transactions and of enrolments that wait, the newest of each first.
    func shownCodes(_ world: World) throws -> [ShownCode] {
        func code(_ text: String, _ what: String, _ kind: String, _ platform: String, _ user: String?)
            -> ShownCode
        {
            ShownCode(
                name: what.shownTitle, kind: kind,
                platform: info.platforms.first { $0.name == platform }?.title ?? platform, user: user,
                text: text)
        }
        let transactions = try watch(world).all().filter(\.isOpen).compactMap { one in
            one.code.map { code($0, one.title, one.kind, one.platform, one.user) }
        }
        let records = try enrolments(world).map {
            code($0.code ?? "", $0.title, $0.kind, $0.platform, $0.user)
        }
        return Array(transactions.prefix(Self.shownCodesLimit)) + records
    }

    /// Of each sort, the newest.
    private static let shownCodesLimit = 50

    /// Records with a code to be scanned, the newest of them; what is a transaction too is left to these.
    func enrolments(_ world: World) throws -> [ConsoleRecord] {
        let known = Set(try watch(world).all().map(\.id))
        let waiting = try recordWatch(world).all().filter { $0.code != nil && !known.contains($0.id) }
        return Array(waiting.prefix(Self.shownCodesLimit))
    }

    /// What ``HTML/scanners(_:base:phones:)`` asks for.
    func phoneNames(_ world: World) throws -> [String] { try Phones(world).all().map(\.name) }
}
