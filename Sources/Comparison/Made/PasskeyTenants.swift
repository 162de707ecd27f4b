import Crypto
import Essentials
import HTTP

/// The tenants of the Passkey API that a recording knows.
struct PasskeyTenants {
    fileprivate struct Trace {
        let id: String
        var keys: [String] = []
        var party: String?
        var name: String?
        var origins: [String] = []
    }

    /// In the order in which they appear.
    private var traces: [Trace] = []

    init(_ sightings: [Sighting]) {
        for sighting in sightings where sighting.isAccepted {
            guard let id = sighting.path.split(separator: "/").first.map(String.init), Shape(id) == .uuid
            else { continue }
            let index = traces.firstIndex { $0.id == id } ?? traces.count
            if index == traces.count { traces.append(Trace(id: id)) }
            traces[index].note(sighting)
        }
    }

    func made(_ world: WorldContent) -> [Made] {
        let known = Set(world.texts("passkeyapi", "tenants", member: "id").map { $0.lowercased() })
        return traces.filter { !known.contains($0.id.lowercased()) }.map { trace in
            // Without a ceremony nobody needs the right one.
            let party = trace.party ?? "localhost"
            let tenant: JSONValue = [
                "id": .string(trace.id), "api_keys": JSONValue(trace.keys),
                "relying_party": [
                    "id": .string(party), "display_name": .string(trace.name ?? party),
                    "origins": JSONValue(trace.origins.isEmpty ? ["https://\(party)"] : trace.origins),
                ],
            ]
            return Made(
                "The tenant \(trace.id.quoted) of the Passkey API is in the recording.",
                ["passkeyapi": ["tenants": [tenant]]])
        }
    }
}

extension PasskeyTenants.Trace {
    fileprivate mutating func note(_ sighting: Sighting) {
        keys.note(sighting.exchange.request.headers["apiKey"])
        // Source: Web Authentication Level 3, sections 5.4, 5.5 and 5.8.1.
        for object in sighting.answered?.objects ?? [] {
            party = object["rp"]?["id"]?.string ?? object["rpId"]?.string ?? party
            name = object["rp"]?["name"]?.string ?? name
        }
        for object in sighting.asked?.objects ?? [] {
            guard let data = object["clientDataJSON"]?.string.flatMap({ Base64URL.decode($0) }),
                // What is no JSON has no origin.
                let client = try? SpelledJSONReader.value(of: data)
            else { continue }
            origins.note(client["origin"]?.string)
        }
    }
}
