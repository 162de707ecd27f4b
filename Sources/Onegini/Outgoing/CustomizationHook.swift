import Essentials
import HTTP
import OpenID

/// A web hook of the type `CUSTOMIZE_TOKEN`: it may take scopes away and give an access token claims.
///
/// Source: Token Server documentation, topic “customize access token web hook” and its OpenAPI description.
struct CustomizationHook: Sendable {
    static let type = "CUSTOMIZE_TOKEN"
    private static let path = "/v1/customize-access-token"
    /// Bytes of the claims as JSON: a token travels in a header field. *Assumed*.
    private static let claimsLimit = 4096

    let id: String
    private let settings: [String: JSONValue]

    init(_ entry: ConfigurationEntry) { (id, settings) = (entry.id, entry.settings) }

    /// Where it is called; a slash at the end of the base does not matter.
    var url: String {
        let base = settings["base_uri"]?.string ?? ""
        return (base.hasSuffix("/") ? String(base.dropLast()) : base) + Self.path
    }

    var base: String { settings["base_uri"]?.string ?? "" }
    var method: String? { settings["authentication_method"]?.string }

    /// - Parameters:
    ///   - claims: all that are known of the user; empty where there is none.
    ///   - proof: a JWT, for the authentication method `JWT`.
    func consultation(
        _ proposal: IssueProposal, claims: [String: JSONValue], proof: String?
    ) -> Consultation {
        var question: [String: JSONValue] = [
            "client": ["id": .string(proposal.client.id)], "scopes": JSONValue(proposal.scope.names),
            "userClaims": .object(claims),
            "contextCustomParams": .object(proposal.grant.ownParameters.mapValues { JSONValue($0) }),
        ]
        question["user"] = proposal.grant.subject.map { ["id": .string($0)] }
        return Consultation(
            name: "web hook", title: "the web hook “\(id)”", url: url,
            authorization: proof.map { "Bearer " + $0 } ?? basic, question: .object(question))
    }

    private var basic: String? {
        guard method == "BASIC" else { return nil }
        return BasicCredentials(
            name: settings["username"]?.string ?? "", password: settings["password"]?.string ?? ""
        ).header
    }

    /// Both members may be missing; scopes that were not asked for do not matter.
    static func changes(in answer: JSONValue) throws(ConsultationFault) -> IssueChanges {
        guard let members = answer.object else {
            throw ConsultationFault("its answer is not a JSON object")
        }
        var changes = IssueChanges()
        if let removed = members["removeScopes"], !removed.isNull {
            guard let names = removed.strings else {
                throw ConsultationFault("removeScopes in its answer is not a list of strings")
            }
            changes.removedScopes = Set(names)
        }
        if let claims = members["additionalClaims"], !claims.isNull {
            guard let claims = claims.object else {
                throw ConsultationFault("additionalClaims in its answer is not an object")
            }
            let size = JSONValue.object(claims).bytes.count
            guard size <= claimsLimit else {
                throw ConsultationFault(
                    "additionalClaims in its answer have \(size) bytes, at most \(claimsLimit) fit into a token"
                )
            }
            changes.claims = claims
        }
        return changes
    }
}
