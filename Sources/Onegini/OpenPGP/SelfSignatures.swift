import Essentials

extension OpenPGP {
    /// Judges the signatures of a primary key upon itself, its user ids and its subkeys.
    ///
    /// A signature from the future counts: the clock of a world may stand behind that of the device that made the key.
    struct SelfSignatures {
        /// RFC 4880 §5.2.1
        enum Kind {
            static let certifications: ClosedRange<UInt8> = 0x10...0x13
            static let binding: ClosedRange<UInt8> = 0x18...0x18
            static let backSignature: UInt8 = 0x19
            static let direct: ClosedRange<UInt8> = 0x1F...0x1F
            static let keyRevocation: UInt8 = 0x20
            static let subkeyRevocation: UInt8 = 0x28
            static let certificationRevocation: UInt8 = 0x30
        }

        let key: TransferableKey
        let now: Date

        /// The newest signature of the primary key upon one of its user ids, or else directly upon itself.
        func newestUponPrimary() throws(OpenPGPError) -> Signature {
            let content = key.primary.hashed
            if key.direct.contains(where: { isValid($0, Kind.keyRevocation, content) }) { throw .revoked }
            var candidates: [Signature] = []
            var fault: OpenPGPError?
            for part in key.userIDs {
                do {
                    let signature = try newest(part.signatures, Kind.certifications, content + part.subject)
                    if !isRevoked(part, since: signature) { candidates.append(signature) }
                } catch {
                    if error != .selfSignatureMissing { fault = error }
                }
            }
            // What is wrong with a signature directly upon the key matters less than what is wrong with its user ids.
            if candidates.isEmpty, let direct = try? newest(key.direct, Kind.direct, content) {
                return direct
            }
            guard let newest = candidates.max(by: { $0.createdAt < $1.createdAt }) else {
                throw fault ?? .selfSignatureMissing
            }
            return newest
        }

        /// The newest signature that binds a subkey to the primary key.
        func newestUpon(_ part: TransferableKey.Part<KeyPacket>) throws(OpenPGPError) -> Signature {
            let content = key.primary.hashed + part.subject.hashed
            if part.signatures.contains(where: { isValid($0, Kind.subkeyRevocation, content) }) {
                throw .revoked
            }
            do {
                return try newest(part.signatures, Kind.binding, content)
            } catch {
                switch error {
                case .selfSignatureMissing, .selfSignatureInvalid: throw .bindingInvalid
                default: throw error
                }
            }
        }

        /// Whether a subkey that signs has agreed to belong to the primary key. Source: RFC 4880 §5.2.1, 0x19.
        func isAgreed(_ subkey: KeyPacket, in binding: Signature) -> Bool {
            guard let body = binding.hashed[.embeddedSignature] ?? binding.unhashed[.embeddedSignature],
                // A malformed signature is no agreement, whatever is wrong with it.
                let signature = try? Signature(body), signature.kind == Kind.backSignature
            else { return false }
            return (try? signature.check(key.primary.hashed + subkey.hashed, by: subkey)) != nil
        }

        /// - Throws: what is wrong with one of them when none is right.
        private func newest(
            _ signatures: [Signature], _ kinds: ClosedRange<UInt8>, _ content: [UInt8]
        ) throws(OpenPGPError) -> Signature {
            var right: Signature?
            var fault = OpenPGPError.selfSignatureMissing
            for signature in signatures where kinds.contains(signature.kind) && signature.names(key.primary) {
                do {
                    try signature.check(content, by: key.primary)
                    guard !signature.isExpired(at: now) else { continue }
                    if signature.createdAt >= right?.createdAt ?? 0 { right = signature }
                } catch {
                    fault = error == .signatureInvalid ? .selfSignatureInvalid : error
                }
            }
            guard let right else { throw fault }
            return right
        }

        private func isRevoked(_ part: TransferableKey.Part<[UInt8]>, since certification: Signature) -> Bool
        {
            let content = key.primary.hashed + part.subject
            return part.signatures.contains {
                $0.createdAt >= certification.createdAt && isValid($0, Kind.certificationRevocation, content)
            }
        }

        private func isValid(_ signature: Signature, _ kind: UInt8, _ content: [UInt8]) -> Bool {
            guard signature.kind == kind, signature.names(key.primary) else { return false }
            // Why a revocation is not by the key makes no difference: it does not count.
            return (try? signature.check(content, by: key.primary)) != nil
        }
    }
}

extension OpenPGP.Signature {
    /// Seconds since 1970; 0 for a signature that does not say it.
    var createdAt: Int { hashed.number(.created) ?? 0 }

    /// RFC 4880 §5.2.3.10: after as many seconds as it says, 0 for never.
    func isExpired(at now: Date) -> Bool {
        guard let seconds = hashed.number(.expiresAfter), seconds > 0 else { return false }
        return Date(timeIntervalSince1970: TimeInterval(createdAt + seconds)) <= now
    }

    /// When the key that it is upon expires. Source: RFC 4880 §5.2.3.6.
    func expiry(of key: OpenPGP.KeyPacket) -> Date? {
        guard let seconds = hashed.number(.keyExpiresAfter), seconds > 0 else { return nil }
        return key.createdAt + TimeInterval(seconds)
    }

    /// Whether it gives its key one of these flags. Source: RFC 4880 §5.2.3.21.
    func hasFlag(_ flags: UInt8) -> Bool { (hashed[.keyFlags]?.first ?? 0) & flags != 0 }
}
