import Essentials

/// The parameter `claims`. Source: OpenID Connect Core 1.0 §5.5.
struct ClaimsRequest: Sendable, Equatable {
    let json: JSONValue

    /// - Throws: ``AuthorizationFault/claimsMalformed(_:)``.
    init(_ text: String) throws(AuthorizationFault) {
        // The decoder's reason says no more than that it is no JSON.
        guard let json = try? JSONValue(parsing: Array(text.utf8)), let members = json.object else {
            throw .claimsMalformed("it is not a JSON object")
        }
        for name in ["userinfo", "id_token"] {
            guard let claims = members[name], !claims.isNull else { continue }
            guard let claims = claims.object else { throw .claimsMalformed("\(name) is not an object") }
            for (claim, rule) in claims where !rule.isNull && rule.object == nil {
                throw .claimsMalformed("\(name).\(claim) is neither null nor an object")
            }
        }
        self.json = json
    }

    /// The user that must be the one. Source: §5.5.1.
    var subject: String? {
        json["id_token"]?["sub"]?["value"]?.string ?? json["userinfo"]?["sub"]?["value"]?.string
    }

    /// Values of `acr` one of which must be reached; nil when none must. Source: §5.5.1.1.
    var essentialACRs: [String]? {
        json["id_token"]?["acr"]?["essential"]?.boolean == true && !askedACRs.isEmpty ? askedACRs : nil
    }

    /// Values of `acr` that are asked for, the most wanted first, essential or not. Source: §5.5.1.1.
    var askedACRs: [String] {
        let rule = json["id_token"]?["acr"]
        return rule?["values"]?.strings ?? rule?["value"]?.string.map { [$0] } ?? []
    }
}
