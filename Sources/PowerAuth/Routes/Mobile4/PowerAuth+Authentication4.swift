import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    var aeadEncryption: AEADEncryption { AEADEncryption(world: world) }

    /// Does `body` for who made the code of a request of protocol 4.0; see ``Authentication``.
    func authenticate4<Value>(
        _ request: Request, uriID: String, types: Set<SignatureType> = .twoFactorsOf4,
        covering bytes: [UInt8]? = nil, knowing known: Activation? = nil,
        states: Set<Activation.State> = [.active], in turn: Turn, _ body: (Authenticated) throws -> Value
    ) throws -> Value {
        try authentication.authenticate(
            request, uriID: uriID, types: types, covering: bytes, knowing: known, generation: 4,
            states: states, in: turn, else: unauthenticated4, body)
    }

    /// Does `body` for who made the code of a request and has its keys of 4.0, and whose request is encrypted for the same activation.
    func authenticateEncrypted4<Value>(
        _ request: Request, _ purpose: V4.MessagePurpose, types: Set<SignatureType> = [.possessionKnowledge],
        refusingAs kind: MobileRefusal.Kind, in turn: Turn,
        _ body: (Authenticated, OpenedMessage, ActivationSecrets) throws -> Value
    ) throws -> Value {
        try authenticate4(request, uriID: purpose.rawValue, types: types, in: turn) { sender in
            try aeadEncryption.open(request, purpose, refusingAs: kind, in: turn) { opened in
                guard let holder = opened.holder, holder.activation.id == sender.activation.id,
                    // Read again: the code may have made another key the current one.
                    let secrets = try ActivationSecrets.find(sender.activation.id, in: turn.db)
                else {
                    throw MobileRefusal(
                        kind, "The code belongs to another activation than the encryption.")
                }
                return try body(sender, opened, secrets)
            }
        }
    }

    /// A device that is not authenticated, in the words of the mobile protocol 4.0.
    func unauthenticated4(_ refusal: AuthenticationRefusal) -> MobileRefusal {
        MobileRefusal(refusal.isOfType ? .signatureTypeInvalid(2) : .signatureInvalid(2), because: refusal)
    }

    /// A text member of `requestObject` that may not be blank.
    func requiredText4(_ request: Request, _ name: String) throws -> String {
        guard let text = request.requestObject?[name]?.string,
            text.contains(where: { !$0.isWhitespace })
        else {
            throw MobileRefusal(
                .validation("requestObject.\(name) must not be blank"),
                "The member requestObject.\(name) is missing or blank.")
        }
        return text
    }
}

extension Set<SignatureType> {
    static let twoFactorsOf4: Set = [.possessionKnowledge, .possessionBiometry]
    static let anyOf4 = twoFactorsOf4.union([.possession])
}
