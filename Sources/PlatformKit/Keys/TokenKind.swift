package import Essentials
package import HTTP
package import JOSE

/// A kind of token that a platform issues, for who wants one without the flow that leads to it.
package struct TokenKind: Sendable, Equatable {
    /// Such as `id_token`: lower case, unique in the platform.
    package let name: String
    /// What people call it.
    package let title: String
    /// Where it is accepted, without a full stop.
    package let use: String
    /// Whether it is signed; otherwise it is a text that the platform remembers.
    package let isJWT: Bool
    /// Whose it must be.
    package let needs: Set<Party>
    /// Whose it may be.
    package let takes: Set<Party>
    /// Claims that nobody else may set, because the platform's checks depend on them.
    package let reserved: Set<String>

    package enum Party: String, Sendable, CaseIterable {
        case user, client, scope
    }

    package init(
        _ name: String, _ title: String, use: String, isJWT: Bool = true, needs: Set<Party>,
        optional: Set<Party> = [], reserved: Set<String> = []
    ) {
        (self.name, self.title, self.use, self.isJWT) = (name, title, use, isJWT)
        (self.needs, takes, self.reserved) = (needs, needs.union(optional), reserved)
    }

    /// What can be wrong with it on purpose: of an opaque text nothing but its time.
    package var flaws: [TokenFlaw] { isJWT ? TokenFlaw.allCases : [.expired] }
}

/// A token that somebody wants.
package struct MintRequest: Sendable {
    package var kind: String
    package var user: String?
    package var client: String?
    /// Names separated by spaces.
    package var scope: String?
    package var claims: [String: JSONValue] = [:]
    /// Whole seconds, at least one; nil for what the platform gives.
    package var lifetimeSeconds: Int?
    package var flaw: TokenFlaw?
    /// `kid` of one of the platform's keys, in the place of the one that signs now.
    package var keyID: String?
    /// As if it had come to the platform: tells the issuer.
    package var request: Request

    package init(kind: String, request: Request) { (self.kind, self.request) = (kind, request) }

    /// - Throws: ``MintRefusal`` when there is none; see ``TokenKind/needs``.
    package func required(_ party: TokenKind.Party) throws -> String {
        guard let name = self[party] else { throw MintRefusal.missing(party, kind: kind) }
        return name
    }

    subscript(_ party: TokenKind.Party) -> String? {
        switch party {
        case .user: user
        case .client: client
        case .scope: scope
        }
    }
}

/// A token that was made to order.
package struct MintedToken: Sendable, Equatable {
    package let text: String
    /// Nil for one that lasts.
    package let expiresAt: Date?
    /// Whether the platform knows it as if it had issued it in a flow.
    package let isRegistered: Bool

    package init(_ text: String, expiresAt: Date?, isRegistered: Bool) {
        (self.text, self.expiresAt, self.isRegistered) = (text, expiresAt, isRegistered)
    }
}

/// Why no token was made.
package struct MintRefusal: Refusal, Equatable {
    /// Whether something that was named is not there.
    package let isAbsence: Bool
    package let explanation: String

    private init(isAbsence: Bool = false, _ explanation: String) {
        (self.isAbsence, self.explanation) = (isAbsence, explanation)
    }
}

extension MintRefusal {
    static func kindUnknown(_ kind: String, of title: String, known: [String]) -> Self {
        Self(
            isAbsence: true,
            known.isEmpty
                ? "\(title) signs no tokens that could be minted."
                : "\(title) has no tokens of the kind “\(kind.prefix(60))”, only \(list(known)).")
    }

    static func missing(_ party: TokenKind.Party, kind: String) -> Self {
        Self(
            "A token of the kind “\(kind)” belongs to a \(party.rawValue): the member “\(party.rawValue)” is missing."
        )
    }

    static func pointless(_ party: TokenKind.Party, kind: String) -> Self {
        Self(
            "A token of the kind “\(kind)” has no \(party.rawValue); leave out the member “\(party.rawValue)”."
        )
    }

    static func flawUnsuited(_ flaw: TokenFlaw, kind: TokenKind) -> Self {
        Self(
            "A token of the kind “\(kind.name)” is an opaque text and cannot be “\(flaw.rawValue)”, only "
                + "\(list(kind.flaws.map(\.rawValue))).")
    }

    static func claimReserved(_ name: String, kind: TokenKind) -> Self {
        Self(
            "The claim “\(name.prefix(60))” of the kind “\(kind.name)” is reserved, because the platform's checks depend on it: "
                + "user, client, scope, lifetime and flaw change what can be changed.")
    }

    static func claimsOfOpaque(kind: TokenKind) -> Self {
        Self("A token of the kind “\(kind.name)” is an opaque text without claims and key.")
    }

    static func keyUnknown(_ kid: String, known: [String]) -> Self {
        Self(isAbsence: true, "The platform has no key “\(kid.prefix(80))”, only \(list(known)).")
    }

    /// - Parameter known: some of those that are there.
    package static func unknown(_ party: String, _ name: String, known: [String]) -> Self {
        Self(
            isAbsence: true,
            "There is no \(party) “\(name.prefix(120))” here; "
                + (known.isEmpty ? "there is none." : "known are \(list(known))."))
    }

    /// What was asked for cannot be: a sentence.
    package static func impossible(_ sentence: String) -> Self { Self(sentence) }

    private static func list(_ names: [String]) -> String {
        names.prefix(12).joined(separator: ", ") + (names.count > 12 ? " and \(names.count - 12) more" : "")
    }
}
