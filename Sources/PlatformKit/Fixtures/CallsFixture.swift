import HTTPClient
import SQLite
import Upstream

/// The section `calls`: whom a world may call by itself, such as web hooks, back ends and other providers.
///
/// ```json
/// {"calls": {"only": ["https://backend.example/hooks"]}}
/// ```
/// A world without it calls whatever address it is told. Upstreams, mail relays and phones are not meant: who names them wants them called.
package struct CallsFixture: Codable, Sendable, Equatable {
    package static let section = "calls"
    static let setting = Setting<CallsFixture>("kit.calls")
    private static let limit = 100

    /// `http` or `https` URLs; what is below one of them may be called too. None for no calls at all.
    package var only: [String]

    package init(only: [String]) { self.only = only }

    /// With each URL as ``CallGate`` compares it.
    ///
    /// - Throws: ``FixtureProblem``.
    func checked() throws -> CallsFixture {
        CallsFixture(
            only: try only.enumerated().map { index, address in
                do throws(UpstreamMalformed) {
                    return try Upstream(url: address).url
                } catch {
                    throw FixtureProblem(
                        at: ["only", String(index)], "expected \(error.expected), found “\(error.given)”")
                }
            })
    }

    func load(into db: Connection) throws {
        guard only.count <= Self.limit else {
            throw FixtureProblem(
                at: ["only"], "expected at most \(Self.limit) addresses, found \(only.count)")
        }
        try Self.setting.set(checked(), in: db)
    }
}

extension Database {
    /// Nil where it holds back no call.
    func calls() throws -> CallsFixture? { try read { try CallsFixture.setting.value(in: $0) } }
}
