// Ids that this world and others gave out.
extension Turn {
    /// Remembers that this world gave out `id`.
    package func issued(_ id: String) { core.issued.note(id, in: core.name) }

    /// The name of another world that gave out `id`, as far as that is remembered.
    package func worldElsewhere(of id: String) -> String? { core.issued.world(of: id, besides: core.name) }
}
