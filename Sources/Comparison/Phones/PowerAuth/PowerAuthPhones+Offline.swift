import Essentials
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
        // One that nobody judged was none, and is sent as it was.
        guard !scene.isRefused else { return PhonePlay(outcome: .signed) }
        let device = try device(code.activation, nil)
        guard let text = offlineTexts[code.nonce] else {
            throw PhoneObstacle("it answers a QR code of an operation that is not in the recording")
        }
        let told = SpelledJSON(scene.exchange.response.body)
        let layout = TypedLayout(code.text)
        let factors = told?["signatureType"]?.string?.asciiLowercased ?? layout.factors
        let ours = try signing(device, factors, isWrong: told?["otpValid"] != .boolean(true)) { credential in
            try device.offlineCode(
                for: device.offlineOperation(text), with: credential, digits: layout.digits)
        }
        request.replace(
            member: "otp", .string(layout.hasDashes ? ours : ours.filter { $0 != "-" }))
        return PhonePlay(outcome: .signed)
    }

    /// How somebody typed a code: a group of digits for each factor, with a dash between them or none.
    struct TypedLayout {
        let hasDashes: Bool
        let digits: Int
        private let groups: Int

        private static let longest = 8

        init(_ text: String) {
            let parts = text.split(separator: "-")
            hasDashes = parts.count > 1
            let isJoined = !hasDashes && text.count > Self.longest
            groups = isJoined ? 2 : max(parts.count, 1)
            digits = min(max((parts.first?.count ?? 0) / (isJoined ? 2 : 1), 4), Self.longest)
        }

        /// As they are where the answer does not name them.
        var factors: String { groups == 1 ? "possession" : "possession_knowledge" }
    }
}
