import HTTP
import PlatformKit

extension Hanko {
    /// `GET /sessions/validate`: whether the session that comes with the request is good. This does not count as use of it.
    ///
    /// - Request: a session, or none.
    /// - Response: `200`, the ``SessionValidity``, whatever is wrong.
    /// - Errors: none.
    /// - Source: Hanko 2.7, public API.
    func validateSession(_ request: Request) throws -> Response {
        switch try presentedSession(request, touching: false) {
        case .success(let accepted): return try .hanko(validity(of: accepted))
        case .failure(let refused):
            noteInvalid(refused.faults)
            return try .hanko(SessionValidity.invalid)
        }
    }

    func validity(of accepted: AcceptedSession) throws -> SessionValidity {
        SessionValidity(accepted, idleTimeoutSeconds: try configuration().session.idleTimeoutSeconds)
    }

    /// The answer says no more than false; the journal says why.
    func noteInvalid(_ faults: [SessionFault]) {
        services.journal.event(
            "session not valid",
            "The answer is is_valid false. " + faults.map(\.explanation).joined(separator: " "))
    }
}
