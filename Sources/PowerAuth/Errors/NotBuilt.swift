/// A room of the house that is still being built.
struct NotBuilt: Error {
    let name: String
    init(_ name: String) { self.name = name }
}
