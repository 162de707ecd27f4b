import Essentials

/// What a comparison found, by platform and route: each difference once, however often it was seen.
package struct Report: Sendable {
    package struct Seen: Sendable {
        package let difference: Difference
        /// Numbers of the exchanges.
        package var numbers: [Int]
        /// Why it is allowed; nil where no rule allows it.
        package let allowed: String?
    }

    package struct Route: Sendable {
        package enum State: String, Sendable {
            case agrees, differs
            case notEmulated = "not emulated"
            case notComparable = "not comparable"
        }

        package let name: String
        let platform: String
        package var requests = 0
        package var seen: [Seen] = []
        /// Reasons, and the exchanges they hold for.
        package var notComparable: [(reason: String, numbers: [Int])] = []
        var agreeing = 0
        var isEmulated = true
        /// Where in `seen` a difference stands, by kind and place.
        var places: [String: Int] = [:]

        package var state: State {
            if !isEmulated { return seen.contains { $0.allowed == nil } ? .notEmulated : .agrees }
            if seen.contains(where: { $0.allowed == nil }) { return .differs }
            return agreeing > 0 || !seen.isEmpty ? .agrees : .notComparable
        }
    }

    package private(set) var routes: [Route] = []
    /// Services that are not emulated, with the number of requests to them.
    private(set) var elsewhere: [(origin: String, count: Int)] = []
    let titles: [String: String]
    package let needs: [Need]
    package let made: [Made]
    /// Lines of rules that allowed nothing.
    private(set) var idleRules: [Int] = []

    package init(
        _ findings: [Finding], _ book: RouteBook, rules: Rules = .none, needs: [Need] = [],
        made: [Made] = []
    ) {
        titles = book.titles
        (self.needs, self.made) = (needs, made)
        var used: Set<Int> = []
        for finding in findings { add(finding, rules, &used) }
        routes.sort { ($0.platform, $0.name) < ($1.platform, $1.name) }
        idleRules = rules.rules.map(\.line).filter { !used.contains($0) }
    }

    private mutating func add(_ finding: Finding, _ rules: Rules, _ used: inout Set<Int>) {
        guard let name = finding.route, let platform = finding.platform else {
            return addElsewhere(finding.origin)
        }
        let index = routes.firstIndex { $0.name == name } ?? routes.count
        if index == routes.count { routes.append(Route(name: name, platform: platform)) }
        routes[index].requests += 1
        switch finding.verdict {
        case .agrees: routes[index].agreeing += 1
        case .differs(let differences):
            for difference in differences { add(difference, finding.number, index, rules, &used) }
        case .notEmulated:
            routes[index].isEmulated = false
            let difference = Difference(
                .notEmulated, "route", recorded: "", ours: "", "Understudy has no such route")
            add(difference, finding.number, index, rules, &used)
        case .notComparable(let reason): routes[index].add(reason, finding.number)
        case .follows(let number):
            routes[index].add(
                "it depends on request #\(number), whose answer is not that of the recording", finding.number)
        case .elsewhere: break
        }
    }

    private mutating func addElsewhere(_ origin: String) {
        if let index = elsewhere.firstIndex(where: { $0.origin == origin }) {
            elsewhere[index].count += 1
        } else {
            elsewhere.append((origin, 1))
        }
    }

    private mutating func add(
        _ difference: Difference, _ number: Int, _ index: Int, _ rules: Rules, _ used: inout Set<Int>
    ) {
        let rule = rules.rule(for: routes[index].name, difference)
        if let rule { used.insert(rule.line) }
        // What a rule allows is not what it does not.
        let place = "\(difference.kind.rawValue) \(difference.place) \(rule?.line ?? 0)"
        if let same = routes[index].places[place] {
            routes[index].seen[same].numbers.append(number)
        } else {
            routes[index].places[place] = routes[index].seen.count
            routes[index].seen.append(
                Seen(difference: difference, numbers: [number], allowed: rule.map { $0.members["why"] ?? "" })
            )
        }
    }

    /// Differences that no rule allows.
    package var differenceCount: Int { routes.reduce(0) { $0 + $1.seen.count { $0.allowed == nil } } }

    package var isEmpty: Bool { routes.isEmpty }

    /// Lines of rules that allow what this report tells.
    package var acceptance: String {
        routes.flatMap { route in
            route.seen.filter { $0.allowed == nil }.map { Rules.line(route.name, $0.difference) + "\n" }
        }.joined()
    }

    package var platforms: [String] { Set(routes.map(\.platform)).sorted() }

    func routes(of platform: String) -> [Route] { routes.filter { $0.platform == platform } }

    func count(_ platform: String, _ state: Route.State) -> Int {
        routes(of: platform).count { $0.state == state }
    }

    /// “Your app calls 41 routes of Hanko: 39 agree, 1 differs, 1 is not emulated.”
    package func coverage(of platform: String) -> String {
        let all = routes(of: platform).count
        var parts: [String] = []
        func add(_ state: Route.State, _ one: String, _ many: String) {
            let number = count(platform, state)
            if number > 0 { parts.append("\(number) \(number == 1 ? one : many)") }
        }
        add(.agrees, "agrees", "agree")
        add(.differs, "differs", "differ")
        add(.notEmulated, "is not emulated", "are not emulated")
        add(.notComparable, "cannot be compared", "cannot be compared")
        return
            "Your app calls \(all == 1 ? "one route" : "\(all) routes") of \(titles[platform] ?? platform): "
            + parts.joined(separator: ", ") + "."
    }
}

extension Report.Route {
    fileprivate mutating func add(_ reason: String, _ number: Int) {
        if let index = notComparable.firstIndex(where: { $0.reason == reason }) {
            notComparable[index].numbers.append(number)
        } else {
            notComparable.append((reason, [number]))
        }
    }
}
