import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

extension SampleApp {
    struct CallbackInput: Decodable {
        let transactionID: String

        enum CodingKeys: String, CodingKey {
            case transactionID = "transaction_id"
        }
    }

    /// `POST /portal/callback`: the token server tells that a transaction has a result, which the portal then fetches itself.
    ///
    /// The call may come twice; the first result counts.
    ///
    /// - Request: `{"callback_uri": "…", "transaction_id": "…"}`, with HTTP Basic where it is configured.
    /// - Response: `204`.
    /// - Errors: `401` without the right credentials, `404` for a transaction of somebody else, `409` while there is no result,
    ///   `502` when the result cannot be fetched; the token server then tries again.
    /// - Source: Onegini topic guide “Mobile authentication with OTP”, steps 8 to 10.
    func receiveCallback(_ request: Request) throws -> Response {
        let settings = try self.settings(PortalSettings.kept, else: PortalSettings())
        try requireTokenServer(request, settings)
        let input: CallbackInput
        do {
            input = try request.json(CallbackInput.self)
        } catch let error as RequestMalformed {
            throw SampleAppError.callbackMalformed(error.reason)
        }
        let login = try database.read {
            try $0.first(Login.self, where: "transaction_id = \(input.transactionID)")
        }
        guard let login else {
            throw SampleAppError.transactionUnknown(input.transactionID)
        }
        if login.state == .waiting { try take(try result(of: login, settings, request), for: login) }
        return .noContent
    }

    private func result(of login: Login, _ settings: PortalSettings, _ request: Request) throws
        -> TokenServer.Result
    {
        let result = try tokenServer(settings, request).result(of: login.transactionID)
        guard result.transactionID == login.transactionID else {
            throw SampleAppError.resultOfAnother(result.transactionID, asked: login.transactionID)
        }
        return result
    }

    private func take(_ result: TokenServer.Result, for login: Login) throws {
        if result.isAuthenticated, let user = result.userID {
            try answer(login.id, user: user, reason: nil)
            services.journal.event(
                "portal login approved", about: user,
                "The user \(user) approved the login \(login.id); its browser gets a session when it looks next."
            )
        } else if let reason = result.notAuthenticatedReason {
            try answer(login.id, user: nil, reason: reason.description)
        } else {
            throw SampleAppError.resultPending(login.transactionID)
        }
    }

    private func requireTokenServer(_ request: Request, _ settings: PortalSettings) throws {
        guard let name = settings.callbackUsername else { return }
        let expected = BasicCredentials(name: name, password: settings.callbackPassword ?? "")
        let value = request.headers["Authorization"]?.value(ofScheme: "Basic")
        let got = value.flatMap { try? BasicCredentials(parsing: $0) }
        guard let got, constantTimeEqual(Array(got.header.utf8), Array(expected.header.utf8)) else {
            throw SampleAppError.callbackUnauthorized(got: got?.name, expected: name)
        }
    }
}
