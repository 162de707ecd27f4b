import Essentials
import HTTP

/// The people whom a recording of Hanko knows.
struct HankoPeople {
    /// What became of an address first.
    private enum Standing {
        /// It belongs to somebody.
        case known
        /// Nobody had it.
        case absent
        /// The recording brought it, or may have.
        case own
    }

    private struct Trace {
        let address: String
        var id: String?
        var emailID: String?
        var username: String?
        var isVerified = true
    }

    private var standings: [String: Standing] = [:]
    /// In the order in which they appear.
    private var traces: [Trace] = []
    private var own: Set<String> = []
    /// Passwords that were accepted, by user.
    private var passwords: [String: String] = [:]
    /// The same by address.
    private var typed: [String: String] = [:]
    /// Who signs in in a flow, by its id.
    private var flows: [String: String] = [:]

    init(_ sightings: [Sighting]) { for sighting in sightings { note(sighting) } }

    private mutating func note(_ sighting: Sighting) {
        let address = sighting.asked?["email"]?.string?.asAddress
        switch (sighting.method, sighting.path, address) {
        case ("POST", "/user", let address?): noteLookup(address, sighting)
        case ("POST", "/users", let address?): noteRegistration(address, sighting)
        case ("POST", "/registration", _), ("POST", "/emails", _), ("POST", "/users", _):
            for address in sighting.asked?.texts.map(\.asAddress) ?? [] where Shape(address) == .email {
                settle(address, .own)
            }
        case ("POST", "/login", _): noteFlow(sighting)
        case ("POST", "/password/login", _):
            if sighting.isAccepted, let user = sighting.asked?["user_id"]?.string {
                passwords[user] = sighting.asked?["password"]?.string
            }
        default: break
        }
        noteTold(sighting)
    }

    /// `POST /user`. Source: Hanko 2.7, classic API.
    private mutating func noteLookup(_ address: String, _ sighting: Sighting) {
        if sighting.status == 404 { return settle(address, .absent) }
        guard sighting.isAccepted, let answer = sighting.answered else { return }
        settle(address, .known)
        edit(address) {
            $0.id = answer["id"]?.string
            $0.emailID = answer["email_id"]?.string
            $0.isVerified = answer["verified"] != .boolean(false)
        }
    }

    /// `POST /users`: a conflict says that somebody has the address.
    private mutating func noteRegistration(_ address: String, _ sighting: Sighting) {
        if sighting.status == 409 { return settle(address, .known) }
        settle(address, .own)
        guard sighting.isAccepted, let answer = sighting.answered else { return }
        own.note(answer["user_id"]?.string ?? answer["id"]?.string)
    }

    /// `POST /login?action=NAME@ID`. Source: Hanko 2.7, Flow API.
    private mutating func noteFlow(_ sighting: Sighting) {
        let action = (sighting["action"] ?? "").split(separator: "@").map(String.init)
        guard action.count == 2, let input = sighting.asked?["input_data"] else { return }
        if let name = (input["email"] ?? input["identifier"])?.string?.asAddress, Shape(name) == .email {
            flows[action[1]] = name
            if sighting.answered?.texts.contains("unknown_email_error") == true { settle(name, .absent) }
        }
        if let password = input["password"]?.string, let address = flows[action[1]], sighting.isAccepted,
            let state = sighting.answered?["name"]?.string, state != "login_password"
        {
            typed[address] = password
        }
    }

    /// People whom answers and session tokens tell of.
    private mutating func noteTold(_ sighting: Sighting) {
        let (request, response) = (sighting.exchange.request, sighting.exchange.response)
        // Who signs in by another provider for the first time is new.
        let standing: Standing = sighting.path.hasPrefix("/token") ? .own : .known
        let fields = [
            request.headers["Authorization"].map { String($0.drop { $0 != " " }.dropFirst()) },
            response.headers["X-Auth-Token"], sighting.answered?["session_token"]?.string,
        ]
        for case let token? in fields where sighting.isAccepted {
            guard let claims = WebToken.parts(of: token)?.claims else { continue }
            note(claims, id: claims["sub"]?.string, standing)
        }
        guard sighting.isAccepted, sighting.method != "DELETE" else { return }
        for object in sighting.answered?.objects ?? [] {
            note(object, id: (object["user_id"] ?? object["id"])?.string, standing)
        }
    }

    private mutating func note(_ object: SpelledJSON, id: String?, _ standing: Standing) {
        guard let id, !own.contains(id) else { return }
        let entry = object["emails"]?.array?.first ?? object["email"]
        guard let address = (entry?["address"] ?? entry)?.string?.lowercased(), Shape(address) == .email
        else { return }
        settle(address, standing)
        if standings[address] == .own { own.insert(id) }
        edit(address) {
            $0.id = $0.id ?? id
            $0.emailID = $0.emailID ?? entry?["id"]?.string
            if entry?["is_verified"] == .boolean(false) { $0.isVerified = false }
            $0.username = (object["username"]?["username"] ?? object["username"])?.string ?? $0.username
        }
    }

    private mutating func settle(_ address: String, _ standing: Standing) {
        if standings[address] == nil { standings[address] = standing }
    }

    private mutating func edit(_ address: String, _ change: (inout Trace) -> Void) {
        let index = traces.firstIndex { $0.address == address } ?? traces.count
        if index == traces.count { traces.append(Trace(address: address)) }
        change(&traces[index])
    }

    func made(_ world: WorldContent) -> [Made] {
        let ids = world.texts("hanko", "users", member: "id")
        let known = world.addresses
        let missing = traces.filter { trace in
            standings[trace.address] == .known && !known.contains(trace.address)
                && !(trace.id.map(own.contains) ?? false)
        }
        return missing.enumerated().map { index, trace in
            let id = trace.id.flatMap { Self.isUsable($0) && !ids.contains($0) ? $0 : nil }
            var email: [String: JSONValue] = ["address": .string(trace.address)]
            email["id"] = trace.emailID.flatMap { Self.isUsable($0) ? .string($0) : nil }
            if !trace.isVerified { email["is_verified"] = false }
            var user: [String: JSONValue] = [
                "id": .string(id ?? Need.userID(index + 1, series: 1)), "emails": [.object(email)],
            ]
            user["username"] = trace.username.flatMap { $0.isEmpty ? nil : .string($0) }
            if let password = trace.id.flatMap({ passwords[$0] }) ?? typed[trace.address] {
                user["password"] = ["text": .string(password)]
            }
            return Made(
                "The person \(trace.address.quoted) has an account at Hanko before the recording begins.",
                ["hanko": ["users": [.object(user)]]])
        }
    }

    /// Whether fixtures take it as an id: a UUID of version 4 in lower case.
    private static func isUsable(_ id: String) -> Bool {
        Shape(id) == .uuid && id == id.lowercased() && Array(id.utf8)[14] == UInt8(ascii: "4")
    }
}

extension String {
    /// As Hanko keeps an address that somebody typed: without blanks around it, in lower case. Source: Hanko 2.7, flow_api.
    fileprivate var asAddress: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()).lowercased()
    }
}

extension Set<String> {
    fileprivate mutating func note(_ value: String?) { if let value { insert(value) } }
}
