import Essentials
import PlatformKit
import SQLite

/// Which claims of a user are told, by the scope that brings them, and where: `{"profile": {"name": ["id_token", "userinfo"]}}`.
///
/// ``any`` in the place of a scope stands for each of them and for none, in the place of a claim for those that no scope here
/// names. The default follows OpenID Connect Core 1.0 §5.4; how it is written is ours.
package struct ClaimMapping: Sendable, Equatable {
    package enum Place: String, Codable, Sendable, CaseIterable {
        case idToken = "id_token"
        case userinfo
        case accessToken = "access_token"
    }

    package static let any = "*"

    private let byScope: [String: [String: Set<Place>]]
    private let named: Set<String>
    /// Where anything is told at all.
    let places: Set<Place>

    package init(_ byScope: [String: [String: Set<Place>]]) {
        self.byScope = byScope
        named = Set(byScope.values.flatMap(\.keys)).subtracting([Self.any])
        places = byScope.values.reduce(into: []) { all, claims in claims.values.forEach { all.formUnion($0) }
        }
    }

    /// The claims that have a name, for metadata.
    var names: [String] { named.sorted() }

    /// What a mapping of claims to the standard's scopes says.
    package static func standard(in places: Set<Place>) -> ClaimMapping {
        ClaimMapping(
            StandardClaims.byScope.mapValues { names in
                Dictionary(uniqueKeysWithValues: names.map { ($0, places) })
            })
    }

    /// With what `other` says of a scope and a claim in the place of what this one says of them.
    package func overlaid(with other: ClaimMapping?) -> ClaimMapping {
        guard let other else { return self }
        return ClaimMapping(byScope.merging(other.byScope) { own, theirs in own.merging(theirs) { $1 } })
    }

    /// Those of `claims` that are told at `place` to who has `scope`; never what the protocols say themselves.
    func released(
        _ claims: [String: JSONValue], by scope: ScopeList, to place: Place
    ) -> [String: JSONValue] {
        let granted = (scope.names + [Self.any]).compactMap { byScope[$0] }
        return AccessTokenClaims.permitted(claims).filter { name, _ in
            let entry = named.contains(name) ? name : Self.any
            return granted.contains { $0[entry]?.contains(place) ?? false }
        }
    }

    /// - Throws: ``MetadataFault`` for a name that stands for nothing.
    func check() throws {
        for (scope, claims) in byScope {
            for name in claims.keys where AccessTokenClaims.reserved.contains(name) || name.isEmpty {
                throw MetadataFault(
                    "claims_by_scope",
                    "\(scope): the server itself says “\(name)”, no user has such a claim")
            }
        }
    }
}

extension ClaimMapping: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(
            try decoder.singleValueContainer().decode([String: [String: [Place]]].self)
                .mapValues { $0.mapValues(Set.init) })
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(
            byScope.mapValues { $0.mapValues { places in Place.allCases.filter(places.contains) } })
    }
}
