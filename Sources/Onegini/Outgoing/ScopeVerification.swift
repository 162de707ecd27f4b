import Essentials
import HTTP
import OpenID

/// What is asked of the scope verification service, and what it says.
///
/// Source: Token Server documentation, “REST Scope Verification Service”.
struct ScopeVerification: Sendable {
    /// A scope that has a service endpoint.
    struct Checked: Sendable, Equatable {
        let id: String
        let serviceEndpoint: String
        /// Where a browser goes whose user may not have it.
        let failedEndpoint: String?
    }

    enum Verdict: Sendable, Equatable {
        case success
        /// - Parameter scope: as the service named it.
        case failure(scope: String?)
    }

    let settings: ScopeVerificationSettings
    let userID: String
    /// As the user is known to the identity provider. *Assumed*: the user name, or the user id of a user who has none.
    let externalIdentity: String
    let scopes: [Checked]

    var consultation: Consultation {
        Consultation(
            name: "scope verification", title: "the scope verification service",
            url: settings.serviceEndpoint,
            authorization: settings.username.map {
                BasicCredentials(name: $0, password: settings.password ?? "").header
            },
            question: [
                "user_id": .string(userID), "external_identity": .string(externalIdentity),
                "scopes": .array(
                    scopes.map { ["id": .string($0.id), "service_endpoint": .string($0.serviceEndpoint)] }),
            ])
    }

    static func verdict(in answer: JSONValue) throws(ConsultationFault) -> Verdict {
        switch answer["verification_result"]?.string {
        case "SUCCESS": return .success
        case "FAILURE": return .failure(scope: answer["unauthorized_scope"]?.string)
        default:
            let found = answer["verification_result"]?.text.prefix(80) ?? "none"
            throw ConsultationFault(
                "its answer has no verification_result “SUCCESS” or “FAILURE”, found \(found)")
        }
    }

    /// The refusal of a request for a scope that the user may not have.
    func refusal(of scope: String?) -> IssueRefusal {
        let page = scopes.first { $0.id == scope }?.failedEndpoint ?? settings.verificationFailedEndpoint
        let names = scopes.map(\.id).joined(separator: " ")
        return .scopesDenied(
            page: page.flatMap(Self.address),
            explanation:
                "The scope verification service at \(settings.serviceEndpoint) says that the user “\(userID)” may not "
                + "have the scope “\(scope?.prefix(255) ?? "(not named)")”; it was asked about “\(names)”. "
                + (page.map { "A browser is sent to the verification failed endpoint \($0)." }
                    ?? "No verification failed endpoint is configured, so that the client is told."))
    }

    /// A URL that can stand in a header field; nil for another.
    private static func address(_ text: String) -> String? {
        let isWeb = text.hasPrefix("https://") || text.hasPrefix("http://")
        return isWeb && text.utf8.allSatisfy { 0x21...0x7E ~= $0 } ? text : nil
    }
}
