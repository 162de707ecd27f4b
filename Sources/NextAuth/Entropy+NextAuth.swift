import Crypto
import PlatformKit

extension Entropy {
    /// `count` bytes in base64url.
    func token(_ count: Int = 16, for purpose: String) -> String {
        Base64URL.encode(bytes(count, "nextauth." + purpose))
    }

    /// 16 bytes in base64url that nothing is called by yet: a seeded world that loads its own export draws the same ones again.
    func freshToken(for purpose: String, isTaken: (String) throws -> Bool) rethrows -> String {
        while true {
            let text = token(for: purpose)
            if try !isTaken(text) { return text }
        }
    }

    /// 16 bytes in standard Base64 with neither `/` nor `+`, drawn again until that is so: the text stands in paths.
    func pathSafeBase64(for purpose: String) -> String {
        while true {
            let text = Base64.encode(bytes(16, "nextauth." + purpose))
            if !text.contains(where: { $0 == "+" || $0 == "/" }) { return text }
        }
    }
}
