import SQLite

typealias SQLiteConnection = Connection
