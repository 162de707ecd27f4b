import Essentials

/// Where two exports differ.
struct StateDifferences {
    /// Such as `acme.things.0.failures`, in the order of the names; a row that came or went is told as the list and its number of rows.
    private(set) var paths: [String] = []
    private let exceptions: [[String]]

    /// - Parameter exceptions: paths in which `*` stands for any name or index.
    init(_ before: JSONValue, _ after: JSONValue, except exceptions: [String]) {
        self.exceptions = exceptions.map { $0.split(separator: ".").map(String.init) }
        compare(before, after, at: [])
    }

    private mutating func compare(_ before: JSONValue?, _ after: JSONValue?, at path: [String]) {
        if before == after || isExcepted(path) { return }
        if let old = before?.object, let new = after?.object {
            for name in Set(old.keys).union(new.keys).sorted() {
                compare(old[name], new[name], at: path + [name])
            }
        } else if let old = before?.array, let new = after?.array, old.count == new.count {
            for (index, pair) in zip(old, new).enumerated() {
                compare(pair.0, pair.1, at: path + [String(index)])
            }
        } else {
            let counts = [before, after].compactMap { $0?.array?.count }
            let text = counts.isEmpty ? "" : " (\(counts.map(String.init).joined(separator: " to ")) rows)"
            paths.append(path.joined(separator: ".") + text)
        }
    }

    /// Whether an exception is the path or lies above it.
    private func isExcepted(_ path: [String]) -> Bool {
        exceptions.contains { exception in
            exception.count <= path.count
                && zip(exception, path).allSatisfy { $0 == "*" || $0 == $1 }
        }
    }
}
