/// Names of scopes, in the order in which they were given, each once. Source: RFC 6749 §3.3.
package struct ScopeList: Sendable, Hashable, Codable, RawRepresentable {
    package private(set) var names: [String]

    /// - Parameter text: names separated by spaces.
    package init(_ text: some StringProtocol) {
        self.init(String(text).utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) })
    }

    package init(_ names: [String]) {
        guard names.count > 1 else {
            self.names = names
            return
        }
        var seen: Set<String> = []
        self.names = names.filter { seen.insert($0).inserted }
    }

    /// As columns and fixture files have it: ``text``.
    package init(rawValue: String) { self.init(rawValue) }

    package var rawValue: String { text }

    /// Separated by spaces, as the wire has them.
    package var text: String { names.joined(separator: " ") }
    package var isEmpty: Bool { names.isEmpty }
    package func contains(_ name: String) -> Bool { names.contains(name) }
    package func isSubset(of other: ScopeList) -> Bool { names.allSatisfy(other.contains) }
    /// Those that `other` lacks.
    package func missing(in other: ScopeList) -> [String] { names.filter { !other.contains($0) } }

    package static let openID = "openid"
    package static let offlineAccess = "offline_access"
}
