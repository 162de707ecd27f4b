import Crypto
import Essentials

extension V4 {
    /// What an encrypted message is bound to beside the temporary secret.
    struct MessageBinding: Sendable {
        private let applicationKey: ApplicationKey
        private let activationID: String?
        /// 32 bytes
        private let sharedInfo2: [UInt8]

        /// For application scope.
        init(_ key: ApplicationKey, _ secret: ApplicationSecret) {
            (applicationKey, activationID) = (key, nil)
            sharedInfo2 = SHA3.bits256(secret.decoded)
        }

        /// For activation scope.
        ///
        /// - Parameter sharedInfo2: ``ActivationKeys/sharedInfo2()``.
        init(
            _ key: ApplicationKey, _ secret: ApplicationSecret, activationID: String, sharedInfo2: [UInt8]
        ) throws {
            (applicationKey, self.activationID) = (key, activationID)
            self.sharedInfo2 = try mac(secret.decoded, sharedInfo2, for: .sharedInfo2)
        }

        fileprivate func associated(_ temporaryKeyID: String, _ timestamp: Int, _ nonce: [UInt8]) -> [UInt8] {
            let names = [version, applicationKey.text, activationID, temporaryKeyID].compactMap { $0 }
            return names.flatMap { sized(Array($0.utf8)) }
                + sized(bigEndian(Int64(timestamp)), nonce, sharedInfo2)
        }
    }

    /// An encrypted request as it came. Its nonce has the IVs of request and answer, 12 bytes each, which differ.
    struct EncryptedRequest: Sendable, Equatable {
        static let nonceCount = 24

        let temporaryKeyID: String
        let sealed: SealedBytes
        let nonce: [UInt8]
        /// Milliseconds since 1970.
        let timestamp: Int

        /// - Throws: ``ProtocolFault`` when a member is missing or is not what it should be.
        init(_ json: JSONValue) throws {
            temporaryKeyID = try Self.text(json, "temporaryKeyId")
            sealed = SealedBytes(
                bytes: try decodeBase64(Self.text(json, "encryptedData"), part: "encryptedData"))
            nonce = try decodeBase64(Self.text(json, "nonce"), part: "nonce", count: Self.nonceCount)
            guard let timestamp = json["timestamp"]?.integer else {
                throw Self.missing("timestamp", "a number")
            }
            self.timestamp = timestamp
            guard nonce[..<12] != nonce[12...] else {
                throw ProtocolFault.malformed(
                    part: "nonce", expected: "two halves that differ", got: "one twice")
            }
            guard sealed.iv == Array(nonce[..<12]) else {
                throw ProtocolFault.malformed(
                    part: "encryptedData", expected: "the first half of the nonce at its start",
                    got: "other bytes")
            }
        }

        private static func text(_ json: JSONValue, _ name: String) throws -> String {
            guard let text = json[name]?.string else { throw missing(name, "a text") }
            return text
        }

        private static func missing(_ name: String, _ expected: String) -> ProtocolFault {
            .malformed(part: name, expected: expected, got: "nothing or another type")
        }

        /// - Throws: ``ProtocolFault`` when it was made with another secret or for something else.
        func open(_ purpose: String, secret: [UInt8], _ binding: MessageBinding) throws -> [UInt8] {
            try sealed.open(
                key: secret, context: context(purpose),
                associated: binding.associated(temporaryKeyID, timestamp, nonce))
        }

        /// Whether it was made in another reading of the derivation.
        func fits(
            _ reading: DerivationReading, _ purpose: String, secret: [UInt8], _ binding: MessageBinding
        ) throws -> Bool {
            try sealed.fits(
                reading, key: secret, context: context(purpose),
                associated: binding.associated(temporaryKeyID, timestamp, nonce))
        }

        /// The members of the answer.
        ///
        /// - Parameter milliseconds: now, since 1970.
        func answer(
            _ plaintext: [UInt8], _ purpose: String, secret: [UInt8], _ binding: MessageBinding,
            milliseconds: Int
        ) throws -> JSONValue {
            let sealed = try SealedBytes.seal(
                plaintext, key: secret, context: context(purpose), iv: Array(nonce[12...]),
                associated: binding.associated(temporaryKeyID, milliseconds, nonce))
            return [
                "encryptedData": .string(Base64.encode(sealed.bytes)), "timestamp": .integer(milliseconds),
            ]
        }

        private func context(_ purpose: String) -> [UInt8] {
            Array(version.utf8) + Array(purpose.utf8) + nonce
        }
    }
}
