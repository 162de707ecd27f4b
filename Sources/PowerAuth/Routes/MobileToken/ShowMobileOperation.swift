import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// `POST /api/auth/token/app/operation/detail`: one operation, also one that nobody has claimed.
    ///
    /// Binding to a device and flags are not looked at here; the approval does that.
    ///
    /// - Request: `{"requestObject": {"id"}}`, with a MAC token.
    /// - Response: `200`, envelope with `currentTimestamp` and the operation.
    /// - Errors: 401 `POWERAUTH_AUTH_FAIL`; 400 `INVALID_OPERATION` for one that there is not, a code for each state but PENDING,
    ///   `INVALID_REQUEST` for one of another user and for a type without mobile template.
    /// - Source: Mobile Token documentation, “Mobile Token API”.
    func showMobileOperation(_ request: Request) throws -> Response {
        try show(request) { id, device, turn in
            let operation = try pendingOperation(id, in: turn)
            guard operation.user == nil || operation.user == device.activation.user else {
                throw TokenAPIRefusal(
                    .requestInvalid,
                    "The operation \(id) belongs to “\(operation.user ?? "")”, and “\(device.activation.user)” asks for it."
                )
            }
            return operation
        }
    }

    /// `POST /api/auth/token/app/operation/detail/claim`: the same, and the operation becomes the user's if it was nobody's.
    ///
    /// - Request: as above.
    /// - Response: as above.
    /// - Errors: as above, but `INVALID_OPERATION` for one of another user.
    /// - Source: Mobile Token documentation, “Mobile Token API”.
    func claimMobileOperation(_ request: Request) throws -> Response {
        try show(request) { id, device, turn in
            let operation = try TokenAPIRefusal.telling {
                try operations.claim(id, for: device.activation.user, in: turn)
            }
            if let over = TokenAPIRefusal(stateOf: operation, at: turn.now) { throw over }
            return operation
        }
    }

    private func show(
        _ request: Request, _ find: (String, Authenticated, Turn) throws -> Operation
    ) throws -> Response {
        let (operation, known, now) = try change { turn -> (Operation, Templates, Date) in
            try withDevice(request, in: turn) { device in
                let id = try Members(ofDevice: request).filledText("id")
                return (try find(id, device, turn), try world.templates(in: turn.db), turn.now)
            }
        }
        let language = AcceptLanguage.primary(of: request.headers["Accept-Language"])
        guard let template = known.mobile(operation.type, in: language) else {
            throw TokenAPIRefusal(
                .requestInvalid,
                "There is no mobile template for operations of the type “\(operation.type)”; lists leave them out.",
                message: "Template not found")
        }
        return .tokenAPI(operation.mobileJSON(template, language: language, at: now), at: now)
    }
}
