import HTTP

/// A page before it is put into the template.
struct Page {
    /// The entry of the navigation that is marked.
    enum Tab: String, CaseIterable {
        // Watch, answer, state, control, and what explains them.
        case home, flows, journal, audit, compare
        case outbox, waiting, phones
        case people, tokens, snapshots
        case time, worlds, faults, certificates
        case docs
    }

    var status = Status.ok
    let title: String
    var tab: Tab?
    /// Whether it has forms that change something.
    var hasForms = false
    let main: HTML
}

/// There is no such page: a sentence for people.
struct PageMissing: Error {
    let sentence: String
    /// Where it would be.
    var tab: Page.Tab?
}
