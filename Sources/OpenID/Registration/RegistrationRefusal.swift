import HTTP
import PlatformKit

/// A client was not registered, or not let at its registration. Source: RFC 7591 §3.2.2; RFC 7592 §2.
enum RegistrationRefusal: OAuthRefusal, Equatable {
    case tooLarge(bytes: Int, limit: Int)
    case notJSON(String)
    case tooMany(limit: Int)
    case metadata(MetadataFault)
    case statementMalformed
    case statementUnapproved
    case initialTokenMissing
    case initialTokenWrong
    case tokenMissing
    case tokenWrong(String)
    case clientUnknown(String)
    /// It comes from the fixtures.
    case notRegistered(String)

    var wire: OAuthWire {
        switch self {
        case .tooLarge: OAuthWire(.contentTooLarge, "invalid_client_metadata", "The request is too large")
        case .notJSON: OAuthWire(.badRequest, "invalid_client_metadata", "Expected a JSON object")
        case .tooMany:
            OAuthWire(.tooManyRequests, "temporarily_unavailable", "Too many clients have registered")
        case .metadata(let fault):
            OAuthWire(
                .badRequest, fault.code,
                OAuthWire.described("\(fault.member) is not acceptable: ", [fault.reason]))
        case .statementMalformed: OAuthWire(.badRequest, "invalid_software_statement")
        case .statementUnapproved: OAuthWire(.badRequest, "unapproved_software_statement")
        // RFC 6750 §3: a request without a token hears no error code.
        case .initialTokenMissing, .tokenMissing: unauthorized("Bearer")
        default: unauthorized("Bearer error=\"invalid_token\"")
        }
    }

    private func unauthorized(_ challenge: String) -> OAuthWire {
        OAuthWire(
            .unauthorized, "invalid_token", "The access token is missing or wrong",
            headers: [("WWW-Authenticate", challenge)])
    }

    var explanation: String {
        switch self {
        case .tooLarge(let bytes, let limit): "The body has \(bytes) bytes; \(limit) are the most."
        case .notJSON(let reason): "Client metadata are one JSON object: \(reason)."
        case .tooMany(let limit):
            "In this world \(limit) clients have registered themselves, as many as it keeps: remove some with DELETE at their "
                + "registration_client_uri, or reset the world."
        case .metadata(let fault): "The member \(fault.member) is not acceptable: \(fault.reason)."
        case .statementMalformed: "The software_statement is no signed JWT (RFC 7591 §2.3)."
        case .statementUnapproved:
            "The software_statement is a JWT, but nobody's statements are trusted here: leave it out."
        case .initialTokenMissing:
            "Registration needs Authorization: Bearer with the initial access token; it stands in the fixtures as "
                + "initial_access_token."
        case .initialTokenWrong:
            "The initial access token is not the one of the fixtures (settings.initial_access_token)."
        case .tokenMissing:
            "A client's registration needs Authorization: Bearer with the registration_access_token that registering it brought."
        case .tokenWrong(let id):
            "The registration access token is not the one of the client «\(id)»."
        case .clientUnknown(let id): "There is no client «\(id)»; it was removed, or never registered here."
        case .notRegistered(let id):
            "The client «\(id)» did not register itself, so that it has no registration access token; change it in the fixtures."
        }
    }
}
