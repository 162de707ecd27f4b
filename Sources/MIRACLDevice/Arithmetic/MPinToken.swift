import Crypto
import DeviceKit

/// What a client keeps of an identity: no PIN, and nothing from which a PIN could be told.
package struct MPinToken: Sendable, Codable, Equatable {
    /// In hexadecimal.
    package let mpinID: String
    /// 256 hexadecimal digits; empty for an identity without a key pair.
    package let publicKey: String
    /// The authorities' ids as they were told, and are told back.
    package let dtas: String
    /// The client secret less the identity's point times the PIN: 65 bytes in hexadecimal.
    package let token: String

    /// - Parameters:
    ///   - shares: of both authorities.
    ///   - key: nil for an identity without a key pair.
    init(mpinID: String, dtas: String, shares: [WeierstrassPoint], key: TwistKey?, pin: String) throws {
        guard shares.count == 2 else { throw DeviceError("\(shares.count) shares instead of two") }
        let sum = shares[0] + shares[1]
        let secret = key.map { $0.secret * sum } ?? sum
        let point = try MPinCurve.point(of: Self.hash(mpinID, key?.publicText ?? ""))
        let masked = secret + -(try Self.number(pin) * point)
        (self.mpinID, publicKey, self.dtas) = (mpinID, key?.publicText ?? "", dtas)
        token = Hex.encode(masked.x962)
    }

    /// What goes out first: a number times the identity's point.
    func commitment(_ x: FieldElement) throws -> WeierstrassPoint { try x * point() }

    /// The same under a time permit.
    ///
    /// - Parameter day: days since 1970.
    func permittedCommitment(_ x: FieldElement, day: UInt32) throws -> WeierstrassPoint {
        let hash = Digest.sha256(MPinCurve.bigEndian(day) + (try hash()))
        return try x * (point() + MPinCurve.point(of: hash))
    }

    /// What goes out second.
    ///
    /// - Parameters:
    ///   - y: the server's number, or that of a signature.
    ///   - permit: the sum of the shares of a time permit.
    func answer(
        _ x: FieldElement, _ y: FieldElement, pin: String, permit: WeierstrassPoint? = nil
    ) throws -> WeierstrassPoint {
        let secret = try MPinCurve.point(hex: token) + (try Self.number(pin) * point())
        return -(x + y) * (permit.map { secret + $0 } ?? secret)
    }

    /// What takes the place of the server's number in a signature.
    ///
    /// - Parameters:
    ///   - timestamp: seconds since 1970.
    ///   - message: the document's hash as bytes.
    static func challenge(_ timestamp: UInt32, _ u: WeierstrassPoint, _ message: [UInt8]) -> FieldElement {
        MPinCurve.scalars.element(
            reducing: Digest.sha256(MPinCurve.bigEndian(timestamp) + u.x962 + message))
    }

    private func point() throws -> WeierstrassPoint { try MPinCurve.point(of: hash()) }

    private func hash() throws -> [UInt8] { try Self.hash(mpinID, publicKey) }

    private static func hash(_ mpinID: String, _ publicKey: String) throws -> [UInt8] {
        guard let id = Hex.decode(mpinID), let key = Hex.decode(publicKey) else {
            throw DeviceError("“\(mpinID)” is not an M-Pin id in hexadecimal")
        }
        return Digest.sha256(id + key)
    }

    /// A PIN is a number to the clients: zeros in front vanish.
    private static func number(_ pin: String) throws -> FieldElement {
        guard (1...6).contains(pin.utf8.count), pin.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(pin)
        else { throw DeviceError("a PIN has at most six digits and nothing else") }
        return MPinCurve.scalars.element(number)
    }
}
