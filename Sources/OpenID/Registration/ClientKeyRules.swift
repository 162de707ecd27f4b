import Essentials

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
}
