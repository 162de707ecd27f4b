/// All mistakes of a fixture file, not the first alone.
///
/// What is wrong is left out and the rest looked at again, until nothing is wrong or a hundred mistakes are found. What is missing has a
/// value stand in for it, so that the rest of its entry is read too. What follows from something that was left out or put in is not told:
/// a member that is missing now, a reference to an entry that is gone.
extension FixtureSet {
    private static let most = 100
    /// Readings of the whole; a large file takes a second for ten.
    private static let mostReadings = 500

    /// - Parameter load: reads the set as the program would; throws a ``FixtureError`` for the first fault.
    /// - Returns: in the order of the file.
    package func faults(of sections: [any Section.Type], load: (FixtureSet) throws -> Void) throws
        -> [FixtureError]
    {
        var found: [FixtureError] = []
        var left = LeftOut()
        var set = self
        for _ in 1...Self.mostReadings where found.count < Self.most {
            do {
                try load(set)
                found += set.mistakes(of: sections).filter { !left.explains($0) }
                break
            } catch let error as FixtureError {
                if !left.explains(error) { found.append(error) }
                guard let other = left.mend(error, in: set.root) else { break }
                set = set.with(root: other)
            }
        }
        return found.sorted { ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column) }
    }

    /// What loads and is surely not meant.
    private func mistakes(of sections: [any Section.Type]) -> [FixtureError] {
        var found = findings(.mistake, of: sections)
        if case .array(let keys)? = root.member(KeyFixture.section)?.value, keys.present.isEmpty {
            let reason =
                "there is no key, so that no platform can sign a token: leave out the section to use the built-in ones"
            found.append(error(of: FixtureProblem(at: [], reason), in: KeyFixture.section))
        }
        return found
    }

    /// What the files say that changes nothing, each with its place.
    package func remarks(of sections: [any Section.Type]) -> [FixtureError] {
        findings(.remark, of: sections)
    }

    private func findings(_ weight: FixtureFinding.Weight, of sections: [any Section.Type]) -> [FixtureError]
    {
        // A section that cannot be read has told so.
        sections.compactMap { $0 as? any ReviewsFixtures.Type }
            .flatMap { (try? findings(of: $0)) ?? [] }.filter { $0.weight == weight }.map(\.error)
    }

    private func findings<S: ReviewsFixtures>(of _: S.Type) throws
        -> [(weight: FixtureFinding.Weight, error: FixtureError)]
    {
        try S.review(decode(S.Fixtures.self, section: S.name)).map {
            ($0.weight, error(of: $0.problem, in: S.name))
        }
    }
}

/// What a check left out or put in, to know what follows from it.
private struct LeftOut {
    /// Members, by their paths.
    private var members: Set<[String]> = []
    /// Members that have the name which was meant.
    private var renamed: Set<[String]> = []
    /// Lists that lost an entry.
    private var lists: Set<[String]> = []
    /// Names of entries, and texts that stand in for one.
    private var names: Set<String> = []
    /// Members that stand in for missing ones, and how many values were tried.
    private var standIns: [[String]: Int] = [:]

    /// Whether the fault is there only because of what was left out or put in.
    func explains(_ error: FixtureError) -> Bool {
        members.contains(error.path) || renamed.contains(error.path) || lists.contains(error.path)
            || standIn(above: error.path) != nil
            || names.contains { error.reason.contains("“\($0)”") }
    }

    /// The file without what is wrong, or with what is missing. Nil when nothing is left to do.
    mutating func mend(_ error: FixtureError, in root: FixtureNode) -> FixtureNode? {
        let path = error.path
        switch error.meant {
        case .needed(let name): return root.renaming(path[...], to: name)
        case .name(let name):
            // Its value may be of another kind than what nobody had asked for yet.
            renamed.insert(path.dropLast() + [name])
            return root.renaming(path[...], to: name)
        case .text(let text) where members.insert(path).inserted: return root.replacing(path[...], by: text)
        case .text, nil: return putIn(path, to: root) ?? take(path, from: root)
        }
    }

    private func standIn(above path: [String]) -> [String]? {
        path.indices.map { Array(path[...$0]) }.first { standIns[$0] != nil }
    }

    /// - Returns: nil where nothing is missing, or nothing fits.
    private mutating func putIn(_ path: [String], to root: FixtureNode) -> FixtureNode? {
        let place = standIn(above: path)
        guard let path = place ?? (path.last.map { Int($0) == nil } == true ? path : nil),
            place != nil || root.node(at: path) == nil,
            case .object? = root.node(at: Array(path.dropLast()))?.value
        else { return nil }
        let values = FixtureNode.standIns(standIns.count)
        let tried = standIns[path] ?? 0
        guard tried < values.count else { return nil }
        standIns[path] = tried + 1
        // A message may name a time as an example.
        if case .string(let text) = values[tried], Timestamp.parse(text) == nil { names.insert(text) }
        return root.putting(values[tried], at: path[...])
    }

    /// The file without what stands at `path`; without the entry or member around it, where there is nothing, or where it was left
    /// out before and is missed. Nil when nothing is left to leave out.
    private mutating func take(_ path: [String], from root: FixtureNode) -> FixtureNode? {
        var path = path
        while !path.isEmpty {
            if !members.contains(path), let node = root.node(at: path) {
                members.insert(path)
                if Int(path.last ?? "") != nil { lists.insert(path.dropLast()) }
                if let name = node.identity { names.insert(name) }
                return root.leavingOut(path[...])
            }
            path.removeLast()
        }
        return nil
    }
}

extension FixtureNode {
    /// What stands at exactly this path, by the places of the file.
    fileprivate func node(at path: [String]) -> FixtureNode? {
        var node = self
        for step in path {
            guard let next = node.child(step) else { return nil }
            node = next
        }
        if case .absent = node.value { return nil }
        return node
    }

    private func child(_ step: String) -> FixtureNode? {
        guard case .array(let elements) = value else { return member(step) }
        return Int(step).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
    }

    /// - Parameter path: leads to something.
    fileprivate func leavingOut(_ path: ArraySlice<String>) -> FixtureNode {
        changing(path) { node, name in
            switch node.value {
            case .object(let members): node.value = .object(members.filter { $0.key != name })
            case .array(var elements):
                guard let index = Int(name), elements.indices.contains(index) else { return }
                elements[index].value = .absent
                node.value = .array(elements)
            default: break
            }
        }
    }

    /// With another name for the member at `path`.
    fileprivate func renaming(_ path: ArraySlice<String>, to name: String) -> FixtureNode {
        changing(path) { node, old in
            guard case .object(let members) = node.value else { return }
            node.value = .object(
                members.map {
                    $0.key == old ? Member(key: name, keyPosition: $0.keyPosition, node: $0.node) : $0
                })
        }
    }

    /// With another text at `path`.
    fileprivate func replacing(_ path: ArraySlice<String>, by text: String) -> FixtureNode {
        var place = position
        if let node = node(at: Array(path)) { place = node.position }
        return changing(path) { node, name in
            let new = FixtureNode(value: .string(text), position: place)
            switch node.value {
            case .object(let members):
                node.value = .object(
                    members.map {
                        $0.key == name ? Member(key: name, keyPosition: $0.keyPosition, node: new) : $0
                    })
            case .array(var elements):
                guard let index = Int(name), elements.indices.contains(index) else { return }
                elements[index].value = .string(text)
                node.value = .array(elements)
            default: break
            }
        }
    }

    /// With a member at `path`, in the place of the one that is there, if there is one.
    fileprivate func putting(_ value: Value, at path: ArraySlice<String>) -> FixtureNode {
        changing(path) { node, name in
            guard case .object(let members) = node.value else { return }
            let new = Member(
                key: name, keyPosition: node.position,
                node: FixtureNode(value: value, position: node.position))
            node.value = .object(members.filter { $0.key != name } + [new])
        }
    }

    /// What may stand in for anything: a text, an id, a time, a number and so on, of its own for each `number`.
    fileprivate static func standIns(_ number: Int) -> [Value] {
        let digits = String(number)
        let id = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
        return [
            .string("stand-in-" + digits), .string(id), .string("stand-in-\(digits)@example.com"),
            .string("2026-01-02T03:04:05Z"), .number("1"), .boolean(false), .array([]), .object([]),
        ]
    }

    /// - Parameter change: changes what has the last of `path`, which it is told.
    private func changing(
        _ path: ArraySlice<String>, _ change: (inout FixtureNode, String) -> Void
    ) -> FixtureNode {
        guard let step = path.first else { return self }
        var copy = self
        if path.count == 1 {
            change(&copy, step)
            return copy
        }
        switch value {
        case .object(var members):
            guard let index = members.firstIndex(where: { $0.key == step }) else { return self }
            members[index].node = members[index].node.changing(path.dropFirst(), change)
            copy.value = .object(members)
        case .array(var elements):
            guard let index = Int(step), elements.indices.contains(index) else { return self }
            elements[index] = elements[index].changing(path.dropFirst(), change)
            copy.value = .array(elements)
        default: break
        }
        return copy
    }

    /// A path in what was decoded, with the places of the file in its lists.
    func written(_ path: [String]) -> [String] {
        var (node, steps): (FixtureNode?, [String]) = (self, [])
        for step in path {
            guard case .array(let elements)? = node?.value, let index = Int(step),
                elements.present.indices.contains(index)
            else {
                steps.append(step)
                node = node?.member(step)
                continue
            }
            steps.append(String(elements.present[index].index))
            node = elements.present[index].node
        }
        return steps
    }
}
