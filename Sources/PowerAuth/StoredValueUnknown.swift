/// A stored word that this program does not know: the file was written by another one.
struct StoredValueUnknown: Error {
    let table: String
    let id: String
}

/// A column that should hold a JSON array of texts holds something else.
struct StoredListUnknown: Error {
    let column: String
}
