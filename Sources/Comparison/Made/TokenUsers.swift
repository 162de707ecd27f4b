import Essentials
import HTTP

/// The people who sign in at the token server in a recording.
struct TokenUsers {
    private struct Trace {
        let subject: String
        var username: String?
        var password: String?
        var claims: [String: JSONValue] = [:]
    }

    /// In the order in which they appear.
    private var traces: [Trace] = []
    /// Those whom the login page made up.
    private var own: Set<String> = []
    /// What was typed at the login before, and is nobody's yet.
    private var typed: (username: String, password: String)?

    init(_ sightings: [Sighting]) {
        for sighting in sightings where sighting.isAccepted { note(sighting) }
        // Nobody told a subject: the name is the only one that there is.
        if let typed { edit(typed.username) { _ in } }
    }

    private mutating func note(_ sighting: Sighting) {
        if sighting.method == "POST" {
            if let person = sighting["person"] { own.insert(person) }
            if let name = sighting["username"], let password = sighting["password"],
                sighting["grant_type"] == nil, 300..<400 ~= sighting.status
            {
                typed = (name, password)
            }
            if let subject = sighting["subject"], 300..<400 ~= sighting.status { edit(subject) { _ in } }
        }
        if let (_, claims) = sighting.answered?["id_token"]?.string.flatMap(WebToken.parts) {
            note(claims, only: Self.standard)
        }
        if sighting.path.hasSuffix("/userinfo") {
            let signed = WebToken.parts(
                of: String(decoding: sighting.exchange.response.body, as: UTF8.self))?.claims
            if let claims = signed ?? sighting.answered { note(claims, only: nil) }
        }
    }

    private mutating func note(_ claims: SpelledJSON, only names: Set<String>?) {
        guard let subject = claims["sub"]?.string else { return }
        var told: [String: JSONValue] = [:]
        for member in claims.members ?? []
        where names?.contains(member.name) ?? !Self.framing.contains(member.name) {
            told[member.name] = member.value.plain
        }
        edit(subject) { $0.claims.merge(told) { $1 } }
    }

    private mutating func edit(_ subject: String, _ change: (inout Trace) -> Void) {
        let index = traces.firstIndex { $0.subject == subject } ?? traces.count
        if index == traces.count { traces.append(Trace(subject: subject)) }
        if let typed, traces[index].username == nil {
            (traces[index].username, traces[index].password) = (typed.username, typed.password)
            self.typed = nil
        }
        change(&traces[index])
    }

    /// Claims about people. Source: OpenID Connect Core 1.0 §5.1.
    private static let standard: Set = [
        "name", "given_name", "family_name", "middle_name", "nickname", "preferred_username", "profile",
        "picture", "website", "email", "email_verified", "gender", "birthdate", "zoneinfo", "locale",
        "phone_number", "phone_number_verified", "address", "updated_at",
    ]
    /// What an answer about somebody says of itself. Source: OpenID Connect Core 1.0 §5.3.2.
    private static let framing: Set = ["sub", "iss", "aud", "iat", "exp", "jti"]

    func made(_ world: WorldContent) -> [Made] {
        let known = world.texts("onegini", "oauth", "users", member: "sub")
            .union(world.texts("onegini", "oauth", "users", member: "username"))
        return traces.filter {
            !own.contains($0.subject) && !known.contains($0.subject) && !known.contains($0.username ?? "")
        }.map { trace in
            var user: [String: JSONValue] = ["sub": .string(trace.subject)]
            user["username"] = (trace.username ?? trace.claims["email"]?.string).map(JSONValue.string)
            user["password"] = trace.password.map(JSONValue.string)
            if !trace.claims.isEmpty { user["claims"] = .object(trace.claims) }
            return Made(
                "The person \((trace.username ?? trace.claims["email"]?.string ?? trace.subject).quoted) signs in at the token server in the recording.",
                ["onegini": ["oauth": ["users": [.object(user)]]]])
        }
    }
}
