import Crypto

extension DevelopmentAuthority {
    /// What its certificate says that it may sign for: domains, each with all names below it, and networks such as `10.0.0.0/8`.
    /// Source: RFC 5280 §4.2.1.10.
    func permittedSubtrees() throws -> [String] {
        guard let constraints = try certificate.extensionValue("2.5.29.30") else { return [] }
        let parts = try DERElement(parsing: constraints.value).of(.sequence).children()
        guard let permitted = parts.first(where: { $0.tag.scope == .context && $0.tag.number == 0 }) else {
            return []
        }
        return try permitted.children().compactMap { subtree in
            guard let base = try subtree.of(.sequence).children().first else { return nil }
            switch base.tag.number {
            case 2: return String(decoding: base.content, as: UTF8.self)
            case 7: return Self.network(Array(base.content))
            default: return nil
            }
        }
    }

    /// - Parameter bytes: an address and, as long again, its mask.
    private static func network(_ bytes: [UInt8]) -> String {
        let (address, mask) = (bytes.prefix(bytes.count / 2), bytes.suffix(bytes.count / 2))
        let bits = mask.reduce(0) { $0 + $1.nonzeroBitCount }
        if address.count == 4 { return address.map(String.init).joined(separator: ".") + "/\(bits)" }
        let octets = Array(address)
        let groups = stride(from: 0, to: octets.count - 1, by: 2).map {
            String(Int(octets[$0]) << 8 | Int(octets[$0 + 1]), radix: 16)
        }
        return groups.joined(separator: ":") + "/\(bits)"
    }
}
