/// What a role may do, on one server or on all. Source: API description 2.2.
enum Permission: String, Sendable, Codable, CaseIterable {
    case sessions, users, accounts, servers, createserver, root, setrid
}
