/// The flags of authenticator data. Source: Web Authentication Level 3 §6.1.
package struct AuthenticatorFlags: OptionSet, Sendable, Hashable, CustomStringConvertible {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let userPresent = AuthenticatorFlags(rawValue: 1 << 0)
    package static let userVerified = AuthenticatorFlags(rawValue: 1 << 2)
    package static let backupEligible = AuthenticatorFlags(rawValue: 1 << 3)
    package static let backedUp = AuthenticatorFlags(rawValue: 1 << 4)
    package static let attestedCredential = AuthenticatorFlags(rawValue: 1 << 6)
    package static let extensions = AuthenticatorFlags(rawValue: 1 << 7)

    /// The names of the standard, such as `UP UV`.
    package var description: String {
        let names: [(AuthenticatorFlags, String)] = [
            (.userPresent, "UP"), (.userVerified, "UV"), (.backupEligible, "BE"), (.backedUp, "BS"),
            (.attestedCredential, "AT"), (.extensions, "ED"),
        ]
        let present = names.filter { contains($0.0) }.map(\.1)
        return present.isEmpty ? "no flags" : present.joined(separator: " ")
    }
}
