/// Ids of the people whom the tests' fixtures bring.
enum Ada {
    static let id = "ada00000-0000-4000-8000-000000000001"
    static let emailID = "ada00000-0000-4000-8000-0000000000e1"
    static let address = "ada@example.com"
}

enum Grace {
    static let id = "9ace0000-0000-4000-8000-000000000002"
    static let emailID = "9ace0000-0000-4000-8000-0000000000e2"
    static let address = "grace@example.com"
}
