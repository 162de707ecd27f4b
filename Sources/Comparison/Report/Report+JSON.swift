package import Essentials

extension Report {
    /// For programs, on one line.
    package var json: String { value.text + "\n" }

    package var value: JSONValue {
        [
            "differences": .integer(differenceCount),
            "elsewhere": .array(
                elsewhere.map { ["origin": .string($0.origin), "requests": .integer($0.count)] }),
            "idleRules": .array(idleRules.map(JSONValue.integer)),
            "made": .array(made.map { ["sentence": .string($0.sentence), "line": .string($0.line)] }),
            "needs": .array(needs.map { ["sentence": .string($0.sentence), "line": .string($0.line)] }),
            "platforms": .array(platforms.map(json)),
        ]
    }

    private func json(of platform: String) -> JSONValue {
        [
            "name": .string(platform), "title": .string(titles[platform] ?? platform),
            "summary": .string(coverage(of: platform)), "agree": .integer(count(platform, .agrees)),
            "differ": .integer(count(platform, .differs)),
            "notEmulated": .integer(count(platform, .notEmulated)),
            "notComparable": .integer(count(platform, .notComparable)),
            "routes": .array(routes(of: platform).map(\.json)),
        ]
    }
}

extension Report.Route {
    fileprivate var json: JSONValue {
        [
            "route": .string(name), "state": .string(state.rawValue), "requests": .integer(requests),
            "differences": .array(seen.map(\.json)),
            "notComparable": .array(
                notComparable.map {
                    ["reason": .string($0.reason), "requests": .array($0.numbers.map(JSONValue.integer))]
                }),
        ]
    }
}

extension Report.Seen {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = [
            "kind": .string(difference.kind.rawValue), "place": .string(difference.place),
            "recorded": .string(difference.recorded), "ours": .string(difference.ours),
            "sentence": .string(difference.sentence), "requests": .array(numbers.map(JSONValue.integer)),
        ]
        members["allowed"] = allowed.map(JSONValue.string)
        return .object(members)
    }
}
