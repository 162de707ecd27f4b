import Essentials
import JOSE

/// What the member `jwks` of a client must be. Source: RFC 7591 §2; RFC 7517 §5.
enum ClientKeyRules {
    static func check(_ jwks: JSONValue) throws {
        let entries = jwks["keys"]?.array ?? []
        // RFC 7517 §9.2, RFC 7518 §6.
        if entries.contains(where: { $0["d"] != nil || $0["kty"] == "oct" }) {
            throw MetadataFault("jwks", "it has a private or a shared key; only public ones belong here")
        }
        do {
            _ = try AuthorizationServer.keys(in: jwks)
        } catch AssertionFault.keysUnreadable(let reason) {
            throw MetadataFault("jwks", reason)
        }
    }

    /// Whether a client can prove itself by one of the keys.
    ///
    /// - Throws: ``MetadataFault`` where none suits an algorithm of the token endpoint, such as a set of Ed25519 keys.
    static func checkAssertions(_ jwks: JSONValue) throws {
        let algorithms = AuthorizationServer.assertionAlgorithms.compactMap(JWSAlgorithm.init(name:))
        let keys = try AuthorizationServer.keys(in: jwks)
        guard !keys.contains(where: { key in algorithms.contains { key.suits($0) } }) else { return }
        throw MetadataFault(
            "jwks",
            "no key of it can sign a client assertion: found \(keys.map(\.summary).joined(separator: ", ")), expected a key for one of "
                + AuthorizationServer.assertionAlgorithms.joined(separator: ", "))
    }
}
