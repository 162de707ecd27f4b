import Essentials
import HTTP
import PlatformKit

/// Where the address of a client comes from: `server.ip`, read under the profile `next`. Elsewhere it is that of the connection.
///
/// Source: Hanko after 3.x, and the extractors of the HTTP library that it uses, which trusts loopback, link-local and private addresses
/// besides those that are named.
struct ClientAddressRules: ConfigurationSection {
    enum Extractor: String, Codable, Sendable {
        case direct
        case forwardedFor = "x_forwarded_for"
        case realIP = "x_real_ip"
    }

    var extractor = Extractor.direct
    /// As they were written: the original reads them only with an extractor that asks.
    var trustedProxies: [String] = []

    static let members: [ConfigurationMember<Self>] = [
        .value("extractor", \.extractor), .value("trusted_proxies", \.trustedProxies),
    ]

    func check() throws {
        guard extractor != .direct else { return }
        guard !trustedProxies.isEmpty else {
            throw FixtureProblem(
                at: ["trusted_proxies"],
                "“extractor” \(extractor.rawValue) needs at least one range such as “10.0.0.0/8”")
        }
        for (index, range) in trustedProxies.enumerated() where AddressRange(range) == nil {
            throw FixtureProblem(
                at: ["trusted_proxies", String(index)],
                "expected a range such as “10.0.0.0/8”, found “\(range.prefix(80))”")
        }
    }

    /// The address that the request tells, as far as those may who passed it on.
    func address(of request: Request) -> String {
        let direct = request.peer.address
        guard isTrusted(direct) else { return direct }
        switch extractor {
        case .direct: return direct
        case .realIP:
            let told = request.headers["X-Real-IP"].map { Self.trimmed($0[...]) } ?? ""
            return IPAddress.bytes(of: told) == nil ? direct : told
        case .forwardedFor:
            let hops = request.headers.values(of: "X-Forwarded-For").joined(separator: ",")
                .split(separator: ",").map(Self.trimmed)
            // From the nearest to the farthest; what is no address ends it, as nothing before it can be believed.
            for hop in hops.reversed() {
                if IPAddress.bytes(of: hop) == nil { return direct }
                if !isTrusted(hop) { return hop }
            }
            return hops.first ?? direct
        }
    }

    private func isTrusted(_ address: String) -> Bool {
        (AddressRange.trustedAnyway + trustedProxies.compactMap { AddressRange($0) })
            .contains { $0.contains(address) }
    }

    private static func trimmed(_ text: Substring) -> String {
        text.filter { !" []".contains($0) }
    }
}

/// A range of addresses, such as `10.0.0.0/8` or `fd00::/8`. Source: RFC 4632 §3.1; RFC 4291 §2.3.
struct AddressRange: Sendable {
    private let start: [UInt8]
    private let bits: Int

    /// Nil for what is no range: a single address is none either.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let start = IPAddress.bytes(of: String(parts[0])), let bits = Int(parts[1]),
            0...start.count * 8 ~= bits
        else { return nil }
        (self.start, self.bits) = (start, bits)
    }

    func contains(_ address: String) -> Bool {
        guard let bytes = IPAddress.bytes(of: address), bytes.count == start.count else { return false }
        for index in start.indices {
            let left = bits - index * 8
            if left <= 0 { return true }
            let mask: UInt8 = left >= 8 ? 0xFF : ~(0xFF >> UInt8(left))
            if bytes[index] & mask != start[index] & mask { return false }
        }
        return true
    }

    /// Loopback, link-local and private ones.
    static let trustedAnyway = [
        "127.0.0.0/8", "::1/128", "169.254.0.0/16", "fe80::/10", "10.0.0.0/8", "172.16.0.0/12",
        "192.168.0.0/16", "fc00::/7",
    ].compactMap { AddressRange($0) }
}
