/// What stands in the place of a secret: `masked-` and ten letters, the same for the same secret as long as the program runs, so that one still sees
/// which request carries what an earlier answer gave.
///
/// They are made by Swift's `Hasher`, whose key is drawn at each start of the program: nobody can try passwords against them later.
enum Mask {
    static func of(_ secret: some StringProtocol) -> String {
        if secret.isEmpty || isMask(secret) { return String(secret) }
        var hasher = Hasher()
        hasher.combine("upstream")
        for byte in secret.utf8 { hasher.combine(byte) }
        var rest = UInt64(bitPattern: Int64(hasher.finalize()))
        var letters = ""
        for _ in 0..<10 {
            letters.unicodeScalars.append(Unicode.Scalar(UInt8(ascii: "a") + UInt8(rest % 26)))
            rest /= 26
        }
        return "masked-" + letters
    }

    /// Of bytes, which need not be UTF-8.
    static func of(bytes: some Collection<UInt8>) -> [UInt8] {
        Array(of(String(decoding: bytes, as: UTF8.self)).utf8)
    }

    private static func isMask(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 17 && text.hasPrefix("masked-")
            && text.utf8.dropFirst(7).allSatisfy { 0x61...0x7A ~= $0 }
    }
}
