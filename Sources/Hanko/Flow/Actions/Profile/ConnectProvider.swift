import SQLite

extension FlowAction {
    /// `connect_thirdparty_oauth_provider`: the account at a provider beside what the user signs in with.
    static let connectThirdParty = FlowAction.onAccount(
        "connect_thirdparty_oauth_provider", "Connect an account of a third party provider.",
        inputs: { step, account in
            FlowInput.thirdParty(account.unconnected(step.configuration.thirdParty.providers))
        },
        suspension: { step, account in
            let providers = step.configuration.thirdParty.providers
            if providers.isEmpty { return "no provider is enabled under third_party.providers" }
            return account.unconnected(providers).isEmpty ? "every provider is connected already" : nil
        },
        run: { step, _, _ in try step.visitThirdParty() })

    /// `disconnect_thirdparty_oauth_provider`: forgets the account at a provider.
    ///
    /// The original never publishes the input `identity_id`, and reads it all the same. Source: Hanko 2.7, Flow API.
    static let disconnectThirdParty = FlowAction.onAccount(
        "disconnect_thirdparty_oauth_provider", "Disconnect an account of a third party provider.",
        suspension: { _, account in
            account.identities.isEmpty ? "the user has no account at a provider" : nil
        },
        run: { step, form, account in
            let id = form.text("identity_id")
            guard let identity = account.identities.first(where: { $0.id == id }) else {
                throw FlowRefusal.formDataInvalid(
                    "Expected in “identity_id” one of the identities of the user \(account.id), found "
                        + "“\(id.prefix(60))”; payload.user.identities has the ids.")
            }
            try step.db.delete(Identity.self, where: "id = \(identity.id)")
            step.note(
                "provider disconnected",
                "The account \(identity.subject) at \(identity.provider) is not the user \(account.id)'s any more."
            )
            return .proceed(.profileInit)
        })
}

extension Account {
    fileprivate func unconnected(_ providers: [ThirdPartyProvider]) -> [ThirdPartyProvider] {
        providers.filter { provider in !identities.contains { $0.provider == provider.id } }
    }
}
