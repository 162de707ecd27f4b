import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `POST /custom-registration/{idp}/complete`, also below `/v2`: the only step, or the second of two.
    ///
    /// - Request: the client's credentials, or in v2 `client_assertion_type` and `client_assertion` in the body; `{"transaction_id"?,
    ///   "data"?, "scope"?: […], "profile_id"?, "hook_context_custom_params"?, "grant_type"?}`.
    /// - Response: `200 {"status", "oauth_token"?, "data"?}`; the token comes with success (2000 to 2999) alone.
    /// - Errors: 400 `invalid_request`, `invalid_client`, `invalid_transaction`, `invalid_scope`; 404 `invalid_idp_identifier`; 403
    ///   `idp_disabled`. A wrong profile id: as at the token endpoint. ``IssueRefusal``, which uses nothing up.
    /// - Source: Token Server documentation, API reference «custom registration» v1 and v2, topics «QR code registration» and
    ///   «stateless custom registration».
    func completeCustomRegistration(_ request: Request) throws -> Response {
        let members = try customMembers(request)
        let client = try requireRegistrant(request, members)
        return try auditing(request, clientID: client.id) {
            let order = try CustomOrder(members, client: client, onegini: self)
            let ids = (grant: services.entropy.uuid(for: "onegini.grant"), issuer: try server.issuer(request))
            func grant(of subject: String) -> Grant {
                var grant = Grant(
                    id: ids.grant, clientID: client.id, subject: subject, scope: order.scope,
                    issuer: ids.issuer, type: order.grantType, authenticatedAt: server.now,
                    createdAt: server.now)
                grant.ownParameters = order.hookParameters
                return grant
            }
            let expected = try database.read { db in
                try expectedUser(provider(request, in: db), order, client, in: db)
            }
            let ruling = try expected.map {
                try server.ruling(on: IssueProposal(client: client, grant: grant(of: $0), request))
            }
            let (outcome, prepared) = try world.change { turn in
                let db = turn.db
                let provider = try provider(request, in: db)
                try check(order.transactionID, of: provider, client, in: db)
                let outcome = try complete(provider, order.data, in: db)
                if let id = order.transactionID, !outcome.mayBeTriedAgain {
                    try db.delete(CustomTransaction.self, where: "id = \(id)")
                }
                guard outcome.isSuccess, let subject = outcome.userID else {
                    return (outcome, PreparedTokens?.none)
                }
                guard let ruling else { throw IssueRefusal.outdated(clientID: client.id) }
                return (
                    outcome,
                    try server.issueTokens(
                        for: grant(of: subject), to: client, parameters: order.parameters, under: ruling,
                        in: db)
                )
            }
            let token = try prepared.map { try server.response(of: $0) }
            return customResponse(outcome, token.map { ["oauth_token": .object($0)] } ?? [:])
        }
    }

    /// Who will be registered, as far as can be told without using anything up; nil when nobody will.
    private func expectedUser(
        _ provider: CustomProvider, _ order: CustomOrder, _ client: Client, in db: Connection
    ) throws -> String? {
        try check(order.transactionID, of: provider, client, in: db)
        guard provider.kind == .qr else {
            let outcome = try complete(provider, order.data, in: db)
            return outcome.isSuccess ? outcome.userID : nil
        }
        guard let identifier = CustomOutcome.text("identifier", in: order.data),
            let found = try waiting(identifier, of: provider, in: db), server.now < found.expiresAt
        else { return nil }
        return found.subject
    }

    /// The transaction of the first step, where the request names one.
    private func check(
        _ id: String?, of provider: CustomProvider, _ client: Client, in db: Connection
    ) throws {
        guard let id else { return }
        guard let found = try db.first(CustomTransaction.self, where: "id = \(id)"),
            let owner = found.clientID
        else {
            throw CustomRegistrationRefusal.transactionInvalid(
                id, reason: "no such transaction waits; it may be completed already")
        }
        guard owner == client.id, found.provider == provider.id else {
            throw CustomRegistrationRefusal.transactionInvalid(
                id, reason: "it was begun by the client \(owner) with the provider \(found.provider)")
        }
        guard server.now < found.expiresAt else {
            throw CustomRegistrationRefusal.transactionInvalid(
                id, reason: "it expired \(server.now.wholeSeconds(since: found.expiresAt)) s ago")
        }
    }

    private func complete(
        _ provider: CustomProvider, _ data: JSONValue?, in db: Connection
    ) throws -> CustomOutcome {
        switch provider.kind {
        case .scripted: return scripted(provider, .complete, data)
        case .direct:
            guard let userID = CustomOutcome.userID(in: data) else {
                return CustomOutcome(status: 4000, data: "expected data with userId")
            }
            return CustomOutcome(status: 2000, userID: userID)
        case .qr: return try redeem(CustomOutcome.text("identifier", in: data), of: provider, in: db)
        }
    }

    private func redeem(
        _ identifier: String?, of provider: CustomProvider, in db: Connection
    ) throws -> CustomOutcome {
        guard let identifier else {
            return CustomOutcome(status: 4000, data: "expected data with identifier")
        }
        guard let found = try waiting(identifier, of: provider, in: db), let subject = found.subject else {
            return CustomOutcome(status: 4001, data: "the identifier is not known")
        }
        try db.delete(found)
        guard server.now < found.expiresAt else {
            return CustomOutcome(status: 5001, data: "the identifier expired")
        }
        return CustomOutcome(status: 2000, userID: subject)
    }

    /// The registration that a portal began for a user.
    private func waiting(
        _ identifier: String, of provider: CustomProvider, in db: Connection
    ) throws -> CustomTransaction? {
        guard let found = try db.first(CustomTransaction.self, where: "id = \(identifier)"),
            found.provider == provider.id, found.subject != nil
        else { return nil }
        return found
    }
}

/// What a client asks for when it completes a registration.
private struct CustomOrder: Sendable {
    let transactionID: String?
    let data: JSONValue?
    let scope: ScopeList
    let grantType: String
    /// `hook_context_custom_params`
    let hookParameters: [String: [String]]
    /// Of a token request.
    let parameters: Form

    init(_ members: Members, client: Client, onegini: Onegini) throws {
        transactionID = try members.optionalText("transaction_id")
        data = members.values["data"].flatMap { $0.isNull ? nil : $0 }
        scope = try onegini.grantable(Self.scope(in: members), to: client)
        grantType = try Self.grantType(in: members)
        hookParameters = try Self.hookParameters(in: members)
        let profile = try members.optionalText("profile_id")
        parameters = Form(profile.map { "profile_id=\($0.formEscaped)" } ?? "")
    }

    /// A list of names; a text of names with spaces between is taken as well.
    private static func scope(in members: Members) throws -> String? {
        guard let value = members.values["scope"], !value.isNull else { return nil }
        guard let text = value.string ?? value.strings?.joined(separator: " ") else {
            throw CustomRegistrationRefusal.requestInvalid("The member \"scope\" must be a list of strings.")
        }
        return text.isEmpty ? nil : text
    }

    /// An object of lists of strings; a string alone is taken as well. *Assumed*: the documentation names the member alone.
    private static func hookParameters(in members: Members) throws -> [String: [String]] {
        guard let value = members.values["hook_context_custom_params"], !value.isNull else { return [:] }
        let lists = value.object?.compactMapValues { $0.strings ?? $0.string.map { [$0] } }
        guard let lists, lists.count == value.object?.count else {
            throw CustomRegistrationRefusal.requestInvalid(
                "The member \"hook_context_custom_params\" must be an object whose members are lists of strings."
            )
        }
        return lists
    }

    private static func grantType(in members: Members) throws -> String {
        guard let type = try members.optionalText("grant_type") else { return "custom_registration" }
        guard type == StatelessGrant.type else {
            throw CustomRegistrationRefusal.requestInvalid(
                "The member \"grant_type\" may be \"\(StatelessGrant.type)\" or missing, found \"\(type.prefix(80))\"."
            )
        }
        return type
    }
}
