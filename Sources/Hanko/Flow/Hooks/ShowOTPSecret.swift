import Crypto
import Essentials
import PlatformKit
import QRCode

extension FlowHook {
    /// Before `mfa_otp_secret_creation`: the secret as text and as a picture, the same ones when shown again.
    static let showOTPSecret = FlowHook { turn in
        // RFC 4226 §4, R6: 160 bits.
        let secret = turn.flow.stash.otpSecret ?? Base32.encode(turn.entropy.bytes(20, "hanko.otp.secret"))
        turn.flow.stash.otpSecret = secret
        let account = try turn.account()
        let name = account?.primaryEmail?.address ?? turn.subject ?? "user"
        let url = TOTP.url(secret: secret, account: name, issuer: turn.configuration.serviceName)
        let picture = try QRCode(text: url).png(side: 200)
        turn.payload["otp_secret"] = .string(secret)
        turn.payload["otp_image_source"] = .string(
            "data:image/png;base64," + Data(picture).base64EncodedString())
    }
}
