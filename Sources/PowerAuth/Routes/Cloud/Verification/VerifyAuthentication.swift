import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// `POST /v2/authentication/verify`, also at its older name `/v2/signature/verify`: checks the header that an app sent to the
    /// caller.
    ///
    /// - Request: `{"method", "uriId", "authHeader", "requestBody"?, "queryParams"?}`: the body in Base64; of GET the parameters.
    /// - Response: `200` for every header that can be read, with `signatureValid`, `userId`, `registrationId`,
    ///   `registrationStatus`, `signatureType`, `remainingAttempts`, `flags`, `application`.
    /// - Errors: `ERROR_REQUEST`, `ERROR_SIGNATURE_INVALID` for a header that cannot be read.
    /// - Source: “Implement Login in Mobile Apps”; published behaviour of the PowerAuth Server.
    func verifyAuthentication(_ request: Request) throws -> Response {
        let user = try requireBackOffice(request)
        let input = try Members(request)
        let method = try input.text("method", 1...16).uppercased()
        let uriID = try input.text("uriId", 1...2048)
        let text = try input.text("authHeader", 1...8192)
        let body = try signedBody(input, method: method)
        try input.check()
        let header: AuthorizationHeader
        do {
            header = try AuthorizationHeader(text)
        } catch let refusal as HeaderRefusal {
            throw CloudRefusal(
                .signatureInvalid, "The authentication header is not valid.", refusal.explanation)
        }
        let signed = SignedRequest(method: method, uriID: uriID, body: body)
        let verification = try change { turn -> Verification? in
            let before = try activations.find(header.activationID, in: turn)
            if let before, !user.applications.contains(before.application) { return nil }
            let outcome = try authentication.verify(
                OnlineCode(header, over: signed), knowing: before, in: turn)
            try turn.audit(outcome, "signature", header.version.authenticationCodeFormat)
            return Verification(outcome, before: before)
        }
        guard let verification else {
            return .flat(refusedScope(header.activationID, user, "signatureValid"))
        }
        explain(verification.outcome, "authentication code refused")
        let named: [String: JSONValue] = ["registrationId": .string(header.activationID)]
        return .flat(verification.members("signatureValid").merging(named) { own, _ in own })
    }

    private func signedBody(_ input: Members, method: String) throws -> [UInt8] {
        let query = try input.optionalTextMap("queryParams")
        let body = try input.optionalText("requestBody", 0...16_000_000)
        if method == "GET", let query {
            do {
                return try CanonicalQuery.body(
                    of: Form.encode(query.map { (name: $0.key, value: $0.value) }))
            } catch let fault as ProtocolFault {
                try input.refuse("queryParams", "parameters of a query: \(fault)")
                return []
            }
        }
        guard let body else { return [] }
        if let bytes = WireBase64.decode(body) { return bytes }
        try input.refuse("requestBody", "Base64")
        return []
    }

    /// To this caller the registration is not there; nothing is counted.
    private func refusedScope(
        _ activation: String, _ user: SystemUser, _ name: String
    ) -> [String: JSONValue] {
        let explanation =
            "The registration \(activation) belongs to an application that is not assigned to the system user “\(user.name)”: to "
            + "this caller it is not there. Nothing was counted."
        note("authentication code refused", explanation)
        return [
            name: false, "registrationId": .string(activation), "registrationStatus": "REMOVED",
            "remainingAttempts": 0, "flags": [],
        ]
    }

    /// Tells the journal why a check failed: in an event about the user, and in the entry of the request, whose status is 200.
    func explain(_ outcome: AuthenticationOutcome, _ event: String) {
        guard !outcome.isValid else { return }
        let explanation = outcome.explanation
        guard !explanation.isEmpty else { return }
        note(event, about: outcome.activation?.user, explanation)
    }

    /// What the status of the answer does not show: an event, and the explanation in the entry of the request.
    func note(_ event: String, about user: String? = nil, _ explanation: String) {
        services.journal.event(event, about: user, explanation)
        services.journal.explain(explanation)
    }
}
