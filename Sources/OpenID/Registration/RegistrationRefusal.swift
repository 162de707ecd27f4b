import HTTP
import PlatformKit

/// A client was not registered, or not let at its registration. Source: RFC 7591 §3.2.2; RFC 7592 §2.
struct RegistrationRefusal: OAuthRefusal, Equatable {
    let wire: OAuthWire
    let explanation: String
}

extension RegistrationRefusal {
    static func tooLarge(bytes: Int, limit: Int) -> Self {
        Self(
            wire: OAuthWire(.contentTooLarge, "invalid_client_metadata", "The request is too large"),
            explanation: "The body has \(bytes) bytes; \(limit) are the most.")
    }

    static func notJSON(_ reason: String) -> Self {
        Self(
            wire: OAuthWire(.badRequest, "invalid_client_metadata", "Expected a JSON object"),
            explanation: "Client metadata are one JSON object: \(reason).")
    }

    static func tooMany(limit: Int) -> Self {
        Self(
            wire: OAuthWire(.tooManyRequests, "temporarily_unavailable", "Too many clients have registered"),
            explanation:
                "In this world \(limit) clients have registered themselves, as many as it keeps: remove some with DELETE at their "
                + "registration_client_uri, or reset the world.")
    }

    static func metadata(_ fault: MetadataFault) -> Self {
        Self(
            wire: OAuthWire(
                .badRequest, fault.code,
                OAuthWire.described("\(fault.member) is not acceptable: ", [fault.reason])),
            explanation: "The member \(fault.member) is not acceptable: \(fault.reason).")
    }

    static var statementMalformed: Self {
        Self(
            wire: OAuthWire(.badRequest, "invalid_software_statement"),
            explanation: "The software_statement is not a signed JWT (RFC 7591 §2.3).")
    }

    static var statementUnapproved: Self {
        Self(
            wire: OAuthWire(.badRequest, "unapproved_software_statement"),
            explanation:
                "The software_statement is a JWT, but no issuer of statements is trusted here: leave it out.")
    }

    static var initialTokenMissing: Self {
        Self(
            wire: .unauthorized("Bearer"),
            explanation:
                "Registration needs Authorization: Bearer with the initial access token; it stands in the fixtures as "
                + "initial_access_token.")
    }

    static var initialTokenWrong: Self {
        Self(
            wire: .unauthorized("Bearer error=\"invalid_token\""),
            explanation:
                "The initial access token is not the one of the fixtures (settings.initial_access_token).")
    }

    static var tokenMissing: Self {
        Self(
            wire: .unauthorized("Bearer"),
            explanation:
                "A client's registration needs Authorization: Bearer with the registration_access_token that registering it brought."
        )
    }

    static func tokenWrong(_ id: String) -> Self {
        Self(
            wire: .unauthorized("Bearer error=\"invalid_token\""),
            explanation: "The registration access token is not the one of the client “\(id)”.")
    }

    static func clientUnknown(_ id: String) -> Self {
        Self(
            wire: .unauthorized("Bearer error=\"invalid_token\""),
            explanation: "There is no client “\(id)”; it was removed, or never registered here.")
    }

    /// It comes from the fixtures.
    static func notRegistered(_ id: String) -> Self {
        Self(
            wire: .unauthorized("Bearer error=\"invalid_token\""),
            explanation:
                "The client “\(id)” did not register itself, so that it has no registration access token; change it in the fixtures."
        )
    }
}

extension OAuthWire {
    fileprivate static func unauthorized(_ challenge: String) -> Self {
        OAuthWire(
            .unauthorized, "invalid_token", "The access token is missing or wrong",
            headers: [("WWW-Authenticate", challenge)])
    }
}
