import Crypto
import Essentials
import PlatformKit
import QRCode

extension FlowHook {
    /// Before `mfa_otp_secret_creation`: the secret as text and as a picture, the same ones when shown again.
    static let showOTPSecret = FlowHook { step in
        // RFC 4226 §4, R6: 160 bits.
        let secret = step.flow.stash.otpSecret ?? Base32.encode(step.entropy.bytes(20, "hanko.otp.secret"))
        step.flow.stash.otpSecret = secret
        let account = try step.account()
        let name = account?.primaryEmail?.address ?? step.subject ?? "user"
        let url = TOTP.url(secret: secret, account: name, issuer: step.configuration.service.name)
        let picture = try QRCode(text: url).png(side: 200)
        step.payload["otp_secret"] = .string(secret)
        step.payload["otp_image_source"] = .string(
            "data:image/png;base64," + Data(picture).base64EncodedString())
    }
}
