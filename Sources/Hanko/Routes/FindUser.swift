import HTTP
import PlatformKit
import SQLite

extension Hanko {
    private struct FoundUser: Encodable {
        let id: String
        let emailID: String
        let isVerified: Bool
        let hasCredential: Bool

        enum CodingKeys: String, CodingKey {
            case id
            case emailID = "email_id"
            case isVerified = "verified"
            case hasCredential = "has_webauthn_credential"
        }
    }

    /// `POST /user`: looks a user up by mail address.
    ///
    /// - Request: `{"email": "ada@example.com"}`; the address is lower-cased.
    /// - Response: `200 {"id": uuid, "email_id": uuid, "verified": bool, "has_webauthn_credential": bool}`.
    /// - Errors: 404 when the address is unknown, and also when it is known but not confirmed; 400.
    /// - Source: Hanko 2.7, classic API.
    func findUser(_ request: Request) throws -> Response {
        let address = try addressInput(request)
        let email = try database.read { try $0.email(address: address) }
        guard let email, let userID = email.userID else {
            throw HankoRefusal.addressUnknown(address, isPending: email != nil)
        }
        let hasCredential = try account(userID)?.passkeys.isEmpty == false
        return try .hanko(
            FoundUser(
                id: userID, emailID: email.id, isVerified: email.isVerified, hasCredential: hasCredential))
    }

    /// The valid address of a body `{"email": …}`, in lower case.
    func addressInput(_ request: Request) throws -> String {
        var check = Validation()
        let address = check.required("email", try request.members().optionalText("email"), .email)
        try check.finish()
        return address.lowercased()
    }
}
