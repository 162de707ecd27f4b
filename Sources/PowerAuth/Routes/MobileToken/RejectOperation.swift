import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// `POST /api/auth/token/app/operation/cancel`: the user rejects.
    ///
    /// - Request: `{"requestObject": {"id", "reason"?, "mobileTokenData"?}}`, signed by possession for `/operation/cancel`.
    /// - Response: `200 {"status":"OK"}`; the reason is kept as `rejectReason`.
    /// - Errors: 401 `POWERAUTH_AUTH_FAIL`, which counts nothing on the operation; 400 with a code for each state but PENDING,
    ///   `INVALID_OPERATION`, `OPERATION_REQUIRES_ACTIVATION_FLAG`; 401 `OPERATION_FAILED` for an operation of somebody else.
    /// - Source: Mobile Token documentation, “Mobile Token API”, and the published behaviour of its server.
    func rejectOperation(_ request: Request) throws -> Response {
        try change { turn in
            let input = try Members(ofDevice: request)
            guard let id = input["id"]?.string else {
                throw TokenAPIRefusal(.authenticationFailed, "The body has no requestObject with an id.")
            }
            try withDevice(request, signing: "/operation/cancel", types: [.possession], in: turn) { device in
                try requireFlag(of: pendingOperation(id, in: turn), on: device)
                var facts = DeviceFacts(request, device, input.values)
                facts.add(Operation.AdditionalMember.rejectReason, input["reason"]?.string)
                let decision = OperationDecision(
                    user: device.activation.user, application: device.application.id,
                    activation: device.activation.id, data: "", type: device.type,
                    additionalData: facts.members)
                let result = try TokenAPIRefusal.telling { try operations.reject(id, decision, in: turn) }
                try conclude(result, .rejected, in: turn)
            }
        }
        return .powerAuth()
    }
}
