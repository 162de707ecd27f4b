import HTTP

/// Refusals that any endpoint may give: the request itself, the project it means, the back end it comes from.
enum RequestRefusal: MIRACLRefusal, Equatable {
    /// A sentence for the developer.
    case malformed(String)
    case memberMissing(String)
    case memberMalformed(String, String)
    case projectUnknown(String, in: String, known: [String])
    case projectMissing(known: [String])
    case credentialsMissing
    case credentialsWrong(String)
    /// The credentials are those of one project, and the request means another.
    case projectForeign(String, own: String)

    var wire: MIRACLWire {
        switch self {
        case .malformed:
            MIRACLWire(.badRequest, "INVALID_REQUEST_PARAMETERS", "The request is malformed")
        case .memberMissing(let name), .memberMalformed(let name, _):
            MIRACLWire(
                .badRequest, "INVALID_REQUEST_PARAMETERS", "Invalid request parameters", ["params": name])
        case .projectUnknown, .projectMissing: MIRACLWire(.forbidden, "FORBIDDEN", "Unknown project")
        case .credentialsMissing, .credentialsWrong: unauthorized
        case .projectForeign: MIRACLWire(.forbidden, "FORBIDDEN", "The project is another one")
        }
    }

    private var unauthorized: MIRACLWire {
        var wire = MIRACLWire(.unauthorized, "UNAUTHORIZED", "Unauthorized")
        wire.headers = [("WWW-Authenticate", "Basic realm=\"MIRACL\"")]
        return wire
    }

    var explanation: String {
        switch self {
        case .malformed(let sentence): sentence
        case .memberMissing(let name):
            "The body lacks the member \"\(name)\", or it is null or empty, which count as missing."
        case .memberMalformed(let name, let reason): "The member \"\(name)\": \(reason)"
        case .projectUnknown(let id, let place, let known):
            "\(place) names the project \"\(id.prefix(80))\", which the fixtures do not have; they have "
                + "\(known.joined(separator: ", ")). Apps set it as company or project id."
        case .projectMissing(let known):
            "The request names no project (header X-MIRACL-CID or query project_id), and there are several: "
                + "\(known.joined(separator: ", ")). \"default\": true in one of the fixtures' projects makes it the one that is meant."
        case .credentialsMissing:
            "Expected Authorization: Basic with an application's client id and secret, or Bearer with a service account's "
                + "token; came neither."
        case .credentialsWrong(let reason): reason
        case .projectForeign(let named, let own):
            "The request means the project \"\(named.prefix(80))\", and its credentials belong to \"\(own)\"."
        }
    }
}
