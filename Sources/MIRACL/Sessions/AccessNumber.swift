/// Six digits and a check digit, which a user types on a phone without a camera.
enum AccessNumber {
    static let digitCount = 7

    /// Source: Milagro MFA SDK core and milagro-mfa-js-lib, whose settings call it `cSum` 1: the digits are weighed with 7 down to 2, and the
    /// check digit brings their sum to a multiple of eleven; where that takes a ten, it is zero.
    static func adding(checkDigitTo digits: String) -> String {
        let sum = zip(digits.utf8, stride(from: digitCount, to: 1, by: -1)).reduce(0) { sum, next in
            sum + Int(next.0 - UInt8(ascii: "0")) * next.1
        }
        let check = (11 - sum % 11) % 11
        return digits + String(check == 10 ? 0 : check)
    }
}
