import Essentials
import HTTP

/// The back ends that call PowerAuth Cloud in a recording.
struct CloudUsers {
    private struct Trace {
        let name: String
        let password: String
        var isAdministrator = false
    }

    /// In the order in which they appear.
    private var traces: [Trace] = []
    /// Those whom the recording made itself.
    private var own: Set<String> = []

    init(_ sightings: [Sighting]) {
        for sighting in sightings where sighting.isAccepted {
            if sighting.method != "GET", let name = sighting.asked?["username"]?.string { own.insert(name) }
            guard let (name, password) = sighting.basic else { continue }
            let index = traces.firstIndex { $0.name == name } ?? traces.count
            if index == traces.count { traces.append(Trace(name: name, password: password)) }
            if sighting.path.contains("/admin/") { traces[index].isAdministrator = true }
        }
    }

    func made(_ world: WorldContent) -> [Made] {
        let known = world.texts("powerauth", "users", member: "username")
        let applications = world.texts("powerauth", "applications", member: "id").sorted()
        return traces.filter { !known.contains($0.name) && !own.contains($0.name) }.map { trace in
            let roles = trace.isAdministrator ? ["ROLE_ADMIN", "ROLE_USER"] : ["ROLE_USER"]
            let user: JSONValue = [
                "username": .string(trace.name), "password": .string(trace.password),
                "roles": JSONValue(roles), "applications": JSONValue(applications),
            ]
            return Made(
                "The back end \(trace.name.quoted) calls PowerAuth Cloud in the recording.",
                ["powerauth": ["users": [user]]])
        }
    }
}
