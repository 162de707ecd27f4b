import Crypto
import DeviceKit

/// The key pair of an identity, for who carries the messages of a client itself.
package struct MPinKeyPair: Sendable {
    let key: TwistKey

    /// 256 hexadecimal digits.
    package var publicText: String { key.publicText }

    /// - Parameter draw: that many bytes that nobody can guess.
    package init(drawnFrom draw: (Int) -> [UInt8]) throws {
        key = try TwistKey(secret: MPinCurve.drawnScalar(draw))
    }
}

/// A proof between its two passes.
package struct MPinAttempt: Sendable {
    private let token: MPinToken
    private let x: FieldElement

    package init(_ token: MPinToken, drawnFrom draw: (Int) -> [UInt8]) throws {
        (self.token, x) = (token, try MPinCurve.drawnScalar(draw))
    }

    /// What goes out first, in hexadecimal.
    package func commitment() throws -> String { Hex.encode(try token.commitment(x).x962) }

    /// The same under a time permit.
    package func commitment(day: UInt32) throws -> String {
        Hex.encode(try token.permittedCommitment(x, day: day).x962)
    }

    /// What goes out second, in hexadecimal.
    ///
    /// - Parameters:
    ///   - y: the server's number as it told it.
    ///   - permit: both shares of a time permit; empty without one.
    package func answer(y: String, pin: String, permit: [String] = []) throws -> String {
        let shares = try permit.map { try MPinCurve.point(hex: $0) }
        let sum = shares.count == 2 ? shares[0] + shares[1] : nil
        return Hex.encode(try token.answer(x, MPinCurve.scalar(hex: y), pin: pin, permit: sum).x962)
    }
}

extension MPinToken {
    /// - Parameter shares: of both authorities, as they told them.
    package init(mpinID: String, dtas: String, shares: [String], key: MPinKeyPair?, pin: String) throws {
        try self.init(
            mpinID: mpinID, dtas: dtas, shares: shares.map { try MPinCurve.point(hex: $0) }, key: key?.key,
            pin: pin)
    }

    /// Both points of a signature, in hexadecimal.
    ///
    /// - Parameters:
    ///   - hash: of the document, in hexadecimal.
    ///   - timestamp: seconds since 1970.
    package func signature(
        of hash: String, timestamp: UInt32, pin: String, drawnFrom draw: (Int) -> [UInt8]
    ) throws -> (u: String, v: String) {
        guard let message = Hex.decode(hash) else { throw DeviceError("the hash is not hexadecimal") }
        let x = try MPinCurve.drawnScalar(draw)
        let u = try commitment(x)
        let v = try answer(x, Self.challenge(timestamp, u, message), pin: pin)
        return (Hex.encode(u.x962), Hex.encode(v.x962))
    }
}
