/// All mistakes of a fixture file, not the first alone.
///
/// What is wrong is left out and the rest looked at again, until nothing is wrong or a hundred mistakes are found. What follows from
/// something that was left out is not told: a member that is missing now, a reference to an entry that is gone.
extension FixtureSet {
    private static let most = 100

    /// - Parameter load: reads the set as the program would; throws a ``FixtureError`` for the first fault.
    /// - Returns: in the order of the file.
    package func faults(of sections: [any Section.Type], load: (FixtureSet) throws -> Void) throws
        -> [FixtureError]
    {
        var found: [FixtureError] = []
        var left = LeftOut()
        var set = self
        while found.count < Self.most {
            do {
                try load(set)
                found += set.mistakes(of: sections)
                break
            } catch let error as FixtureError {
                if !left.explains(error) { found.append(error) }
                guard let smaller = left.take(error.path, from: set.root) else { break }
                set = set.with(root: smaller)
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

/// What a check left out, to know what follows from it.
private struct LeftOut {
    /// Members, by their paths.
    private var members: Set<[String]> = []
    /// Names of entries.
    private var names: Set<String> = []

    /// Whether the fault is there only because of what was left out.
    func explains(_ error: FixtureError) -> Bool {
        members.contains(error.path) || names.contains { error.reason.contains("“\($0)”") }
    }

    /// The file without what stands at `path`; without the entry or member around it, where there is nothing, or where it was left
    /// out before and is missed. Nil when nothing is left to leave out.
    mutating func take(_ path: [String], from root: FixtureNode) -> FixtureNode? {
        var path = path
        while !path.isEmpty {
            if !members.contains(path), let node = root.node(at: path) {
                members.insert(path)
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
        guard let step = path.first else { return FixtureNode(value: .absent, position: position) }
        var copy = self
        switch value {
        case .object(var members):
            guard let index = members.firstIndex(where: { $0.key == step }) else { return self }
            if path.count == 1 {
                members.remove(at: index)
            } else {
                members[index].node = members[index].node.leavingOut(path.dropFirst())
            }
            copy.value = .object(members)
        case .array(var elements):
            guard let index = Int(step), elements.indices.contains(index) else { return self }
            elements[index] = elements[index].leavingOut(path.dropFirst())
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
