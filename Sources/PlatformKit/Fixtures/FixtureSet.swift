import Crypto

/// One fixture file, or several laid over one another.
package struct FixtureSet: Sendable {
    let root: FixtureNode
    /// SHA-256 over the texts that this was made of, and how: two sets with the same digest say the same.
    let digest: [UInt8]

    private init(root: FixtureNode, digest: [UInt8]) {
        self.root = root
        self.digest = digest
    }

    /// - Parameter file: how error messages call the text.
    /// - Throws: ``FixtureError`` when the text is no JSON object.
    package init(text: [UInt8], file: String) throws {
        let start = FixtureNode.Position(file: file, line: 1, column: 1)
        digest = Digest.sha256(text)
        guard let text = String(validating: text, as: UTF8.self) else {
            throw FixtureError(position: start, field: "", reason: "the file is not UTF-8 text")
        }
        root = try FixtureParser.parse(text, file: file)
        guard case .object = root.value else {
            throw FixtureError(at: root, path: [], reason: "expected an object, found \(root.shown)")
        }
    }

    /// This set with `later` laid over it: entries with the same `id` or `kid` are replaced, others added.
    package func merged(with later: FixtureSet) -> FixtureSet {
        FixtureSet(root: root.merged(with: later.root), digest: Digest.sha256(digest + later.digest))
    }

    /// This set with the signing keys of `other` where it brings none of its own.
    package func borrowingKeys(from other: @autoclosure () throws -> FixtureSet) rethrows -> FixtureSet {
        guard root.member(KeyFixture.section) == nil, case .object(let mine) = root.value else { return self }
        let other = try other()
        guard case .object(let theirs) = other.root.value,
            let keys = theirs.first(where: { $0.key == KeyFixture.section })
        else { return self }
        return FixtureSet(
            root: FixtureNode(value: .object(mine + [keys]), position: root.position),
            digest: Digest.sha256(digest + Array(KeyFixture.section.utf8) + other.digest))
    }

    /// The section `name`; an empty object where the file has none.
    func section(_ name: String) -> FixtureNode {
        root.member(name) ?? FixtureNode(value: .object([]), position: root.position)
    }

    /// Whether the section `name` is the one of `other`, not laid over by another file.
    func hasSection(_ name: String, of other: FixtureSet) -> Bool {
        guard let mine = root.member(name), let theirs = other.root.member(name) else { return false }
        return mine.position == theirs.position
    }

    func decode<Value: Decodable>(_ type: Value.Type, section name: String) throws -> Value {
        do {
            return try FixtureDecoder.decode(type, from: section(name), at: [name])
        } catch let error as FixtureError {
            throw error.written(in: root)
        }
    }

    /// Refuses top-level members that nobody reads.
    func refuseSections(besides known: [String]) throws {
        guard case .object(let members) = root.value else { return }
        for member in members where !known.contains(member.key) && !member.key.hasPrefix("$") {
            throw FixtureError(
                position: member.keyPosition, field: member.key, path: [member.key],
                reason: "unknown section\(Suggestion.question(member.key, among: known)); known here: "
                    + known.sorted().joined(separator: ", "))
        }
    }

    /// Runs `body`, and gives a ``FixtureProblem`` that it throws its place in the file.
    func locating(_ section: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let problem as FixtureProblem {
            throw error(of: problem, in: section)
        }
    }

    /// A problem with its place in the file.
    func error(of problem: FixtureProblem, in section: String) -> FixtureError {
        let path = [section] + problem.path
        return FixtureError(
            at: root.nearest(to: path), path: root.written(path), reason: problem.reason
        ).written(in: root)
    }

    /// The same set with another content, for a check alone.
    func with(root: FixtureNode) -> FixtureSet { FixtureSet(root: root, digest: digest) }
}
