import Crypto

/// Bytes that look like chance, others for each phone, and the same in every run.
final class PhoneChance {
    private let phone: UInt8
    private var count: UInt32 = 0

    init(_ phone: UInt8) { self.phone = phone }

    func draw(_ size: Int) -> [UInt8] {
        count += 1
        let number = withUnsafeBytes(of: count.bigEndian) { Array($0) }
        return KeyDerivation.x963(.sha256, secret: [phone] + number, info: [], count: size)
    }
}
