import Essentials
import HTTP
package import PlatformKit

/// Rules that make a world answer as a recorded service did, until what differs is mended.
package struct RecordedFaults {
    /// One for each route and status.
    package private(set) var rules: [FaultRule] = []
    /// Differences that no rule can make, as sentences without a full stop.
    package private(set) var left: [String] = []

    /// Parts of answers to a route that have one status.
    private struct Place: Hashable {
        let route: String
        let status: Int
    }

    init(_ report: Report, _ exchanges: [Exchange]) {
        let recordings = Dictionary(exchanges.map { ($0.number, $0) }) { first, _ in first }
        for route in report.routes {
            var patches: [(place: Place, number: Int, patch: RecordedPatch)] = []
            for seen in route.seen where seen.allowed == nil {
                // Faults strike no preflight.
                guard !route.name.hasPrefix("OPTIONS "), let number = seen.numbers.first,
                    let exchange = recordings[number],
                    let change = RecordedPatch.Change(seen.difference, exchange.response)
                else {
                    left.append("\(route.name): \(seen.difference.sentence)")
                    continue
                }
                let place = Place(
                    route: route.name,
                    status: Int(change.isStatus ? seen.difference.ours : "") ?? exchange.response.status)
                let index = patches.firstIndex { $0.place == place } ?? patches.count
                if index == patches.count { patches.append((place, number, RecordedPatch())) }
                patches[index].patch.add(change)
            }
            for (place, number, patch) in patches { add(patch, place, number) }
        }
    }

    private mutating func add(_ patch: RecordedPatch, _ place: Place, _ number: Int) {
        let rule = FaultRule(
            "as-recorded-\(number)", FaultMatch(route: place.route), patch.effect(ofStatus: place.status))
        do {
            guard rules.count < FaultRule.limit else {
                throw FixtureProblem(at: [], "a world has at most \(FaultRule.limit) faults")
            }
            try rule.effect.check(at: [])
            rules.append(rule)
        } catch {
            left.append("\(place.route): \((error as? FixtureProblem)?.reason ?? "\(error)")")
        }
    }

    /// A file of fixtures: `{"faults": […]}`.
    package var fixtures: String {
        let written = rules.map { rule -> JSONValue in
            guard let effect = rule.effect as? PatchEffect else { return .null }
            return ["name": .string(rule.name), "match": rule.match.json, "effect": ["patch": effect.json]]
        }
        return JSONValue.object(["faults": .array(written)]).text + "\n"
    }
}

extension Report {
    /// - Parameter exchanges: those that were compared.
    package func faults(as exchanges: [Exchange]) -> RecordedFaults { RecordedFaults(self, exchanges) }
}

/// What has to be changed in one answer of ours.
private struct RecordedPatch {
    enum Change {
        case status(RecordedResponse)
        case header(String, String?)
        case member([String], JSONValue)

        /// - Returns: nil for what a patch cannot say, such as a claim of a token that somebody signed.
        init?(_ difference: Difference, _ recorded: RecordedResponse) {
            if difference.kind == .status {
                self = .status(recorded)
            } else if [.claim, .cookie, .order].contains(difference.kind) {
                return nil
            } else if let field = difference.place.suffix(after: "header ") {
                let name = String(field.prefix { $0 != " " })
                // An address is made for each request.
                guard !name.equalsIgnoringCase("Location") else { return nil }
                self = .header(name, recorded.headers[name])
            } else if let member = difference.place.suffix(after: "body ") {
                guard let (names, value) = Self.member(member, difference, recorded) else { return nil }
                self = .member(names, value)
            } else {
                return nil
            }
        }

        var isStatus: Bool { if case .status = self { true } else { false } }

        /// The names that lead to a member, and what it becomes; null takes it away.
        private static func member(
            _ place: String, _ difference: Difference, _ recorded: RecordedResponse
        ) -> (names: [String], value: JSONValue)? {
            guard let body = try? SpelledJSONReader.value(of: recorded.body), body.members != nil else {
                return nil
            }
            switch difference.kind {
            case .missing, .word, .value, .type, .null, .more: break
            // What is made anew each time cannot be written down, and the rest has no words in a patch.
            default: return nil
            }
            // A list that says a set of words is written as a whole.
            let list = place.hasSuffix("[]") && !place.dropLast(2).contains("[]")
            guard list || !place.contains("[]"),
                let (names, value) = body.way(to: list ? String(place.dropLast(2)) : place)
            else { return nil }
            guard let value else { return difference.recorded.isEmpty ? (names, .null) : nil }
            guard value != .null, !list || value.array?.allSatisfy({ $0.string != nil }) ?? false else {
                return nil
            }
            return (try? JSONValue(parsing: Array(value.text.utf8))).map { (names, $0) }
        }
    }

    private var status: Int?
    private var headers: [String: String?] = [:]
    private var body: JSONValue?

    mutating func add(_ change: Change) {
        switch change {
        case .header(let name, let value): headers[name] = .some(value)
        case .member(let names, let value): body = (body ?? [:]).putting(value, at: names[...])
        case .status(let recorded):
            status = recorded.status
            for name in ["Content-Type", "WWW-Authenticate", "Retry-After"] {
                if let value = recorded.headers[name] { headers[name] = value }
            }
            if !recorded.isCut, let json = try? JSONValue(parsing: recorded.body), json.object != nil {
                body = json
            }
        }
    }

    func effect(ofStatus: Int) -> PatchEffect {
        PatchEffect(ofStatus: ofStatus, status: status, headers: headers.isEmpty ? nil : headers, body: body)
    }
}

extension SpelledJSON {
    /// The names on the way to `place`, such as `user.id`, and what stands there; nil at a name that chance made. Names may have dots.
    fileprivate func way(to place: String) -> (names: [String], value: SpelledJSON?)? {
        if place.hasPrefix("*") { return nil }
        let known = (members ?? []).map(\.name).filter { place == $0 || place.hasPrefix($0 + ".") }
        guard let name = known.max(by: { $0.utf8.count < $1.utf8.count }), let inner = self[name] else {
            return place.contains("*") ? nil : ([place], nil)
        }
        if name == place { return ([name], inner) }
        return inner.way(to: String(place.dropFirst(name.count + 1))).map { ([name] + $0.names, $0.value) }
    }
}

extension JSONValue {
    fileprivate func putting(_ value: JSONValue, at names: ArraySlice<String>) -> JSONValue {
        guard let name = names.first else { return value }
        var members = object ?? [:]
        members[name] = (members[name] ?? [:]).putting(value, at: names.dropFirst())
        return .object(members)
    }
}

extension FaultMatch {
    /// - Parameter route: such as `POST /hanko/users/:id`.
    fileprivate init(route: String) {
        self.init()
        let parts = route.split(separator: " ", maxSplits: 1)
        let path = (parts.last ?? "").dropFirst()
        method = parts.first.map(String.init)
        platform = String(path.prefix { $0 != "/" })
        self.path = String(path.drop { $0 != "/" })
        if self.path == "" { self.path = "/" }
    }

    fileprivate var json: JSONValue {
        .object(
            [("platform", platform), ("method", method), ("path", path)].reduce(into: [:]) { members, pair in
                members[pair.0] = pair.1.map(JSONValue.string)
            })
    }
}

extension PatchEffect {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = [:]
        members["of_status"] = ofStatus.map(JSONValue.integer)
        members["status"] = status.map(JSONValue.integer)
        members["headers"] = headers.map { .object($0.mapValues { $0.map(JSONValue.string) ?? .null }) }
        members["body"] = body
        return .object(members)
    }
}

extension String {
    fileprivate func suffix(after prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
