import Essentials

/// The code that shows that the person is near the screen from which it was read.
package struct ProximityCheck: Sendable, Equatable {
    package enum Source: String, Sendable {
        case qrCode = "QR_CODE"
        case deepLink = "DEEPLINK"
    }

    /// Eight digits.
    package var otp: String
    package var source: Source

    package init(otp: String, source: Source = .qrCode) {
        self.otp = otp
        self.source = source
    }

    /// The times are written as Android does, with milliseconds and `Z`.
    ///
    /// - Parameter now: milliseconds since 1970.
    func json(at now: Int) -> JSONValue {
        [
            "otp": .string(otp), "type": .string(source.rawValue),
            "timestampReceived": .string(Self.text(now - 2000)), "timestampSent": .string(Self.text(now)),
        ]
    }

    private static func text(_ milliseconds: Int) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
