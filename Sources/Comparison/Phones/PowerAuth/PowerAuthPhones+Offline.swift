import PowerAuthDevice

/// Codes that people type after a phone without a network has shown them.
extension PowerAuthPhones {
    /// Keeps what our phone will read in the place of the recorded one.
    func learn(_ exchange: Exchange, _ place: Bases.Place, ours: Stage.Answer) {
        guard place.mount == PowerAuthOrder.cloud, place.path.hasSuffix("/offline/qr"),
            let nonce = SpelledJSON(exchange.response.body)?["nonce"]?.string,
            let text = SpelledJSON(ours.body)?["operationQrCodeData"]?.string
        else { return }
        offlineTexts[nonce] = text
    }

    func showCode(
        _ code: PowerAuthOrder.TypedCode, _ scene: Scene, _ request: inout PlayedRequest
    ) throws -> PhonePlay {
        let device = try device(code.activation, nil)
        guard let text = offlineTexts[code.nonce] else {
            throw PhoneObstacle("it answers a QR code of an operation that is not in the recording")
        }
        let isValid = SpelledJSON(scene.exchange.response.body)?["otpValid"] == .boolean(true)
        let groups = code.text.split(separator: "-")
        let pin = isValid ? Self.pin : Self.wrongPIN
        let ours = try device.offlineCode(
            for: device.offlineOperation(text), with: groups.count == 1 ? .possession : .pin(pin),
            digits: min(max(groups.first?.count ?? 8, 4), 8))
        request.replace(member: "otp", .string(ours))
        return PhonePlay(outcome: .signed)
    }
}
