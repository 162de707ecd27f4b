/// The factors of an authentication code, in their fixed order.
enum SignatureType: String, Sendable, CaseIterable {
    case possession
    case knowledge
    case biometry
    case possessionKnowledge = "possession_knowledge"
    case possessionBiometry = "possession_biometry"
    case possessionKnowledgeBiometry = "possession_knowledge_biometry"

    /// - Parameter text: in any case.
    init?(text: String) { self.init(rawValue: text.lowercased()) }
}

extension Set<SignatureType> {
    static let anyWithTwoFactors: Set = [
        .possessionKnowledge, .possessionBiometry, .possessionKnowledgeBiometry,
    ]
    static let anyWithPossession = anyWithTwoFactors.union([.possession])
}
