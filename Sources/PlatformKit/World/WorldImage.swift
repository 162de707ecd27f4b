import SQLite

/// What worlds are cloned from: a database full of fixtures, and what it says of its world.
struct WorldImage: Sendable {
    let database: DatabaseImage
    let settings: WorldSettings
    /// What was derived from these fixtures in any world that began with them.
    let memo = MemoTable()
}
