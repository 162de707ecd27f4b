import SQLite

extension FlowAction {
    /// `webauthn_credential_rename`: what people call a passkey or security key.
    static let renameCredential = FlowAction.onAccount(
        "webauthn_credential_rename", "Rename a passkey.",
        inputs: { _, _ in
            [
                FlowInput("passkey_id", .string, isRequired: true, isHidden: true),
                FlowInput("passkey_name", .string, isRequired: true),
            ]
        },
        suspension: { _, account in account.credentials.isEmpty ? "the user has no passkey" : nil },
        run: { step, form, account in
            var credential = try account.credential(form, "passkey_id", among: account.credentials)
            let name = form.text("passkey_name")
            (credential.name, credential.updatedAt) = (name, step.now)
            try step.db.update(credential)
            step.note("credential renamed", "The credential \(credential.id) is called “\(name)” now.")
            return .proceed(.profileInit)
        })

    /// `webauthn_credential_delete`: one passkey less.
    static let deletePasskey = FlowAction.onAccount(
        "webauthn_credential_delete", "Delete a passkey.",
        inputs: { _, _ in [FlowInput("passkey_id", .string, isRequired: true, isHidden: true)] },
        suspension: { step, account in
            if !step.configuration.passkey.isEnabled { return "passkey.enabled is false" }
            if account.passkeys.isEmpty { return "the user has no passkey" }
            return account.reasonToKeepPasskey(under: step.configuration)
        },
        run: { step, form, account in
            let credential = try account.credential(form, "passkey_id", among: account.passkeys)
            try step.db.delete(Credential.self, where: "id = \(credential.id)")
            try step.audit(.passkeyDeleted, account, ["credential_id": credential.id])
            step.note(
                "passkey deleted",
                "The passkey \(credential.id) of the user \(account.id) was deleted; the device may still offer it."
            )
            return .proceed(.profileInit)
        })

    /// `security_key_delete`: one security key less.
    static let deleteSecurityKey = FlowAction.onAccount(
        "security_key_delete", "Delete a security key.",
        inputs: { _, _ in [FlowInput("security_key_id", .string, isRequired: true, isHidden: true)] },
        suspension: { step, account in
            if account.securityKeys.isEmpty { return "the user has no security key" }
            return account.reasonToKeepSecurityKey(under: step.configuration)
        },
        run: { step, form, account in
            let credential = try account.credential(form, "security_key_id", among: account.securityKeys)
            try step.db.delete(Credential.self, where: "id = \(credential.id)")
            try step.notify(.mfaDelete, account)
            step.note(
                "security key deleted",
                "The security key \(credential.id) of the user \(account.id) was deleted.")
            return .proceed(.profileInit)
        })
}

extension Account {
    /// The credential that the input names.
    fileprivate func credential(
        _ form: FlowForm, _ input: String, among credentials: [Credential]
    ) throws -> Credential {
        let id = form.text(input)
        guard let credential = credentials.first(where: { $0.id == id }) else {
            throw FlowRefusal.notFound(
                "The user \(self.id) has no such credential as “\(id.prefix(60))”; payload.user has the ids."
            )
        }
        return credential
    }
}
