import Crypto
import Essentials
import HTTP
import JOSE
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// Metadata of a client that registers itself, checked, with the defaults filled in. It may fetch the sector identifier, so it
    /// is never called inside a transaction.
    ///
    /// - Throws: ``RegistrationRefusal``. Source: RFC 7591 §2, §3.2.1.
    func accepted(_ input: ClientMetadata) throws -> ClientMetadata {
        let settings = try settings()
        let known = try database.read { try scopes.known(in: $0).map(\.name) }
        var metadata = input.withDefaults
        do {
            try RegistrationRules(
                settings: settings,
                signingAlgorithms: try services.keys.published(profile.name).map(\.algorithm.name)
            ).check(metadata)
            metadata.scope = try scope(
                metadata.scope, allowed: settings.registeredScope.map { ScopeList($0) } ?? ScopeList(known),
                fallback: settings.registeredScope)
            if let url = metadata.sectorIdentifierURI {
                if settings.fetchPrivateAddresses != true {
                    try ClientURI(url, of: "sector_identifier_uri").refusePrivate()
                }
                try checkSector(url, metadata.redirectURIs ?? [])
            }
        } catch let fault as MetadataFault {
            throw RegistrationRefusal.metadata(fault)
        }
        return metadata
    }

    /// A client that does not say may ask for the standard ones, or for what the settings name. It is told nothing of the former:
    /// some relying parties refuse a registration that says more than they did (observed: idpyoidc 5.0.0).
    private func scope(_ text: String?, allowed: ScopeList, fallback: String?) throws -> String? {
        guard let text else { return fallback }
        let missing = ScopeList(text).missing(in: allowed)
        guard missing.isEmpty else {
            throw MetadataFault(
                "scope",
                "“\(missing.joined(separator: " "))” is not among the scopes that a client may register for: \(allowed.text)"
            )
        }
        return text
    }

    /// Every redirect URI must stand in the list that the sector identifier leads to.
    ///
    /// Source: OpenID Connect Dynamic Client Registration 1.0 §5.
    private func checkSector(_ url: String, _ redirectURIs: [String]) throws {
        let name = "sector_identifier_uri"
        do {
            let response = try services.web.get(url, headers: ["Accept": "application/json"])
            guard response.status == .ok else {
                throw MetadataFault(name, "\(url) answers \(response.status.code)")
            }
            guard let listed = try JSONValue(parsing: response.bytes).strings else {
                throw MetadataFault(name, "\(url) is not a JSON array of strings")
            }
            let missing = redirectURIs.filter { !listed.contains($0) }
            guard missing.isEmpty else {
                throw MetadataFault(name, "\(url) does not list \(missing.joined(separator: ", "))")
            }
        } catch let error as WebCallFailed {
            throw MetadataFault(name, "\(url) could not be fetched: \(error.description)")
        } catch is DecodingError {
            throw MetadataFault(name, "\(url) is not JSON")
        }
    }
}

extension ClientMetadata {
    /// The method of authentication stays open: who does not say may send the secret in either place.
    ///
    /// Source: RFC 7591 §2; OpenID Connect Dynamic Client Registration 1.0 §2.
    fileprivate var withDefaults: ClientMetadata {
        var metadata = self
        metadata.grantTypes = grantTypes ?? [GrantType.authorizationCode]
        let hasCode = metadata.grantTypes?.contains(GrantType.authorizationCode) == true
        metadata.responseTypes = responseTypes ?? (hasCode ? ["code"] : [])
        metadata.applicationType = applicationType ?? "web"
        metadata.idTokenSignedResponseAlg = idTokenSignedResponseAlg ?? "RS256"
        return metadata
    }
}

extension AuthorizationServer {
    /// Refuses a registration without the token that the fixtures demand. Source: RFC 7591 §3.
    func requireInitialToken(_ request: Request) throws {
        guard let expected = try settings().initialAccessToken else { return }
        guard let token = request.bearer else { throw RegistrationRefusal.initialTokenMissing }
        guard constantTimeEqual(Array(token.utf8), Array(expected.utf8)) else {
            throw RegistrationRefusal.initialTokenWrong
        }
    }

    /// The client at whose place the request came, proved by its registration access token, which it brings.
    ///
    /// Source: RFC 7592 §2: whatever is wrong, the answer is the same.
    func requireRegistration(_ request: Request) throws -> (client: Client, token: String) {
        guard let token = request.bearer else { throw RegistrationRefusal.tokenMissing }
        let id = request.parameter("client")
        guard let client = try database.read({ try clients.find(id, in: $0) }) else {
            throw RegistrationRefusal.clientUnknown(id)
        }
        guard let digest = client.registrationDigest else { throw RegistrationRefusal.notRegistered(id) }
        guard constantTimeEqual(Digest.sha256(Array(token.utf8)), digest) else {
            throw RegistrationRefusal.tokenWrong(id)
        }
        return (client, token)
    }
}

extension Request {
    /// What follows `Authorization: Bearer`; nil for another scheme, or none. Source: RFC 6750 §2.1.
    fileprivate var bearer: String? {
        let fields = headers.values(of: "Authorization")
        guard fields.count == 1 else { return nil }
        let parts = fields[0].split(separator: " ", maxSplits: 1)
        guard parts.count == 2, String(parts[0]).equalsIgnoringCase("Bearer") else { return nil }
        return String(parts[1])
    }
}
