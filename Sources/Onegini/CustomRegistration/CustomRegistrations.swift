import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

/// Registrations without a browser, by providers whose scripts are answers in the fixtures.
///
/// Source: Token Server documentation, API reference “custom registration” v1 and v2, topics “QR code registration” and “stateless
/// custom registration”.
struct CustomRegistrations: Sendable {
    let server: AuthorizationServer

    init(_ server: AuthorizationServer) { self.server = server }

    /// The first of two steps.
    ///
    /// - Parameter id: of the transaction, where this begins one.
    func begin(_ id: String, with providerID: String, _ data: JSONValue?, by client: Client) throws
        -> CustomOutcome
    {
        try server.world.change { turn in
            let provider = try provider(providerID, in: turn.db)
            let outcome =
                provider.kind == .scripted
                ? scripted(provider, .`init`, data) : CustomOutcome(status: 2000)
            if outcome.isSuccess { try turn.insert(newTransaction(id, provider, client: client)) }
            return outcome
        }
    }

    /// A portal's part: the QR provider trades a user id for `identifier`.
    func useBackchannel(_ identifier: String, of providerID: String, _ data: JSONValue?) throws
        -> CustomOutcome
    {
        try server.world.change { turn in
            let provider = try provider(providerID, in: turn.db)
            switch provider.kind {
            case .scripted: return scripted(provider, .backchannel, data)
            case .direct: return CustomOutcome(status: 5000, data: "this provider has no backchannel")
            case .qr:
                guard let userID = CustomOutcome.userID(in: data) else {
                    return CustomOutcome(status: 4000, data: "expected data with userId")
                }
                try turn.insert(newTransaction(identifier, provider, subject: userID))
                return CustomOutcome(status: 2000, data: ["identifier": .string(identifier)])
            }
        }
    }

    /// A provider that is configured and enabled.
    private func provider(_ id: String, in db: Connection) throws -> CustomProvider {
        let all = try CustomProvider.setting.value(in: db) ?? CustomProvider.builtIn
        guard let provider = all.first(where: { $0.id == id }) else {
            throw CustomRegistrationRefusal.providerUnknown(id, known: all.map(\.id))
        }
        guard provider.isEnabled else { throw CustomRegistrationRefusal.providerDisabled(id) }
        return provider
    }

    /// What a scripted provider says.
    private func scripted(
        _ provider: CustomProvider, _ step: CustomProvider.Step, _ data: JSONValue?
    ) -> CustomOutcome {
        let answer = provider.answers.first { $0.step == step && ($0.when == nil || $0.when == data) }
        guard let answer else {
            return CustomOutcome(
                status: 5000, data: .string("no answer is configured for \(step.rawValue) with these data"))
        }
        return CustomOutcome(status: answer.status, data: answer.data, userID: answer.userID)
    }

    private func newTransaction(
        _ id: String, _ provider: CustomProvider, client: Client? = nil, subject: String? = nil
    ) -> CustomTransaction {
        CustomTransaction(
            id: id, provider: provider.id, clientID: client?.id, subject: subject,
            expiresAt: server.now.addingTimeInterval(Double(CustomTransaction.lifetimeSeconds)))
    }
}

// MARK: - The only step, or the second of two

extension CustomRegistrations {
    /// Issues tokens when the provider says so. Nothing is used up when they are refused.
    ///
    /// - Throws: ``CustomRegistrationRefusal``; ``IssueRefusal``; ``ProfileRefusal``.
    func complete(
        _ order: CustomOrder, with providerID: String, by client: Client, _ request: Request
    ) throws -> (outcome: CustomOutcome, tokens: PreparedTokens?) {
        let ids = (
            grant: server.services.entropy.uuid(for: "onegini.grant"), issuer: try server.issuer(request)
        )
        func grant(of subject: String) -> Grant {
            var grant = Grant(
                id: ids.grant, clientID: client.id, subject: subject, scope: order.scope, issuer: ids.issuer,
                type: order.grantType, authenticatedAt: server.now, createdAt: server.now)
            grant.ownParameters = order.hookParameters
            return grant
        }
        let expected = try server.database.read { db in
            try expectedUser(provider(providerID, in: db), order, client, in: db)
        }
        let ruling = try expected.map {
            try server.ruling(on: IssueProposal(client: client, grant: grant(of: $0), request))
        }
        return try server.world.change { turn in
            let outcome = try take(order, from: provider(providerID, in: turn.db), client, in: turn.db)
            guard outcome.isSuccess, let subject = outcome.userID else { return (outcome, nil) }
            guard let ruling else { throw IssueRefusal.outdated(clientID: client.id) }
            let tokens = try server.issueTokens(
                for: grant(of: subject), to: client, parameters: order.parameters, under: ruling, in: turn.db)
            return (outcome, tokens)
        }
    }

    /// What the provider says, which uses up the transaction of the first step.
    private func take(
        _ order: CustomOrder, from provider: CustomProvider, _ client: Client, in db: Connection
    ) throws -> CustomOutcome {
        try check(order.transactionID, of: provider, client, in: db)
        let outcome = try complete(provider, order.data, in: db)
        if let id = order.transactionID, !outcome.mayBeTriedAgain {
            try db.delete(CustomTransaction.self, where: "id = \(id)")
        }
        return outcome
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
                id, reason: "it expired \(server.now.seconds(since: found.expiresAt)) s ago")
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
