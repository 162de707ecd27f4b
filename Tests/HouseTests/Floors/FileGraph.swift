/// Which file of a module names a type of which other file.
struct FileGraph {
    struct Arrow: Hashable {
        let from: String
        let to: String
    }

    /// By arrow the types, as `QRCode.Correction`.
    private(set) var arrows: [Arrow: Set<String>] = [:]
    private(set) var next: [String: Set<String>] = [:]

    init(_ files: [(file: String, text: String)]) {
        let names = files.map { (file: $0.file, names: TypeNames($0.text)) }
        var homes: [TypeNames.Path: Set<String>] = [:]
        for (file, names) in names {
            next[file] = []
            for path in names.declared { homes[path, default: []].insert(file) }
        }
        for (file, names) in names {
            for named in names.named {
                for path in Self.types(meantBy: named, homes) { add(path, in: file, homes[path] ?? []) }
            }
        }
    }

    /// What stands in two files, such as a private helper of one name, is nobody's.
    private mutating func add(_ path: TypeNames.Path, in file: String, _ homes: Set<String>) {
        guard let home = homes.first, homes.count == 1, home != file else { return }
        arrows[Arrow(from: file, to: home), default: []].insert(path.joined(separator: "."))
        next[file]?.insert(home)
    }

    /// As the compiler looks: from the innermost type outwards, then down the path. `QRCode.Correction` names both.
    private static func types(
        meantBy named: TypeNames.Named, _ homes: [TypeNames.Path: Set<String>]
    ) -> [TypeNames.Path] {
        for depth in stride(from: named.scope.count, through: 0, by: -1) {
            let start = named.scope.prefix(depth) + named.path.prefix(1)
            guard homes[Array(start)] != nil else { continue }
            return (1...named.path.count)
                .map { Array(named.scope.prefix(depth) + named.path.prefix($0)) }
                .filter { homes[$0] != nil }
        }
        return []
    }
}

extension FileGraph {
    /// Files that can all be reached from one another, the largest cycle first. Tarjan, “Depth-first search and linear graph algorithms”, 1972.
    var cycles: [[String]] {
        var search = CycleSearch(next: next)
        return search.run().sorted { ($0.count, $1.first ?? "") > ($1.count, $0.first ?? "") }
    }

    /// The few arrows of a cycle without which its files stand in an order. Eades, Lin and Smyth, “A fast and effective heuristic for the
    /// feedback arc set problem”, 1993.
    func arrowsToCut(in cycle: [String]) -> [String] {
        let floor = Dictionary(
            uniqueKeysWithValues: order(of: cycle).enumerated().map { ($0.element, $0.offset) })
        return arrows.compactMap { arrow, types in
            guard let from = floor[arrow.from], let to = floor[arrow.to], from > to else { return nil }
            return "\(arrow.from) → \(arrow.to) by \(types.sorted().joined(separator: ", "))"
        }.sorted()
    }

    /// Those that name come before those that are named, as far as it goes.
    private func order(of cycle: [String]) -> [String] {
        var left = Set(cycle)
        var (head, tail): ([String], [String]) = ([], [])
        func surplus(_ file: String) -> Int {
            outgoing(file, left) - left.count { next[$0]?.contains(file) ?? false }
        }
        while !left.isEmpty {
            let files = left.sorted()
            if let sink = files.first(where: { outgoing($0, left) == 0 }) {
                tail.append(sink)
                left.remove(sink)
            } else if let best = files.max(by: { surplus($0) < surplus($1) }) {
                head.append(best)
                left.remove(best)
            }
        }
        return head + tail.reversed()
    }

    private func outgoing(_ file: String, _ files: Set<String>) -> Int {
        next[file]?.intersection(files).count ?? 0
    }
}

private struct CycleSearch {
    let next: [String: Set<String>]
    private var number: [String: Int] = [:]
    private var lowest: [String: Int] = [:]
    private var path: [String] = []
    private var onPath: Set<String> = []
    private var cycles: [[String]] = []

    init(next: [String: Set<String>]) { self.next = next }

    mutating func run() -> [[String]] {
        for file in next.keys.sorted() where number[file] == nil { visit(file) }
        return cycles
    }

    private mutating func visit(_ file: String) {
        let own = number.count
        (number[file], lowest[file]) = (own, own)
        path.append(file)
        onPath.insert(file)
        for other in (next[file] ?? []).sorted() {
            if number[other] == nil {
                visit(other)
                lowest[file] = min(lowest[file] ?? own, lowest[other] ?? own)
            } else if onPath.contains(other) {
                lowest[file] = min(lowest[file] ?? own, number[other] ?? own)
            }
        }
        if lowest[file] == own { close(file) }
    }

    private mutating func close(_ file: String) {
        guard let start = path.lastIndex(of: file) else { return }
        let cycle = Array(path[start...])
        path.removeSubrange(start...)
        onPath.subtract(cycle)
        if cycle.count > 1 { cycles.append(cycle.sorted()) }
    }
}
