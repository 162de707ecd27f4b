/// Makes tokens without the flow that leads to them.
package protocol MintsTokens: Platform {
    static var tokenKinds: [TokenKind] { get }

    /// Makes a token of one of ``tokenKinds``. A good one is kept as if it had been issued; of one with a flaw nothing is kept, but for an
    /// opaque text, which lives in what is kept. The flaw, the claims and the key come into it where it is signed: ``TokenAlterations``.
    ///
    /// - Throws: ``MintRefusal`` or a refusal of the platform's own.
    func mint(_ order: MintRequest) throws -> MintedToken
}

extension MintsTokens {
    /// Makes a token to order in a world, after all checks that are the same for every platform.
    ///
    /// - Throws: ``MintRefusal`` or a refusal of the platform's own.
    package static func mint(_ order: MintRequest, in world: World) throws -> MintedToken {
        guard let kind = tokenKinds.first(where: { $0.name == order.kind }) else {
            throw MintRefusal.kindUnknown(order.kind, of: title, known: tokenKinds.map(\.name))
        }
        try kind.check(order)
        let key = try order.keyID.map { kid in
            let keys = try world.services.keys.published(name)
            guard let key = keys.first(where: { $0.kid == kid }) else {
                throw MintRefusal.keyUnknown(kid, known: keys.map(\.kid))
            }
            return key
        }
        let change = TokenAlteration(flaw: order.flaw, claims: order.claims, key: key)
        return try Self(world.changing(TokenAlterations { _ in change })).mint(order)
    }
}

extension TokenKind {
    fileprivate func check(_ order: MintRequest) throws {
        for party in Party.allCases {
            if needs.contains(party) { _ = try order.required(party) }
            if !takes.contains(party), order[party] != nil {
                throw MintRefusal.pointless(party, kind: name)
            }
        }
        if let flaw = order.flaw, !flaws.contains(flaw) { throw MintRefusal.flawUnsuited(flaw, kind: self) }
        guard isJWT || (order.claims.isEmpty && order.keyID == nil) else {
            throw MintRefusal.claimsOfOpaque(kind: self)
        }
        if let claim = order.claims.keys.sorted().first(where: reserved.contains) {
            throw MintRefusal.claimReserved(claim, kind: self)
        }
    }
}
