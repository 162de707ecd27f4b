import Crypto
import HTTP

/// Refusals that any endpoint may give: the request itself, the project it means, the back end it comes from.
struct RequestRefusal: MIRACLRefusal, Equatable {
    let wire: MIRACLWire
    let explanation: String
    /// The request names no project, and several could be meant.
    var isProjectMissing = false
}

extension RequestRefusal {
    /// A sentence for the developer.
    static func malformed(_ sentence: String) -> Self {
        Self(
            wire: MIRACLWire(.badRequest, "INVALID_REQUEST_PARAMETERS", "The request is malformed"),
            explanation: sentence)
    }

    static func memberMissing(_ name: String) -> Self {
        Self(
            wire: .parameter(name),
            explanation:
                "The body lacks the member “\(name)”, or it is null or empty, which count as missing.")
    }

    static func memberMalformed(_ name: String, _ reason: String) -> Self {
        Self(
            wire: .parameter(name),
            explanation: "The member “\(name)”: \(reason)")
    }

    static func projectUnknown(_ id: String, in place: String, known: [String]) -> Self {
        Self(
            wire: MIRACLWire(.forbidden, "FORBIDDEN", "Unknown project"),
            explanation:
                "\(place) names the project “\(id.prefix(80))”, which the fixtures do not have; they have "
                + "\(known.joined(separator: ", ")). Apps set it as company or project id.")
    }

    static func projectMissing(known: [String]) -> Self {
        Self(
            wire: MIRACLWire(.forbidden, "FORBIDDEN", "Unknown project"),
            explanation:
                "The request names no project (header X-MIRACL-CID or query project_id), and there are several: "
                + "\(known.joined(separator: ", ")). \"default\": true in one of the fixtures' projects makes it the one that is meant.",
            isProjectMissing: true)
    }

    static var credentialsMissing: Self {
        Self(
            wire: .unauthorized,
            explanation:
                "Expected Authorization: Basic with an application's client id and secret, or Bearer with a service account's "
                + "token; came neither.")
    }

    static func credentialsWrong(_ reason: String) -> Self {
        Self(
            wire: .unauthorized,
            explanation: reason)
    }

    /// The credentials are those of one project, and the request means another.
    static func projectForeign(_ named: String, own: String) -> Self {
        Self(
            wire: MIRACLWire(.forbidden, "FORBIDDEN", "The project is another one"),
            explanation:
                "The request means the project “\(named.prefix(80))”, and its credentials belong to “\(own)”."
        )
    }
}

extension String {
    /// Why this text can be no M-Pin id, for the journal; nil for one that nobody has.
    var mpinIDFault: String? {
        guard Hex.decode(self) == nil || isEmpty else { return nil }
        return
            "The M-Pin id “\(prefix(24))” is not hexadecimal: it is the text of its bytes in hexadecimal digits, as the registration "
            + "told it."
    }
}
