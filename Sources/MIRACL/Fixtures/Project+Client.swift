import Essentials
import OpenID

extension Project.Application {
    /// The OpenID Connect client of the application: what the vendor's portal would register.
    func client() throws -> ClientFixture {
        let members: [String: JSONValue] = [
            "client_id": .string(clientID), "client_secret": .string(clientSecret),
            "client_name": .string(name ?? clientID), "redirect_uris": JSONValue(redirectURIs),
            "logo_uri": logoURL.map(JSONValue.string) ?? .null,
            "scope": .string(Vendor.scopes.joined(separator: " ")),
            "default_scope": "openid", "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"], "access_token_format": "jwt", "access_token_lifetime": 900,
            "id_token_lifetime": 900,
        ]
        let text = JSONValue.object(members.filter { !$0.value.isNull }).text
        return try JSONDecoder().decode(ClientFixture.self, from: Data(text.utf8))
    }
}
