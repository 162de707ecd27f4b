import Crypto
import Essentials
import PlatformKit

extension World {
    var now: Date { services.clock.now() }

    /// 32 hexadecimal digits for a purpose such as `web_ott`. Source: Milagro MFA server, `OTTLength`.
    func token(for purpose: String) -> String {
        Hex.encode(services.entropy.bytes(16, "miracl.\(purpose)"))
    }

    /// Six decimal digits.
    func digits(for purpose: String) -> String { services.entropy.digits(6, for: "miracl.\(purpose)") }

    func time(in seconds: Int) -> Date { now.adding(seconds: seconds) }
}
