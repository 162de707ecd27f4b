import Essentials

/// Differences that are known, one JSON object a line, with the reason.
///
/// ```json
/// {"route":"GET /hanko/me","kind":"more","place":"body user_id","why":"our tenant is older"}
/// ```
/// What a line leaves out may be anything; a `*` at the end of a text stands for any end.
package struct Rules: Sendable {
    struct Rule: Sendable {
        let line: Int
        let members: [String: String]

        func fits(_ route: String, _ difference: Difference) -> Bool {
            let values = [
                "route": route, "kind": difference.kind.rawValue, "place": difference.place,
                "recorded": difference.recorded, "ours": difference.ours,
            ]
            return members.allSatisfy { name, wanted in
                guard let value = values[name] else { return true }
                return wanted.hasSuffix("*") ? value.hasPrefix(wanted.dropLast()) : value == wanted
            }
        }
    }

    private static let names: Set = ["route", "kind", "place", "recorded", "ours", "why"]
    let rules: [Rule]

    package static let none = Rules(rules: [])

    private init(rules: [Rule]) { self.rules = rules }

    /// - Parameter text: lines; empty ones and those that begin with `//` say nothing.
    /// - Throws: ``RecordingUnreadable`` with the number of the line.
    package init(_ text: String) throws(RecordingUnreadable) {
        var rules: [Rule] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .enumerated()
        {
            let bytes = Array(line.utf8)
            if bytes.allSatisfy({ $0 <= 0x20 }) || line.hasPrefix("//") { continue }
            rules.append(Rule(line: index + 1, members: try Self.members(bytes, line: index + 1)))
        }
        self.rules = rules
    }

    private static func members(_ bytes: [UInt8], line: Int) throws(RecordingUnreadable) -> [String: String] {
        let json: SpelledJSON
        do {
            json = try SpelledJSONReader.value(of: bytes)
        } catch {
            throw RecordingUnreadable("line \(line): \(error.reason)")
        }
        guard let members = json.members else {
            throw RecordingUnreadable("line \(line): a rule is a JSON object")
        }
        var texts: [String: String] = [:]
        for member in members {
            guard names.contains(member.name), let text = member.value.string else {
                throw RecordingUnreadable(
                    "line \(line): a rule has texts called \(names.sorted().joined(separator: ", ")), not “\(member.name)”"
                )
            }
            texts[member.name] = text
        }
        if let kind = texts["kind"], Difference.Kind(rawValue: kind) == nil {
            let known = Difference.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw RecordingUnreadable("line \(line): “\(kind)” is no kind of difference; there are \(known)")
        }
        guard texts.keys.contains(where: { $0 != "why" }) else {
            throw RecordingUnreadable(
                "line \(line): a rule without route, kind or place would allow everything")
        }
        return texts
    }

    /// The first rule that allows a difference.
    func rule(for route: String, _ difference: Difference) -> Rule? {
        rules.first { $0.fits(route, difference) }
    }

    /// A line that allows one difference.
    static func line(_ route: String, _ difference: Difference) -> String {
        JSONValue.object([
            "route": .string(route), "kind": .string(difference.kind.rawValue),
            "place": .string(difference.place),
            "why": "accepted as it is",
        ]).text
    }
}
