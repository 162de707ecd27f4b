import HTTP
import PlatformKit

extension Hanko {
    private struct FinishInput: Decodable {
        let id: String?
        let code: String?
    }

    /// `POST /passcode/login/finalize`: trades a mailed code for a session, and confirms the address where it was not.
    ///
    /// - Request: `{"id": uuid, "code": "394857"}`, the code as text. A session must come with it to add an address.
    /// - Response: `200 {"id": uuid, "ttl": 300, "created_at": time}` and the session.
    /// - Errors: 404 while MFA is on; 400; 401 for an unknown passcode and for the first two wrong codes, 410 for the third;
    ///   408 after the passcode's time, even for the right code; 403 when the code is right and its address or session is not.
    /// - Source: Hanko 2.7, classic API.
    func finishPasscode(_ request: Request) throws -> Response {
        let configuration = try configuration()
        try requirePasscodes(configuration)
        let input = try request.input(
            FinishInput.self, hint: "The code is text, since a number would lose its leading zeros.")
        var check = Validation()
        let id = check.required("id", input.id, .uuid4)
        let code = check.required("code", input.code)
        try check.finish()
        let redemption = try auditing(
            .passcodeFinalFailed, request, userID: passcodes.owner(of: id)
        ) {
            try passcodes.redeem(
                id, code: code, signedInAs: presentedUserID(request, configuration),
                opening: newSession(request, configuration), at: services.clock.now())
        }
        note(redemption)
        var response = Response.hanko(json: PasscodeOutput(redemption.passcode).json)
        try hand(redemption.session, to: &response, configuration)
        try tell(redemption, request)
        return response
    }

    /// Tells the audit log and the webhooks.
    private func tell(_ redemption: PasscodeStore.Redemption, _ request: Request) throws {
        let (address, userID) = (redemption.address, redemption.passcode.userID)
        if redemption.isConfirmation {
            if redemption.isPrimaryNow {
                try audit(.primaryEmailChanged, request, userID: userID, address: address)
            }
            try audit(.emailVerified, request, userID: userID, address: address)
        }
        try audit(.passcodeFinalSucceeded, request, userID: userID, address: address)
        switch redemption.novelty {
        case .user: try announce(.userCreate, request, userID: userID)
        case .address: try announce(.userUpdateEmailCreate, request, userID: userID)
        case nil: break
        }
    }

    private func note(_ redemption: PasscodeStore.Redemption) {
        let (address, userID) = (redemption.address, redemption.passcode.userID)
        services.journal.event(
            "passcode accepted", about: address,
            "The passcode \(redemption.passcode.id) of the user \(userID) was right and is used up.")
        guard redemption.isConfirmation else { return }
        services.journal.event(
            "address verified", about: address,
            "The address \(address) is confirmed and belongs to the user \(userID) now.")
    }
}
