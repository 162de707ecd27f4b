import Essentials
import HTTP

/// The OAuth clients that a recording names.
struct ClientTraces {
    /// In the order in which they appear.
    private var traces: [ClientTrace] = []
    /// Those that the recording registered itself.
    private var own: Set<String> = []
    /// Those that speak for a device, which brings its client along.
    private var devices: Set<String> = []

    init(_ sightings: [Sighting]) {
        for sighting in sightings {
            if let id = Self.registered(by: sighting) { own.insert(id) }
            guard let id = Self.named(by: sighting) else { continue }
            if sighting.path.contains("/sdk/") { devices.insert(id) }
            let index = traces.firstIndex { $0.id == id } ?? traces.count
            if index == traces.count { traces.append(ClientTrace(id: id)) }
            traces[index].note(sighting)
        }
    }

    /// The client that a request says it comes from.
    private static func named(by sighting: Sighting) -> String? {
        if let id = sighting["client_id"] ?? sighting.basic?.name { return id }
        return sighting["client_assertion"].flatMap(WebToken.parts)?.claims["sub"]?.string
    }

    /// Of an answer that tells a new client. Source: RFC 7591 §3.2.1; Token Server documentation, configuration of clients.
    private static func registered(by sighting: Sighting) -> String? {
        if sighting.status == 201, sighting.path.contains("/configuration/"),
            let id = sighting.asked?["client_id"]?.string
        {
            return id
        }
        guard sighting.method == "POST" || sighting.method == "PUT", sighting.isAccepted,
            let answer = sighting.answered, let id = answer["client_id"]?.string,
            sighting.status == 201 || answer["client_secret"] != nil || answer["redirect_uris"] != nil
        else { return nil }
        return id
    }

    private func missing(from known: Set<String>) -> [ClientTrace] {
        traces.filter {
            $0.isKnown && !own.contains($0.id) && !devices.contains($0.id) && !known.contains($0.id)
        }
    }

    /// Clients of the world with redirect URIs that were taken, and that it does not have for them.
    private func completed(_ world: WorldContent) -> [Made] {
        world.entries(["onegini", "oauth", "clients"]).compactMap { entry in
            guard let id = entry["client_id"]?.string, !own.contains(id),
                let trace = traces.first(where: { $0.id == id }), trace.isKnown
            else { return nil }
            let known = entry["redirect_uris"]?.strings ?? []
            let new = trace.redirectURIs.filter { uri in !known.contains { Self.isSame($0, uri) } }
            guard !new.isEmpty, var client = entry.object else { return nil }
            client["redirect_uris"] = JSONValue(known + new)
            var grants = entry["grant_types"]?.strings ?? ["authorization_code"]
            grants.note("authorization_code")
            client["grant_types"] = JSONValue(grants)
            return Made(
                "The client \(id.quoted) has the redirect URI \(new.map(\.quoted).joined(separator: ", ")) in the recording, and not in the fixtures.",
                ["onegini": ["oauth": ["clients": [.object(client)]]]])
        }
    }

    /// Whether two redirect URIs are one: of this machine, each port is. Source: RFC 8252 §7.3.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        if one == other { return true }
        guard let mine = WebAddress(one), let theirs = WebAddress(other),
            mine.scheme == "http", theirs.scheme == "http"
        else { return false }
        return ["127.0.0.1", "[::1", "localhost"].contains(mine.host) && mine.host == theirs.host
            && mine.path == theirs.path && mine.query == theirs.query
    }

    func made(_ world: WorldContent) -> [Made] {
        let clients = missing(from: world.texts("onegini", "oauth", "clients", member: "client_id"))
        var scopes = world.texts("onegini", "oauth", "scopes", member: "name")
        let namesAll = scopes.isEmpty
        return completed(world)
            + clients.map { client in
                var oauth: [String: JSONValue] = ["clients": [client.settings]]
                // A world that lists no scopes knows those of its clients.
                let new = namesAll ? [] : client.scopes.filter { scopes.insert($0).inserted }
                if !new.isEmpty { oauth["scopes"] = .array(new.map { ["name": .string($0)] }) }
                return Made(
                    "The client \(client.id.quoted) is in the recording, \(client.proofWords).",
                    ["onegini": ["oauth": .object(oauth)]])
            }
    }

    /// A project of MIRACL with the clients, which stand in projects there.
    func madeProject(_ world: WorldContent, _ sightings: [Sighting]) -> [Made] {
        let clients = missing(from: world.applications)
        if clients.isEmpty { return [] }
        let known = world.texts("miracl", "projects", member: "id")
        let named = sightings.filter(\.isAccepted).compactMap {
            $0.exchange.request.headers["X-MIRACL-CID"] ?? $0["project_id"] ?? $0["cid"]
        }
        let id = named.first { !known.contains($0) } ?? "recorded"
        let project: JSONValue = [
            "id": .string(id), "name": .string(id), "applications": .array(clients.map(\.application)),
        ]
        let names = clients.map(\.id.quoted).joined(separator: ", ")
        return [
            Made(
                "The MIRACL project \(id.quoted) has \(clients.count == 1 ? "the client" : "the clients") \(names) of the recording.",
                ["miracl": ["projects": [project]]])
        ]
    }
}
