import Essentials
import OpenID
import PlatformKit

/// An API client with the vendor's names. Source: Token Server documentation, API clients API; appendix “API config”.
enum APIClientSettings {
    static let scopes = [
        "onegini_api_admin", "onegini_api_config", "onegini_api_end_user", "onegini_api_events",
        "onegini_api_insights", "onegini_api_mobile_authentication", "onegini_api_payload_encryption_policy",
        "onegini_api_token_introspection", "onegini_api_two_way_otp", "onegini_api_user_registration",
    ]

    private static let mapped: Set<String> = [
        "name", "client_id", "authentication_method", "client_secret", "public_jwk", "jwks_uri", "scopes",
    ]

    /// What the API shows of a client: everything but secrets.
    static func json(of client: Client) -> [String: JSONValue] {
        let metadata = client.metadata
        var members = (metadata.vendor ?? [:]).filter { $0.key != MobileExtension.hashedSecret }
        members["name"] = .string(client.name)
        members["client_id"] = .string(client.id)
        members["authentication_method"] =
            client.authentication == .privateKeyJWT ? "private_key_jwt" : "client_secret_basic"
        members["scopes"] = JSONValue(client.scopes.names)
        members["jwks_uri"] = metadata.jwksURI.map(JSONValue.string)
        members["public_jwk"] = metadata.jwks?["keys"]?.array?.first
        return members
    }

    /// Puts what a body says into a client.
    ///
    /// - Throws: ``AdministrationRefusal/invalid(_:)`` with everything that is wrong.
    static func apply(_ members: [String: JSONValue], to client: inout Client) throws {
        let input = Members.management(members)
        client.metadata.clientName = try input.text("name")
        let method = try input.choice(
            "authentication_method", of: ["client_secret_basic", "private_key_jwt"])
        if method == "private_key_jwt" {
            client.metadata.tokenEndpointAuthMethod = .privateKeyJWT
        } else if client.authentication == .privateKeyJWT {
            client.metadata.tokenEndpointAuthMethod = nil
        }
        try ClientProof.read(input, into: &client)
        let names = try input.texts("scopes", isRequired: true) ?? []
        for name in names where !scopes.contains(name) {
            try input.fail(
                "scopes", "must be some of \(scopes.joined(separator: ", ")), not “\(name.prefix(60))”")
        }
        client.metadata.scope = ScopeList(names).text
        // Of the grants it has none: it calls management APIs and asks for no tokens.
        client.metadata.grantTypes = client.metadata.grantTypes ?? []
        var vendor = input.values.filter { !mapped.contains($0.key) }
        if let kept = client.metadata.vendor?[MobileExtension.hashedSecret] {
            vendor[MobileExtension.hashedSecret] = kept
        }
        client.metadata.vendor = vendor.isEmpty ? nil : vendor
        try input.check()
    }
}
