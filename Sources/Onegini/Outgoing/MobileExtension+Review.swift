import Essentials
import OpenID
import PlatformKit
import SQLite

// Back ends of the integrator's that have a say before a code or tokens are issued.
extension MobileExtension {
    /// Asks the scope verification service, then the web hook of the client. Outside of any transaction.
    ///
    /// *Assumed*: a refresh and a token exchange, whose scopes were verified before, are told to the web hook alone.
    func review(_ proposal: IssueProposal) throws -> IssueChanges {
        if let verification = try verification(for: proposal) { try verify(verification, proposal) }
        guard let hook = try hook(of: proposal.client) else { return IssueChanges() }
        return try customize(proposal, by: hook)
    }

    // MARK: Scope verification

    private func verification(for proposal: IssueProposal) throws -> ScopeVerification? {
        guard let subject = proposal.grant.subject, !proposal.isRefresh,
            proposal.grant.type != GrantType.tokenExchange
        else { return nil }
        return try registry.world.database.read { db in
            guard
                let settings = try ScopeVerificationSettings.setting.value(in: db),
                settings.isEnabled ?? true
            else { return nil }
            let scopes = try db.checkedScopes(of: proposal.scope)
            guard !scopes.isEmpty else { return nil }
            let name = try registry.server.users.find(subject, in: db)?.username
            return ScopeVerification(
                settings: settings, userID: subject, externalIdentity: name ?? subject, scopes: scopes)
        }
    }

    private func verify(_ verification: ScopeVerification, _ proposal: IssueProposal) throws {
        let verdict: ScopeVerification.Verdict
        do {
            verdict = try verification.consultation.answer(
                about: verification.userID, registry.services, ScopeVerification.verdict(in:))
        } catch let refusal as IssueRefusal {
            try noteFailedCheck(proposal)
            throw refusal
        }
        if case .failure(let scope) = verdict { throw verification.refusal(of: scope) }
    }

    private func noteFailedCheck(_ proposal: IssueProposal) throws {
        let event = Event(
            .externalScopeCheckFailed, clientID: proposal.client.id, subject: proposal.grant.subject,
            proposal.request, registry.services)
        try registry.world.change { turn in try turn.insert(event) }
    }

    // MARK: Web hook

    /// The first of its type that is linked to the client; a client has one of each type. *Assumed*.
    private func hook(of client: Client) throws -> CustomizationHook? {
        let linked = client.metadata.vendor?["web_hook_ids"]?.strings ?? []
        guard !linked.isEmpty || client.kind == DeviceRegistry.clientKind else { return nil }
        return try registry.world.database.read { db in
            let application = try db.device(client.id)?.application
            let ids =
                try linked
                + (application.map { try db.application($0)?.webHookIDs ?? [] } ?? [])
            for id in ids {
                guard let entry = try db.configuration(.webHook, id),
                    entry.settings["type"]?.string == CustomizationHook.type
                else { continue }
                return CustomizationHook(entry)
            }
            return nil
        }
    }

    private func customize(
        _ proposal: IssueProposal, by hook: CustomizationHook
    ) throws -> IssueChanges {
        let server = registry.server
        let user = try proposal.grant.subject.flatMap { subject in
            try registry.world.database.read { db in try server.users.find(subject, in: db) }
        }
        let proof =
            hook.method == "JWT" ? try server.proof(for: hook.base, issuer: proposal.grant.issuer) : nil
        let consultation = hook.consultation(proposal, claims: user?.claims ?? [:], proof: proof)
        var changes = try consultation.answer(
            about: proposal.grant.subject ?? proposal.client.id, registry.services,
            CustomizationHook.changes(in:))
        // The documentation has them left out without breaking the flow, and told.
        let taken = changes.claims.keys.filter(Self.isTaken).sorted()
        if !taken.isEmpty {
            registry.services.journal.event(
                "claims rejected", about: proposal.grant.subject ?? proposal.client.id,
                "The web hook “\(hook.id)” gave the claims \(taken.joined(separator: ", ").prefix(400)), which the protocols or the "
                    + "server itself define; they were left out. Use a prefix of your own.")
            for name in taken { changes.claims[name] = nil }
        }
        return changes
    }

    /// Whether a claim is the protocols' or this server's, so that a web hook may not give it.
    private static func isTaken(_ name: String) -> Bool {
        AccessTokenClaims.reserved.contains(name) || ownClaims.contains(name)
    }

    /// What access tokens and the introspection say beside the standards.
    private static let ownClaims: Set<String> = [
        "app_identifier", "app_platform", "app_version", "usage_count", "usage_limit", "user_details", "usl",
    ]
}

extension Connection {
    /// The scopes of a list that have a service endpoint.
    fileprivate func checkedScopes(of scope: ScopeList) throws -> [ScopeVerification.Checked] {
        let found = try configurations(.scope).compactMap { entry -> ScopeVerification.Checked? in
            guard scope.contains(entry.id), let endpoint = entry.settings["service_endpoint"]?.string,
                !endpoint.isEmpty
            else { return nil }
            let failed = entry.settings["verification_failed_endpoint"]?.string
            return .init(
                id: entry.id, serviceEndpoint: endpoint,
                failedEndpoint: failed?.isEmpty == true ? nil : failed)
        }
        return scope.names.compactMap { name in found.first { $0.id == name } }
    }
}
