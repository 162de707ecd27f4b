import HTTP
import PlatformKit

/// Somebody who has records, over all platforms where the mail address is the same; where a platform knows no address, the user's id.
struct RecordOwner {
    /// As the platforms and the cast know them, in lower case: mail address and user ids.
    private(set) var names: Set<String>
    /// What people call them.
    let name: String
    /// Nil where nobody knows one.
    let address: String?
    /// Newest first.
    private(set) var records: [ConsoleRecord] = []

    /// Whether a name is one of theirs, without regard to case.
    func isCalled(_ name: String) -> Bool { names.contains(name.lowercased()) }

    /// The same with those of the records that fit; nil without any.
    func keeping(_ fits: (ConsoleRecord) -> Bool) -> RecordOwner? {
        var owner = self
        owner.records = records.filter(fits)
        return owner.records.isEmpty ? nil : owner
    }

    /// Owners in the order of their newest record, and the records of nobody.
    ///
    /// - Parameters:
    ///   - records: newest first, all that there are: one may tell whose address another's user id is.
    ///   - people: the cast.
    static func sorted(
        _ records: [ConsoleRecord], people: [Person]
    ) -> (owners: [RecordOwner], others: [ConsoleRecord]) {
        let book = OwnerBook(records, people: people)
        var owners: [RecordOwner] = []
        var places: [String: Int] = [:]
        var others: [ConsoleRecord] = []
        for record in records {
            guard let user = record.user, !user.isEmpty else {
                others.append(record)
                continue
            }
            let key = book.key(of: user, at: record.platform)
            let place = places[key] ?? owners.count
            if place == owners.count {
                places[key] = place
                owners.append(book.owner(key))
            }
            owners[place].names.insert(user.lowercased())
            owners[place].records.append(record)
        }
        return (owners, others)
    }
}

/// Which addresses people have.
private struct OwnerBook {
    private let people: [Person]
    /// In lower case, by platform and user id.
    private var addresses: [String: String] = [:]
    /// Titles of users, by key.
    private var titles: [String: String] = [:]

    init(_ records: [ConsoleRecord], people: [Person]) {
        self.people = people
        for record in records where record.kind == "user" {
            guard let user = record.user else { continue }
            let told = record.facts.lazy.map(\.value).first(where: Self.isAddress)
            if let told { addresses[Self.name(user, record.platform)] = told.lowercased() }
            let key = key(of: user, at: record.platform)
            if !Self.isAddress(record.title) { titles[key] = titles[key] ?? record.title }
        }
    }

    private static func name(_ user: String, _ platform: String) -> String { platform + "/" + user }

    private static func isAddress(_ text: String) -> Bool {
        text.utf8.count <= 320 && text.wholeMatch(of: /[^\s@,]+@[^\s@,]+/) != nil
    }

    /// The address, or else the id, in lower case.
    func key(of user: String, at platform: String) -> String {
        if Self.isAddress(user) { return user.lowercased() }
        if let address = addresses[Self.name(user, platform)] { return address }
        return people.first { $0.id == user }?.email.lowercased() ?? user.lowercased()
    }

    func owner(_ key: String) -> RecordOwner {
        let person = people.first { $0.email.lowercased() == key }
        let names = [key] + (person.map { [$0.id.lowercased()] } ?? [])
        return RecordOwner(
            names: Set(names), name: person?.name ?? titles[key] ?? key,
            address: Self.isAddress(key) ? key : nil)
    }
}
