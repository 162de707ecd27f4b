import Essentials

/// A part of another program's file, read member by member. Whatever nobody reads has no place here, and is told at the end.
struct Foreign {
    /// What was read of a file, and what is to be said of it.
    ///
    /// A class: the parts of a file, which are handed around as values, write into one.
    final class Ledger {
        fileprivate var read: Set<String> = []
        fileprivate var entered: Set<String> = [""]
        fileprivate(set) var notes: [String] = []
        /// Whether `ClientId` and `clientId` are one member, as for programs in C#.
        let ignoresCase: Bool

        init(ignoresCase: Bool) { self.ignoresCase = ignoresCase }
    }

    let value: JSONValue
    /// Such as `clients[].redirectUris`, without indexes: what many entries have is told once.
    let path: String
    let ledger: Ledger

    init(_ value: JSONValue, ignoringCase: Bool = false) {
        (self.value, path, ledger) = (value, "", Ledger(ignoresCase: ignoringCase))
    }

    private init(_ value: JSONValue, _ path: String, _ ledger: Ledger) {
        (self.value, self.path, self.ledger) = (value, path, ledger)
    }

    /// A member whose own members are read one by one; nil where there is none, or it is null.
    func part(_ name: String) -> Foreign? {
        guard let (spelled, found) = find(name) else { return nil }
        let part = Foreign(found, join(spelled), ledger)
        ledger.read.insert(part.path)
        ledger.entered.insert(part.path)
        return part
    }

    /// The elements of a member that is a list; none where it is something else.
    func parts(_ name: String) -> [Foreign] {
        guard case .array? = find(name)?.value else { return [] }
        return part(name)?.elements ?? []
    }

    /// Of a part that is a list itself.
    var elements: [Foreign] {
        ledger.entered.insert(path + "[]")
        return value.array?.map { Foreign($0, path + "[]", ledger) } ?? []
    }

    /// Read as it is, whatever it is.
    func any(_ name: String) -> JSONValue? { taking(name) { $0 } }

    /// Numbers count as texts, which other programs do not tell apart.
    func text(_ name: String) -> String? {
        taking(name) { value in value.string ?? value.integer.map(String.init) }
    }

    func flag(_ name: String) -> Bool? {
        taking(name) { value in value.boolean ?? value.string.flatMap { Bool($0.lowercased()) } }
    }

    func number(_ name: String) -> Int? {
        taking(name) { value in value.integer ?? value.string.flatMap { Int($0) } }
    }

    func texts(_ name: String) -> [String] { taking(name) { $0.strings ?? $0.string.map { [$0] } } ?? [] }

    /// Members that mean nothing to others, such as ids of a database.
    func pass(_ names: String...) { for name in names { _ = any(name) } }

    /// A sentence about what has no place here, once.
    func note(_ sentence: String) {
        if !ledger.notes.contains(sentence) { ledger.notes.append(sentence) }
    }

    private func taking<Kind>(_ name: String, _ read: (JSONValue) -> Kind?) -> Kind? {
        guard let (spelled, value) = find(name), let found = read(value) else { return nil }
        ledger.read.insert(join(spelled))
        return found
    }

    private func find(_ name: String) -> (name: String, value: JSONValue)? {
        let found = value.object?.first {
            $0.key == name || ledger.ignoresCase && $0.key.lowercased() == name.lowercased()
        }
        return found.flatMap { $0.value.isNull ? nil : ($0.key, $0.value) }
    }

    private func join(_ name: String) -> String { path.isEmpty ? name : path + "." + name }
}

extension Foreign {
    /// The members that nobody read and that say something, with how often each is there, in the order of their names.
    var unread: [(path: String, count: Int)] {
        var counts: [String: Int] = [:]
        countUnread(into: &counts)
        return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func countUnread(into counts: inout [String: Int]) {
        guard ledger.entered.contains(path) else { return }
        for element in value.array ?? [] { Foreign(element, path + "[]", ledger).countUnread(into: &counts) }
        for (name, value) in value.object ?? [:] where value.saysSomething {
            let member = Foreign(value, join(name), ledger)
            if ledger.read.contains(member.path) {
                member.countUnread(into: &counts)
            } else {
                counts[member.path, default: 0] += 1
            }
        }
    }
}

extension JSONValue {
    /// Whether it is more than what programs write out as their default: false, 0, nothing.
    fileprivate var saysSomething: Bool {
        switch self {
        case .null, .boolean(false), .integer(0), .string(""), .array([]), .object([:]): false
        default: true
        }
    }

    /// This with `later` laid over it: objects member by member, lists one behind the other.
    func joined(with later: JSONValue) -> JSONValue {
        switch (self, later) {
        case (.object(let mine), .object(let theirs)): .object(mine.merging(theirs) { $0.joined(with: $1) })
        case (.array(let mine), .array(let theirs)): .array(mine + theirs.filter { !mine.contains($0) })
        default: later
        }
    }
}
