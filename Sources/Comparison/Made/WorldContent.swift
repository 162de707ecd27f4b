import Essentials

/// What fixtures have, by what it is looked for.
struct WorldContent {
    private let json: JSONValue

    init(_ json: JSONValue) { self.json = json }

    /// The texts of a member of each entry of a list, such as the `client_id` of `onegini.oauth.clients`.
    func texts(_ path: String..., member: String) -> Set<String> {
        Set(entries(path).compactMap { $0[member]?.string })
    }

    func entries(_ path: [String]) -> [JSONValue] {
        path.reduce(Optional(json)) { $0?[$1] }?.array ?? []
    }

    /// Mail addresses of Hanko's users, and those that are nobody's, in lower case.
    var addresses: Set<String> {
        let own = entries(["hanko", "users"]).flatMap { $0["emails"]?.array ?? [] }
        let all = own + entries(["hanko", "emails"])
        return Set(all.compactMap { $0["address"]?.string?.lowercased() })
    }

    /// Clients of the projects of MIRACL.
    var applications: Set<String> {
        let all = entries(["miracl", "projects"]).flatMap { $0["applications"]?.array ?? [] }
        return Set(all.compactMap { $0["client_id"]?.string })
    }
}
