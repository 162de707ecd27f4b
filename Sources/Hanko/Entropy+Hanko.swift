import PlatformKit

extension Entropy {
    /// `count` characters of the alphabet, of at most 256, each equally likely.
    func characters(_ count: Int, of alphabet: String, for purpose: String) -> String {
        let letters = Array(alphabet)
        // What lies above the largest multiple of their number would favour the first ones.
        let limit = 256 / letters.count * letters.count
        var text = ""
        while text.count < count {
            for byte in bytes(count, purpose) where Int(byte) < limit && text.count < count {
                text.append(letters[Int(byte) % letters.count])
            }
        }
        return text
    }

    /// 32 characters `[0-9A-Za-z]`.
    func csrfToken() -> String {
        characters(
            32, of: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", for: "hanko.flow.csrf")
    }

    /// Six digits, `000000` to `999998`. The original draws below 999999.
    func numericPasscode() -> String {
        while true {
            let code = digits(6, for: "hanko.code")
            if code != "999999" { return code }
        }
    }

    /// Six letters and digits without those that look alike. Case counts.
    func alphanumericPasscode() -> String {
        characters(6, of: "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz", for: "hanko.code")
    }

    /// 32 bytes that were never given out before.
    func challenge() -> [UInt8] { bytes(32, "hanko.challenge") }

    /// 62 characters `[0-9A-Za-z]`.
    func deviceToken() -> String {
        characters(
            62, of: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", for: "hanko.device")
    }
}
