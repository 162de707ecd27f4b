import Crypto
import Essentials
package import HTTP
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// The client that the request proves to come from: `Authorization: Basic`, `client_secret_post`, a private-key JWT, or the
    /// bare `client_id` of a public client.
    ///
    /// - Parameters:
    ///   - form: of the request, where it is read already.
    ///   - allowingBearerAssertion: whether the JWT may come as `Authorization: Bearer`, as in the management APIs.
    /// - Throws: `invalid_client` and `invalid_request`. Source: RFC 6749 §2.3; RFC 7523 §3.
    package func requireClient(
        _ request: Request, form: Form? = nil, allowingBearerAssertion: Bool = false
    ) throws -> Client {
        do {
            let form = form ?? (request.isForm ? request.form : Form(""))
            let credentials = try ClientCredentials(request, form, allowsBearer: allowingBearerAssertion)
            return try client(provedBy: credentials, request, form)
        } catch let refusal as ClientRefusal {
            policy.note(AuditEvent(.clientInvalid, clientID: refusal.clientID, request))
            if let id = refusal.unknownClient, let other = try policy.refusal(ofUnknownClient: id) {
                throw other
            }
            throw refusal
        }
    }

    private func client(
        provedBy credentials: ClientCredentials, _ request: Request, _ form: Form
    ) throws -> Client {
        let scheme = credentials.scheme
        switch credentials.proof {
        case .basic(let pairs): return try client(provedBy: pairs, by: .basic, scheme)
        case .post(let pair): return try client(provedBy: [pair], by: .post, scheme)
        case .assertion(let jwt, let clientID):
            return try client(provedBy: jwt, clientID: clientID, scheme, request, form)
        case .none(let clientID):
            return try knownClient([clientID], using: .none, scheme)
        }
    }

    private func client(
        provedBy pairs: [ClientCredentials.Pair], by method: ClientAuthenticationMethod, _ scheme: String?
    ) throws -> Client {
        let client = try knownClient(pairs.map(\.id), using: method, scheme)
        if client.isLenient { return client }
        guard let secret = client.secret else {
            try prove(client, byHashOf: pairs, scheme)
            return client
        }
        let expected = Array(secret.utf8)
        guard
            pairs.contains(where: { $0.id == client.id && constantTimeEqual(Array($0.secret.utf8), expected) }
            )
        else {
            let others = try database.read { try clients.all(in: $0) }.filter { $0.id != client.id }
            let slip = SecretSlip(pairs[0].secret, expected: secret, others: others)
            throw ClientRefusal.secretWrong(client, slip, scheme: scheme)
        }
        return client
    }

    /// For a client whose secret only the platform can check.
    private func prove(
        _ client: Client, byHashOf pairs: [ClientCredentials.Pair], _ scheme: String?
    ) throws {
        let verdicts = try pairs.filter { $0.id == client.id }.map {
            try policy.accepts(secret: $0.secret, of: client)
        }
        if verdicts.contains(true) { return }
        throw verdicts.contains(false)
            ? ClientRefusal.secretWrong(client, nil, scheme: scheme) : .secretless(client, scheme: scheme)
    }

    /// The first of `ids` that is a client, registered to prove itself by `method`.
    func knownClient(
        _ ids: [String], using method: ClientAuthenticationMethod, _ scheme: String?
    ) throws -> Client {
        var found: Client?
        for id in ids where found == nil { found = try clients.find(id, in: database) }
        guard let client = found else { throw try unknownClient(ids[0], scheme) }
        let allowed = try settings().clientMethods
        guard allowed.contains(method) else {
            throw ClientRefusal.methodForbidden(client.id, used: method, allowed: allowed, scheme: scheme)
        }
        if letsPass(method, of: client) { return client }
        guard client.mayProveItself(by: method, profile.secretPlaces) else {
            throw ClientRefusal.methodWrong(client, used: method, scheme: scheme)
        }
        return client
    }

    private func unknownClient(_ id: String, _ scheme: String?) throws -> ClientRefusal {
        .unknown(id, nearest: try nearestClient(to: id), scheme: scheme)
    }

    /// The id of a client that was perhaps meant.
    func nearestClient(to id: String) throws -> String? {
        // Comparing grows with the product of the lengths.
        if id.utf8.count > 64 { return nil }
        let known = try database.read { try clients.all(in: $0) }.prefix(1_000).map(\.id)
        return Suggestion.nearest(to: id, among: known.filter { $0.utf8.count <= 64 })
    }
}

extension Client {
    /// Whether it may prove itself in this way: as it is registered; a client that stands for an API with its secret in either
    /// place. Source: Token Server documentation, “Client authentication methods”; mobile authentication API v4.
    fileprivate func mayProveItself(
        by method: ClientAuthenticationMethod, _ places: ServerProfile.SecretPlaces
    ) -> Bool {
        if authentication == method { return true }
        let secrets: [ClientAuthenticationMethod] = [.basic, .post]
        guard secrets.contains(method), secrets.contains(authentication) else { return false }
        if kind == AuthorizationServer.apiKind { return true }
        // The answer to its registration said client_secret_basic, RFC 7591 §2; many send the form all the same.
        if kind == Self.registeredKind, metadata.tokenEndpointAuthMethod == nil { return true }
        return switch places {
        case .asRegistered: false
        case .eitherUnlessRegistered: metadata.tokenEndpointAuthMethod == nil
        case .either: true
        }
    }
}
