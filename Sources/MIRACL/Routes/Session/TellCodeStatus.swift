import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension MIRACL {
    /// `POST /rps/v2/codeStatus`: the phone tells how far it is with an access code.
    ///
    /// - Request: `{"status": "wid" | "user" | "abort" | "signed", "wid", "userId"?, "signature"?}`; `userId` with `user`, and with
    ///   `signed` the signature's JSON in Base64.
    /// - Response: `200` with what the session is about for `wid`, else `200 {"status": "OK"}`.
    /// - Errors: `400` for an unknown status or a missing member, `404 INVALID_AUTH_SESSION`.
    /// - Source: Milagro MFA SDK core; mfa-client-sdk-ios; trust-sdk-android and trust-sdk-ios for the members.
    func tellCodeStatus(_ request: Request) throws -> Response {
        let input = try Members(request)
        let news = try SessionNews(input)
        let wid = try input.text("wid")
        let session = try world.change { turn in
            var session = try sessions.requireLive(wid, in: turn.db)
            session.take(news)
            try turn.update(session)
            return session
        }
        guard news == .scanned else { return .answer(["status": "OK"]) }
        return .answer(try details(of: session))
    }

    /// Everything that any generation of clients reads, the empty text where nothing is known: one decodes nothing when one is missing.
    private func details(of session: AccessSession) throws -> [String: JSONValue] {
        guard let project = try projects.find(session.projectID) else { return [:] }
        return project.details
            .merging(project.application(of: session)) { $1 }
            .merging([
                "prerollId": .string(session.prerollID ?? ""),
                "registerOnly": .boolean(session.registerOnly),
                "description": .string(session.description ?? ""), "hash": .string(session.hash ?? ""),
            ]) { $1 }
    }
}

/// What a phone tells of an access code.
enum SessionNews: Equatable {
    case scanned
    case userChosen(String)
    case aborted
    /// Base64, as it came.
    case signed(String)

    init(_ input: Members) throws {
        switch try input.text("status") {
        case "wid": self = .scanned
        case "user": self = .userChosen(try input.text("userId"))
        case "abort": self = .aborted
        case "signed":
            let text = try input.text("signature")
            try Self.check(text)
            self = .signed(text)
        case let other: throw SessionRefusal.statusUnknown(other)
        }
    }

    private static func check(_ text: String) throws {
        let dense = text.filter { !$0.isWhitespace }
        guard let bytes = Base64.decode(dense) ?? Base64URL.decode(dense) else {
            throw SessionRefusal.signatureMalformed("The member “signature” is not Base64.")
        }
        // Why it is no JSON does not matter; the sentence says what was expected.
        guard let value = try? JSONValue(parsing: bytes), value.object != nil else {
            throw SessionRefusal.signatureMalformed(
                "The member “signature” is Base64, but not of the JSON object that a signature is.")
        }
    }
}

extension AccessSession {
    mutating func take(_ news: SessionNews) {
        switch news {
        // Assumed: an app may ask for the details again, and takes nothing back by it.
        case .scanned: if state == .new { state = .wid }
        case .userChosen(let userID): (state, self.userID) = (.user, userID)
        case .aborted: state = .abort
        case .signed(let text): (state, signature) = (.signed, text)
        }
    }
}

extension Project {
    fileprivate var details: [String: JSONValue] {
        [
            "projectId": .string(id), "projectName": .string(name), "projectLogoURL": .string(logoURL ?? ""),
            "pinLength": .integer(pinDigits), "verificationMethod": .string(verificationType),
            "verificationURL": .string(verificationURL ?? ""),
            "verificationCustomText": .string(verificationText ?? ""),
            "identityType": .string((identityType ?? .email).rawValue),
            "identityTypeLabel": .string(identityTypeLabel ?? ""),
            "enableRegistrationCode": .boolean(offersRegistrationCodes),
            "limitRegCodeVerified": .boolean(limitRegCodeVerified ?? false),
            "customerId": .string(customer.id), "customerName": .string(customer.name),
            "customerIconUrl": .string(logoURL ?? ""),
        ]
    }

    fileprivate func application(of session: AccessSession) -> [String: JSONValue] {
        let application = session.authorization.flatMap { self.application($0.clientID) }
        let logo = application?.logoURL ?? logoURL ?? ""
        return [
            "appName": .string(application?.name ?? name), "appLogoURL": .string(logo),
            "appIconUrl": .string(logo), "clientId": .string(session.authorization?.clientID ?? ""),
            "redirectURI": .string(session.authorization?.redirectURI ?? ""),
        ]
    }
}
