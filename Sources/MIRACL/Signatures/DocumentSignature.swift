import Crypto
import Essentials
import PlatformKit

/// A document's signature as it travels: a proof of one pass over the document's hash, with everything that is needed to verify it.
///
/// Libraries spell the members differently (`mpinId`, `mpinid`). Source: client-js 6, trust-sdk-android, the vendor's libraries for
/// back ends.
struct DocumentSignature: Sendable {
    /// The hash as it came, and the bytes that it stands for, which are what was signed.
    let hash: String
    let message: [UInt8]
    let mpinID: String
    let u: G1Point
    let v: G1Point
    /// Hexadecimal in lower case; nil for an identity without a key pair.
    let publicKey: String?
    /// Seconds since 1970; nil where they stand beside the signature.
    let timestamp: Int?

    /// - Throws: ``RequestRefusal``, ``SignatureRefusal``.
    init(_ members: Members) throws {
        hash = try members.text("hash")
        guard let message = Hex.decode(hash) else {
            throw RequestRefusal.memberMalformed("hash", MPinError.notHexadecimal(hash.count).explanation)
        }
        self.message = message
        mpinID = try members.text("mpinId").lowercased()
        u = try Self.point("u", in: members)
        v = try Self.point("v", in: members)
        publicKey = try members.optionalText("publicKey")?.lowercased()
        timestamp = try members.optionalInteger("timestamp")
    }

    private static func point(_ name: String, in members: Members) throws -> G1Point {
        let hex = try members.text(name)
        do {
            return try G1Point(hex: hex)
        } catch {
            throw SignatureRefusal.pointMalformed(name, error)
        }
    }

    /// The proof that it is.
    ///
    /// - Parameter message: what was signed instead of ``message``, to find out a mistake.
    func proof(of identity: MPinIdentity, timestamp: UInt32, message: [UInt8]? = nil) -> MPinProof {
        let commitment = Commitment(u: u)
        return MPinProof(
            identity: identity, commitment: commitment,
            challenge: commitment.challenge(timestamp: timestamp, message: message ?? self.message), v: v)
    }
}
