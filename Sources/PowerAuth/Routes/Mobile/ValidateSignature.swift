import HTTP

extension PowerAuth {
    /// `POST`, `GET`, `PUT` or `DELETE /pa/v3/signature/validate`: checks a code (`/pa/signature/validate`) and nothing else; the SDK
    /// checks a PIN with it and lets the server catch up with its counter.
    ///
    /// - Request: anything; the code covers the body as it came, or of GET the canonical query.
    /// - Response: `200 {"status":"OK"}`.
    /// - Errors: 401 `POWER_AUTH_SIGNATURE_INVALID`.
    /// - Source: PowerAuth documentation, “Standard RESTful API”.
    func validateSignature(_ request: Request) throws -> Response {
        try change { turn in
            try authenticate(
                request, uriID: "/pa/signature/validate", types: .anyWithPossession, in: turn
            ) { _ in }
        }
        return .powerAuth()
    }
}
