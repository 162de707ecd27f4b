import Essentials
import HTTP
import PlatformKit

extension Hanko {
    /// The stored row, as the original writes it.
    private struct EmailRow: Encodable {
        let id: String
        let userID: String?
        let address: String
        let verified: Bool
        let createdAt: Date
        let updatedAt: Date

        init(_ email: Email) {
            id = email.id
            userID = email.userID
            address = email.address
            verified = email.isVerified
            createdAt = email.createdAt
            updatedAt = email.updatedAt
        }

        enum CodingKeys: String, CodingKey {
            case id
            case userID = "user_id"
            case address, verified
            case createdAt = "created_at"
            case updatedAt = "updated_at"
        }
    }

    /// `POST /emails`: one more address for the signed-in user. Where addresses need confirmation it is the user's only once a
    /// passcode for its id was finalized with this session.
    ///
    /// - Request: a session and `{"address": "…"}`, whose form is not checked; it is lower-cased.
    /// - Response: `200 {"id", "user_id"?, "address", "verified", "created_at", "updated_at"}`.
    /// - Errors: 401; 409 when the user has `email.limit` addresses; 400 when the address is somebody's.
    /// - Source: Hanko 2.7, classic API. The refusal of an empty address is ours.
    func addEmail(_ request: Request) throws -> Response {
        let announcer = try announcer(request)
        let email = try change(for: request) { turn, accepted in
            let userID = accepted.session.userID
            var check = Validation()
            let address = check.required("address", try request.members().optionalText("address"))
                .lowercased()
            try check.finish()
            let email = try add(address, to: userID, announcer.configuration.email, in: turn)
            turn.note(
                "address added", about: address,
                email.userID == nil
                    ? "The address \(address) is waiting for a passcode: initialize with email_id \(email.id) and finalize, both with the session."
                    : "The address \(address) belongs to the user \(userID) at once, since addresses need no confirmation here."
            )
            try announcer.audit(.emailCreated, userID: userID, address: address, in: turn)
            if email.userID != nil {
                try announcer.announce(.userUpdateEmailCreate, userID: userID, in: turn)
            }
            return email
        }
        return try .hanko(EmailRow(email))
    }

    private func add(
        _ address: String, to userID: String, _ rules: EmailConfiguration, in turn: Turn
    ) throws -> Email {
        let present = try turn.db.emails(of: userID)
        guard present.count < rules.limit else { throw HankoRefusal.addressLimitReached(rules.limit) }
        let known = try turn.db.email(address: address)
        if let known, let owner = known.userID {
            throw HankoRefusal.addressAssigned(address, isOwn: owner == userID)
        }
        let isOwned = !rules.requiresVerification
        let email = Email(
            id: known?.id ?? services.entropy.uuid(for: "hanko.email"), userID: isOwned ? userID : nil,
            address: address, isVerified: known?.isVerified ?? false,
            isPrimary: isOwned && present.isEmpty, createdAt: known?.createdAt ?? turn.now,
            updatedAt: turn.now)
        try turn.save(email)
        return email
    }
}
