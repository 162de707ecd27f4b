import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// `GET /v2/operations/{operationId}/offline/qr?registrationId=…`: the operation for a device without a network.
    ///
    /// - Request: query `registrationId`.
    /// - Response: `200 {"operationQrCodeData", "nonce"}`; the caller keeps the nonce for the code that the user types over.
    /// - Errors: `ERROR_OPERATION_NOT_FOUND`, `ERROR_OPERATION_STATE_CHANGE` unless it is PENDING,
    ///   `ERROR_REGISTRATION_NOT_FOUND`, `ERROR_REQUEST` for the registration of another user or another device than the bound one.
    /// - Source: PowerAuth Cloud documentation, operations; PowerAuth documentation, “Offline Signatures”.
    func showOfflineQRCode(_ request: Request) throws -> Response {
        let user = try requireBackOffice(request)
        let id = try request.requireQuery("registrationId")
        let (code, nonce) = try change { turn -> (String, String) in
            let operation = try requireOperation(request.parameter("operation"), of: user, in: turn.db)
            let activation = try requireRegistration(id, of: user, in: turn)
            try requireOffline(operation, on: activation, at: turn.now)
            let nonce = try Nonce(services.entropy.bytes(Nonce.count, "powerauth.offline"))
            return (
                try operation.offlineCode(
                    by: activation.offlineKey(in: turn.db), nonce: nonce, world.templates(in: turn.db),
                    at: turn.now),
                nonce.base64
            )
        }
        return .flat(["operationQrCodeData": .string(code), "nonce": .string(nonce)])
    }

    /// - Throws: ``CloudRefusal``.
    func requireOffline(_ operation: Operation, on activation: Activation, at now: Date) throws {
        if let refusal = operation.refusalToChange(.stateForbidsChange, at: now) {
            throw CloudRefusal(refusal)
        }
        guard operation.user == nil || operation.user == activation.user else {
            throw CloudRefusal(
                .request, "The registration belongs to another user than the operation.",
                "The operation \(operation.id) is of “\(operation.user ?? "")”, the registration \(activation.id) of "
                    + "“\(activation.user)”.")
        }
        guard operation.activation == nil || operation.activation == activation.id else {
            throw CloudRefusal(
                .request, "The operation is bound to another registration.",
                "The operation \(operation.id) is bound to \(operation.activation ?? ""), asked is \(activation.id)."
            )
        }
    }
}

extension Operation {
    /// The content of the QR code, signed by the key of the activation.
    func offlineCode(
        by key: OfflineQRCode.Key, nonce: Nonce, _ templates: Templates, at now: Date
    ) throws -> String {
        try OfflineQRCode(
            data: offlineText(templates), otp: proximityOTP(at: now), nonce: nonce, key: key
        ).text
    }

    /// Five lines: id, title, message, operation data, flags. Without a mobile template title and message are empty.
    ///
    /// Source: PowerAuth documentation, “Offline operations in the Mobile Token”.
    private func offlineText(_ templates: Templates) -> String {
        let template = templates.mobile(type, in: AcceptLanguage.primary(of: language))
        let title = template?.title(with: parameters) ?? ""
        let message = template?.message(with: parameters) ?? ""
        let biometry = types.contains(.possessionBiometry) ? "B" : ""
        return [id, title.escapedForLine, message.escapedForLine, data, biometry + riskFlags]
            .joined(separator: "\n")
    }
}

extension String {
    /// One line: a line feed as `\n`, a backslash doubled.
    fileprivate var escapedForLine: String { replacing("\\", with: "\\\\").replacing("\n", with: "\\n") }
}
