import Essentials
import SQLite

/// The mobile applications whose installations may register.
struct ApplicationStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_application (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE, -- the application identifier
            settings TEXT NOT NULL -- JSON
        ) STRICT
        """
    ]

    let database: Database
}
