import Essentials
import SQLite

extension FlowAction {
    /// `account_delete`: the user and everything that belongs to it, this session included.
    static let deleteAccount = FlowAction.onAccount(
        "account_delete", "Delete the account.",
        suspension: { step, _ in
            step.configuration.account.allowsDeletion ? nil : "account.allow_deletion is false"
        },
        run: { step, _, account in
            try step.db.delete(User.self, where: "id = \(account.id)")
            try step.audit(.userDeleted, account)
            try step.announcer.announce(.userDelete, of: account, in: step.turn)
            step.cookies.append(step.configuration.session.cookie.cleared)
            step.note(
                "user deleted", about: account.primaryEmail?.address,
                "The user \(account.id) was deleted, with addresses, credentials and sessions.")
            return .proceed(.accountDeleted, isRevertible: false)
        })

    /// `patch_metadata`: what the app keeps with the user. Source: RFC 7396.
    static let patchMetadata = FlowAction.onAccount(
        "patch_metadata", "Patch the metadata that belongs to the user.",
        inputs: { _, _ in [FlowInput("patch_metadata", .json, isRequired: true, isHidden: false)] },
        run: { step, form, account in
            var metadata = account.metadata
            metadata.unsafe = Metadata.merged(try form.metadataPatch, into: metadata.unsafe)
            let count = metadata.unsafe?.text.unicodeScalars.count ?? 0
            guard count <= Metadata.limit else {
                throw FlowRefusal.metadata(
                    "Expected at most \(Metadata.limit) characters of unsafe metadata, found \(count).")
            }
            try step.db.save(metadata)
            step.note(
                "metadata changed",
                "The unsafe metadata of the user \(account.id) is \(metadata.unsafe?.text ?? "empty") now.")
            return .proceed(.profileInit)
        })
}

extension FlowForm {
    /// An object, or null to clear.
    fileprivate var metadataPatch: JSONValue {
        get throws {
            let patch: JSONValue?
            do {
                patch = try json("patch_metadata")
            } catch {
                throw FlowRefusal.metadata("The text in “patch_metadata” is not JSON: \(error).")
            }
            guard let patch, patch.isNull || patch.object != nil else {
                let found = patch.map { String($0.text.prefix(200)) } ?? "nothing"
                throw FlowRefusal.metadata(
                    "Expected an object or null in “patch_metadata”, found \(found).")
            }
            return patch
        }
    }
}

extension FlowRefusal {
    fileprivate static func metadata(_ explanation: String) -> FlowRefusal {
        .input("patch_metadata", .metadataInvalid, explanation)
    }
}

extension FlowAction {
    /// An action on the account of the user whose session this is.
    ///
    /// - Parameters:
    ///   - inputs: what the client may submit now.
    ///   - suspension: why the action is not offered now, as half a sentence; nil when it is offered.
    ///   - run: does it.
    static func onAccount(
        _ name: String, _ description: String,
        inputs: @escaping @Sendable (FlowStep, Account) throws -> [FlowInput] = { _, _ in [] },
        suspension: @escaping @Sendable (FlowStep, Account) throws -> String? = { _, _ in nil },
        run: @escaping @Sendable (inout FlowStep, FlowForm, Account) throws -> FlowMove
    ) -> FlowAction {
        FlowAction(
            name, description, inputs: { try inputs($0, $0.requireAccount()) },
            suspension: { try suspension($0, $0.requireAccount()) },
            run: { step, form in try run(&step, form, step.requireAccount()) })
    }
}
