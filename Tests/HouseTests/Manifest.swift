import Foundation

/// What `Package.swift` says of the targets, read as text.
struct Manifest {
    /// Names of targets by the name of the one that depends on them.
    let dependencies: [String: Set<String>]

    static let read: Manifest = {
        // Without it there is no target, which the tests say.
        let text = try? String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
        return Manifest(text: text ?? "")
    }()

    init(text: String) {
        let start = /(module|tests)\((?:of:)?\s*"(\w+)"|\.\w+\(\s*name: "(\w+)"/
        let starts = text.matches(of: start)
        let ends = starts.dropFirst().map(\.range.lowerBound) + [text.endIndex]
        var found: [String: Set<String>] = [:]
        for (match, end) in zip(starts, ends) where match.1 != "tests" {
            let call = text[match.range.upperBound..<end]
            // Our own function has the list behind the name; SwiftPM's have it behind a label.
            let list =
                match.1 == nil
                ? call.firstMatch(of: /dependencies: (\[[^\]]*\])/)?.1
                : call.firstMatch(of: /^,\s*(\[[^\]]*\])/)?.1
            let names = (list ?? "").matches(of: /"(\w+)"/).map { String($0.1) }
            found[String(match.2 ?? match.3 ?? "")] = Set(names)
        }
        dependencies = found
    }

    static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

    /// In alphabetical order.
    static func folders(of folder: String) -> [String] {
        let place = root.appending(path: folder).path
        return ((try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []).sorted()
    }
}
