import Essentials
import SQLite

/// The section `cors`: web pages that may call every platform of the world, besides those that a platform's own rules allow.
struct CORSFixture: Codable, Sendable, Equatable {
    static let section = "cors"

    /// Such as `http://localhost:5173`.
    var origins: [String]?
    /// Whether pages of this machine may call, whatever their port.
    var anyLocalhost: Bool?

    enum CodingKeys: String, CodingKey {
        case origins
        case anyLocalhost = "any_localhost_origin"
    }

    /// Whether it lets nobody call who could not before.
    var isEmpty: Bool { origins?.isEmpty ?? true && anyLocalhost != true }

    /// Scheme, host and perhaps a port, as a browser names them. Source: RFC 6454 §6.2.
    static func isOrigin(_ text: String) -> Bool {
        text.utf8.count <= 300
            && text.wholeMatch(
                of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\/(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._\-]+)(:[0-9]{1,5})?/) != nil
    }

    /// Whether no other machine can have this origin; also those of apps in a web view, such as `capacitor://localhost`.
    static func isLocalhost(_ origin: String) -> Bool {
        guard isOrigin(origin), let scheme = origin.firstRange(of: "://") else { return false }
        let place = origin[scheme.upperBound...].asciiLowercased
        let host = place.hasPrefix("[") ? place.prefix { $0 != "]" } + "]" : place.prefix { $0 != ":" }
        return ["localhost", "127.0.0.1", "[::1]"].contains(String(host)) || host.hasSuffix(".localhost")
    }

    func load(into db: Connection) throws {
        for (index, origin) in (origins ?? []).enumerated() where !Self.isOrigin(origin) {
            throw FixtureProblem(
                at: ["origins", String(index)],
                "expected an origin such as “http://localhost:5173”, without a path, found “\(origin.prefix(80))”"
            )
        }
        let text = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        try db.execute("UPDATE kit_world SET cors = \(text)")
    }

    /// Nil where the fixtures say nothing.
    static func read(from db: Connection) throws -> CORSFixture? {
        try db.value(String.self, "SELECT cors FROM kit_world WHERE cors IS NOT NULL").map {
            try JSONDecoder().decode(CORSFixture.self, from: Data($0.utf8))
        }
    }
}
