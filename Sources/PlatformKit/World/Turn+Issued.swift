// Ids that this world and others gave out.
extension Turn {
    /// Remembers that this world gave out `id`.
    package func issued(_ id: String) { core.issued.note(id, in: core.name) }

    /// Remembers what a record ties requests together by. People are the same in many worlds.
    func issued(_ subjects: [Subject]) {
        for subject in subjects where subject.kind != .user { issued(subject.id) }
    }

    /// The name of another world that gave out `id`, as far as that is remembered.
    package func worldElsewhere(of id: String) -> String? { core.issued.world(of: id, besides: core.name) }
}
