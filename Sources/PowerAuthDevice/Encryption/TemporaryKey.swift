package import Crypto
import DeviceKit

/// A key of the server that lives for some minutes, which requests are encrypted to.
package struct TemporaryKey: Sendable, Equatable {
    enum Material: Sendable, Equatable {
        /// Protocol 3.3.
        case point(PublicKey)
        /// Protocol 4.0, in which both sides have it: 32 bytes.
        case secret([UInt8])
    }

    package let id: String
    let material: Material
    /// Milliseconds since 1970, by the server's clock.
    package let expires: Int

    init(id: String, _ material: Material, expires: Int) {
        (self.id, self.material, self.expires) = (id, material, expires)
    }

    /// - Throws: ``DeviceError`` for one of protocol 4.0.
    package func point() throws -> PublicKey {
        guard case .point(let key) = material else {
            throw DeviceError("the temporary key is of protocol 4.0")
        }
        return key
    }

    /// - Throws: ``DeviceError`` for one of protocol 3.3.
    func secret() throws -> [UInt8] {
        guard case .secret(let secret) = material else {
            throw DeviceError("the temporary key is of protocol 3.3")
        }
        return secret
    }

    var isOfFourth: Bool {
        if case .secret = material { true } else { false }
    }

    /// A device lets go of a key ten seconds before it expires.
    func isUsable(at milliseconds: Int) -> Bool { milliseconds < expires - 10_000 }
}
