import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `POST /dvs/session/details`: what is to be signed, for the app that read the code.
    ///
    /// - Request: `{"id"}`
    /// - Response: `200 {"userID", "hash", "description", "status": "active" or "signed", "expireTime", "projectId", …}`.
    /// - Errors: `400 INVALID_REQUEST_PARAMETERS`, `params` being `id`, for a session that is unknown, expired or aborted.
    /// - Source: trust-sdk-ios.
    func tellSigningSession(_ request: Request) throws -> Response {
        let id = try Members(request).text("id")
        let session = try database.read { db in try sessions.signingSession(id, in: db) }
        guard let project = try projects.find(session.projectID) else {
            throw SignatureRefusal.sessionUnknown(id)
        }
        return .answer(session.details.merging(project.details) { $1 })
    }
}

extension AccessSession {
    fileprivate var details: [String: JSONValue] {
        [
            "userID": .string(userID ?? prerollID ?? ""), "hash": .string(hash ?? ""),
            "description": .string(description ?? ""), "status": state == .signed ? "signed" : "active",
            "expireTime": .integer(expiresAt.unixSeconds),
        ]
    }
}

extension Project {
    fileprivate var details: [String: JSONValue] {
        [
            "projectId": .string(id), "projectName": .string(name), "projectLogoURL": .string(logoURL ?? ""),
            "verificationMethod": .string(method == .custom ? "fullCustom" : "standardEmail"),
            "verificationURL": .string(verificationURL ?? ""),
            "verificationCustomText": .string(verificationText ?? ""),
            "identityType": .string((identityType ?? .email).rawValue),
            "identityTypeLabel": .string(identityTypeLabel ?? ""), "pinLength": .integer(pinDigits),
            "enableRegistrationCode": .boolean(offersRegistrationCodes),
            "limitRegCodeVerified": .boolean(limitRegCodeVerified ?? false),
        ]
    }
}
