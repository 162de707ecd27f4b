import Essentials
import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    private enum OTPValidation: String, CaseIterable {
        case none = "NONE"
        case onKeyExchange = "ON_KEY_EXCHANGE"
        case onCommit = "ON_COMMIT"
    }

    /// `POST /v2/registrations`: starts a registration, whose code the app reads.
    ///
    /// - Request: `{"userId", "appId", "flags"?, "otp"?, "otpValidation"? or "commitPhase"?, "timestampRegistrationExpire"?}`;
    ///   query `incompleteStatusCheck` refuses a user who has one in progress.
    /// - Response: `200` with `registrationId`, `activationCode`, `activationCodeSignature`, `activationQrCodeData`.
    /// - Errors: `ERROR_REQUEST`, `ERROR_REGISTRATION`, `ERROR_REGISTRATION_NOT_ALLOWED`.
    /// - Source: PowerAuth Cloud documentation, registrations.
    func startRegistration(_ request: Request) throws -> Response {
        let user = try requireBackOffice(request)
        let input = try Members(request)
        let new = try newActivation(input, application: try input.text("appId"))
        let forbidsIncomplete = request.queryItems["incompleteStatusCheck"] == "true"
        return try change { turn in
            _ = try requireApplication(new.application, of: user, in: turn.db)
            if forbidsIncomplete { try requireNoneInProgress(new, in: turn) }
            return .flat(try startedRegistration(new, in: turn))
        }
    }

    /// Registers, and tells the code with the id.
    func startedRegistration(_ new: NewActivation, in turn: Turn) throws -> [String: JSONValue] {
        do {
            let activation = try activations.create(new, in: turn)
            return try codeMembers(of: activation, in: turn.db)
                .merging(["registrationId": .string(activation.id)]) { own, _ in own }
        } catch let refusal as ActivationRefusal {
            throw CloudRefusal(refusal)
        }
    }

    func newActivation(_ input: Members, application: String) throws -> NewActivation {
        var new = NewActivation(user: try input.text("userId"), application: application)
        new.flags = try input.optionalTexts("flags") ?? []
        new.otp = try input.optionalText("otp")
        new.expiresAt = try input.optionalDate("timestampRegistrationExpire")
        let phase = try input.optionalChoice("commitPhase", Activation.CommitPhase.self)
        let validation = try input.optionalChoice("otpValidation", OTPValidation.self)
        if phase != nil, validation != nil {
            try input.refuse("otpValidation", "commitPhase or otpValidation, not both")
        }
        let hasOTP = !(new.otp ?? "").isEmpty
        if let validation, (validation == .none) == hasOTP {
            try input.refuse(
                "otp", hasOTP ? "no OTP with otpValidation NONE" : "an OTP with this otpValidation")
        }
        if new.otp == "" { new.otp = nil }
        new.commitPhase = phase ?? (validation == .onKeyExchange ? .onKeyExchange : .onCommit)
        try input.check()
        return new
    }

    private func requireNoneInProgress(_ new: NewActivation, in turn: Turn) throws {
        let query = ActivationQuery(
            user: new.user, applications: [new.application], states: ["CREATED", "PENDING_COMMIT"],
            page: ListPage(size: 1))
        guard let open = try activations.all(query, in: turn).first else { return }
        throw CloudRefusal(
            .registrationNotAllowed, "Another registration of the user is in progress.",
            "The user “\(new.user)” has the registration \(open.id) in \(open.state.rawValue) until it is committed, removed or "
                + "runs out of time, and incompleteStatusCheck=true forbids a second.")
    }

    /// Code, signature and content of the QR code.
    func codeMembers(of activation: Activation, in db: Connection) throws -> [String: JSONValue] {
        guard let code = activation.code,
            let signature = try activations.codeSignature(of: activation, in: db)
        else {
            return [:]
        }
        return [
            "activationCode": .string(code), "activationCodeSignature": .string(signature),
            "activationQrCodeData": .string("\(code)#\(signature)"),
        ]
    }
}
