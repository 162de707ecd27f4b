import SQLite

/// Codes that a user types over from a device without a network.
extension PowerAuth {
    /// Checks an offline code of two factors over each of `bodies` (one per permitted proximity OTP; one without).
    ///
    /// - Parameters:
    ///   - code: with or without the dash between its groups.
    ///   - nonce: of the QR code, Base64.
    ///   - bodies: `operationId&operationData` and its kin.
    ///   - types: tried in this order; the first is told when none fits.
    /// - Throws: ``ProtocolFault`` for a nonce that is none; nothing is counted then.
    func verifyOffline(
        _ code: String, nonce: String, bodies: [[UInt8]], types: [SignatureType], activation: Activation,
        in turn: inout Turn
    ) throws -> AuthenticationOutcome {
        let nonce = try Nonce(base64: nonce)
        let claims = bodies.map { body in
            SignedData(
                method: "POST", uriID: "/operation/authorize/offline", nonce: nonce.base64, body: body,
                secret: "offline")
        }
        return try verifyOffline(
            code, claims.map(\.normalized), types, activation, in: &turn
        ) { claims }
    }

    /// The same over data that the caller normalised, all but the word in place of the application secret:
    /// `signature/offline/verify` of the management API.
    func verifyOffline(
        _ code: String, overNormalized data: [[UInt8]], types: [SignatureType], activation: Activation,
        in turn: inout Turn
    ) throws -> AuthenticationOutcome {
        let whole = data.map { NormalizedData($0 + Array("&offline".utf8)) }
        return try verifyOffline(code, whole, types, activation, in: &turn) {
            data.compactMap { SignedData(normalized: $0, secret: "offline") }
        }
    }

    private func verifyOffline(
        _ code: String, _ data: [NormalizedData], _ types: [SignatureType], _ activation: Activation,
        in turn: inout Turn, claims: () -> [SignedData]
    ) throws -> AuthenticationOutcome {
        guard let application = try Application.find(activation.application, in: turn.db) else {
            throw StoredValueUnknown(table: "powerauth_activation", id: activation.id)
        }
        let digits = try settings(in: turn.db).offlineComponentLength
        let search = CodeSearch(
            code: Self.dashed(code, digits: digits),
            candidates: types.flatMap { type in data.map { AuthenticationCode.Candidate(type, $0) } },
            format: .decimal(digits: digits), uriID: nil)
        return try verify(search, of: activation, application, in: &turn, claims: claims)
    }

    /// People type the code with the dash or without.
    private static func dashed(_ code: String, digits: Int) -> String {
        let text = Array(code)
        guard text.count == 2 * digits, !text.contains("-") else { return code }
        return String(text[..<digits]) + "-" + String(text[digits...])
    }
}
