import Crypto
import Testing

@testable import MIRACL

/// The client's side of the protocol.
struct Client {
    let identity: MPinIdentity
    /// What the device keeps: the client secret without the PIN.
    let token: G1Point
    /// The secret exponent of a client with a key pair.
    let secretExponent: Scalar?

    init(
        _ identity: MPinIdentity, secrets: (G1Point, G1Point), pin: Int, secretExponent: Scalar? = nil
    ) {
        let sum = secrets.0 + secrets.1
        let secret = secretExponent.map { $0 * sum } ?? sum
        (self.identity, self.secretExponent) = (identity, secretExponent)
        token = secret - Scalar(pin) * identity.point
    }

    init(_ identity: MPinIdentity, master: MasterSecret, pin: Int, secretExponent: Scalar? = nil) {
        let secrets = (
            master.clientSecret(.first, for: identity), master.clientSecret(.second, for: identity)
        )
        self.init(identity, secrets: secrets, pin: pin, secretExponent: secretExponent)
    }

    func commitment(_ x: Scalar, day: UInt32? = nil) -> Commitment {
        let permitted = day.map { day in
            Commitment.Permitted(
                ut: x * (identity.point + identity.permitPoint(day: day)), day: day)
        }
        return Commitment(u: x * identity.point, permitted: permitted)
    }

    func proof(_ x: Scalar, challenge y: Scalar, pin: Int, permit: G1Point? = nil) -> G1Point {
        let secret = token + Scalar(pin) * identity.point
        return -(x + y) * (permit.map { secret + $0 } ?? secret)
    }

    /// z⁻¹·Q
    static func publicKey(for z: Scalar) throws -> G2Point {
        let inverse = try #require(z.value.inverse)
        let key = Scalar(inverse) * G2Point.generator
        return try #require(key)
    }
}
