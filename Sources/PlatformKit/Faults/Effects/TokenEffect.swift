package import JOSE

/// What is wrong with tokens that are signed.
package struct TokenEffect: FaultEffect {
    package static let key = "token"
    package static let title = "tokens"
    package static let form = "expired, expired:id_token"
    package static let does = "signs tokens with a flaw; after the colon, only tokens of one kind"

    package var flaw: TokenFlaw
    /// Only those of this kind, such as `id_token`; see ``SigningSubject/kind``.
    package var kind: String?

    /// What can be wrong with a token.
    package static let flaws = TokenFlaw.allCases.map(\.rawValue)

    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        guard let flaw = parts.first.flatMap(TokenFlaw.init), parts.last?.isEmpty == false else { return nil }
        (self.flaw, kind) = (flaw, parts.count == 2 ? parts[1] : nil)
    }

    package var words: String { "\(kind ?? "token") \(flaw.rawValue)" }
    package var detail: String? { flaw.rawValue }
    package var phase: FaultPhase { .token(flaw, kind: kind) }
}
