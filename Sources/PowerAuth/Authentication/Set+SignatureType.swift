extension Set<SignatureType> {
    static let anyWithTwoFactors: Set = [
        .possessionKnowledge, .possessionBiometry, .possessionKnowledgeBiometry,
    ]
    static let anyWithPossession = anyWithTwoFactors.union([.possession])
}
