import PlatformKit
import Platforms
import Sockets
import Upstream

extension Invocation {
    /// Bytes of the file of `--upstream-ca`.
    private static let authorityLimit = Upstream.authorityLimit

    /// Real services by their mounts. - Throws: ``UsageError``; ``Failure`` for a file of authorities that cannot be used.
    func upstreams() throws -> [String: Upstream] {
        let given = texts(.upstream)
        guard !given.isEmpty else {
            guard !isGiven(.upstreamCA) else { throw UsageError("--upstream-ca needs --upstream") }
            return [:]
        }
        let authorities = try text(.upstreamCA).map(Self.authorities)
        var upstreams: [String: Upstream] = [:]
        for text in given {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                String.init)
            guard parts.count == 2 else {
                throw UsageError(
                    "--upstream expects MOUNT=URL such as hanko=https://tenant.example, not “\(text)”")
            }
            let upstream = try Self.upstream(parts[0], parts[1], authorities)
            guard upstreams.updateValue(upstream, forKey: parts[0]) == nil else {
                throw UsageError("--upstream gives \(parts[0]) two URLs")
            }
        }
        return upstreams
    }

    private static func upstream(_ mount: String, _ url: String, _ authorities: String?) throws -> Upstream {
        do {
            let mounts = (Platforms.all + Platforms.onRequest).flatMap { $0.mountPaths }
            let upstream = try Upstream(url: url, ca: authorities)
            return try UpstreamFixture.checked([mount: upstream], mounts: mounts)[mount] ?? upstream
        } catch let error as UpstreamMalformed {
            throw UsageError("--upstream \(mount) expects \(error.expected), not “\(error.given)”")
        } catch let problem as FixtureProblem {
            throw UsageError("--upstream: \(problem.reason)")
        }
    }

    private static func authorities(at path: String) throws -> String {
        let bytes = try BoundedFile.bytes(at: path, limit: authorityLimit, of: "authorities")
        let text = String(decoding: bytes, as: UTF8.self)
        do {
            _ = try TLSContext(verifies: true, pem: text)
        } catch {
            throw Failure("--upstream-ca \(path): no certificates in PEM form that can be used")
        }
        return text
    }
}
