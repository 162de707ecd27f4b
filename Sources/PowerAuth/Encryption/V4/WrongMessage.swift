import Crypto
import Essentials

/// An encrypted request of protocol 4.0 that was not opened, and what there is to find out why: one thing is varied at a time.
struct WrongMessage: Sendable {
    let request: V4.EncryptedRequest
    let purposes: [V4.MessagePurpose]
    /// Of the temporary key, 32 bytes.
    let secret: [UInt8]
    let binding: V4.MessageBinding
    /// With the application secrets of others.
    let otherBindings: [(name: String, binding: V4.MessageBinding)]

    /// What it would be right for, for the end of a sentence; nil when nothing that was tried fits.
    var finding: String? { otherPurpose ?? otherSecret ?? otherReading }

    private var otherReading: String? {
        V4.DerivationReading.allCases.first { reading in
            purposes.contains {
                (try? request.fits(reading, $0.rawValue, secret: secret, binding)) == true
            }
        }?.name
    }

    private var otherPurpose: String? {
        let found = V4.MessagePurpose.allCases.first {
            !purposes.contains($0) && fits($0, binding)
        }
        return found.map {
            "the sharedInfo1 “\($0.rawValue)”, expected “\(purposes.first?.rawValue ?? "")”"
        }
    }

    private var otherSecret: String? {
        let found = otherBindings.first { other in purposes.contains { fits($0, other.binding) } }
        return found.map { "the secret of \($0.name), not that of the version whose key it names" }
    }

    private func fits(_ purpose: V4.MessagePurpose, _ binding: V4.MessageBinding) -> Bool {
        (try? request.open(purpose.rawValue, secret: secret, binding)) != nil
    }
}
