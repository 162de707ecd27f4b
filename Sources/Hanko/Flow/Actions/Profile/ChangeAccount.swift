import Essentials

extension FlowAction {
    /// `account_delete`: the user and everything that belongs to it, this session included.
    static let deleteAccount = FlowAction.onAccount(
        "account_delete", "Delete the account.",
        suspension: { turn, _ in
            turn.configuration.allowsDeletion ? nil : "account.allow_deletion is false"
        },
        run: { turn, _, account in
            try UserStore.delete(account.id, in: turn.db)
            turn.audit(.userDeleted, account)
            turn.add(.deletion(account))
            turn.add(.cookie(turn.configuration.session.cookie.cleared))
            turn.note(
                "user deleted", about: account.primaryEmail?.address,
                "The user \(account.id) is gone, with addresses, credentials and sessions.")
            return .proceed(.accountDeleted, isRevertible: false)
        })

    /// `patch_metadata`: what the app keeps with the user. Source: RFC 7396.
    static let patchMetadata = FlowAction.onAccount(
        "patch_metadata", "Patch the metadata that belongs to the user.",
        inputs: { _, _ in [FlowInput("patch_metadata", .json, isRequired: true, isHidden: false)] },
        run: { turn, form, account in
            let patch: JSONValue
            switch form.metadataPatch {
            case .failure(let refusal): return .refuse(refusal)
            case .success(let value): patch = value
            }
            var metadata = account.metadata
            metadata.unsafe = Metadata.merged(patch, into: metadata.unsafe)
            let count = metadata.unsafe?.text.unicodeScalars.count ?? 0
            guard count <= Metadata.limit else {
                return .refuse(
                    .metadata(
                        "Expected at most \(Metadata.limit) characters of unsafe metadata, found \(count)."))
            }
            try MetadataStore.set(metadata, of: account.id, in: turn.db)
            turn.note(
                "metadata changed",
                "The unsafe metadata of the user \(account.id) is \(metadata.unsafe?.text ?? "empty") now.")
            return .proceed(.profileInit)
        })
}

extension FlowForm {
    /// An object, or null to clear.
    fileprivate var metadataPatch: Result<JSONValue, FlowRefusal> {
        do {
            let patch = try json("patch_metadata")
            guard let patch, patch.isNull || patch.object != nil else {
                let found = patch.map { String($0.text.prefix(200)) } ?? "nothing"
                return .failure(
                    .metadata("Expected an object or null in \"patch_metadata\", found \(found)."))
            }
            return .success(patch)
        } catch {
            return .failure(.metadata("The text in \"patch_metadata\" is not JSON: \(error)."))
        }
    }
}

extension FlowRefusal {
    fileprivate static func metadata(_ explanation: String) -> FlowRefusal {
        .input("patch_metadata", .metadataInvalid, explanation)
    }
}
