/// The factors that an authentication code was made with, by the protocol's names.
package enum SignatureType: String, Codable, Sendable, CaseIterable {
    case possession
    case knowledge
    case biometry
    case possessionKnowledge = "possession_knowledge"
    case possessionBiometry = "possession_biometry"
    case possessionKnowledgeBiometry = "possession_knowledge_biometry"

    /// In either case; `nil` for another name.
    package init?(_ name: String) {
        self.init(rawValue: name.lowercased())
    }

    /// In the fixed order.
    package var factors: [AuthenticationFactor] {
        switch self {
        case .possession: [.possession]
        case .knowledge: [.knowledge]
        case .biometry: [.biometry]
        case .possessionKnowledge: [.possession, .knowledge]
        case .possessionBiometry: [.possession, .biometry]
        case .possessionKnowledgeBiometry: [.possession, .knowledge, .biometry]
        }
    }
}

/// What a user shows; codes name factors in this order.
package enum AuthenticationFactor: String, Sendable, CaseIterable {
    case possession
    case knowledge
    case biometry
}
