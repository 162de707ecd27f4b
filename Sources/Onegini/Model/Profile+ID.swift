import PlatformKit

extension Profile {
    /// Users of one device, at most.
    static let maxPerDevice = 100

    /// Six of `A-Z` and `0-9`. Source: the device protocol.
    static func isWellFormed(_ id: String) -> Bool {
        id.utf8.count == 6 && id.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 }
    }

    /// An id made of chance, each as likely as the others.
    static func newID(_ entropy: Entropy) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        var id = ""
        while id.utf8.count < 6 {
            // 252 is the largest multiple of 36 that a byte holds.
            for byte in entropy.bytes(6, "onegini.profile_id") where byte < 252 && id.utf8.count < 6 {
                id.append(alphabet[Int(byte % 36)])
            }
        }
        return id
    }
}
