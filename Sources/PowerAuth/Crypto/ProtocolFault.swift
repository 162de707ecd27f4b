/// What the cryptography of the mobile protocol refuses: which part, what was expected, what came. Secrets are never named.
package enum ProtocolFault: Error, Equatable {
    /// A member that the version demands is not there.
    case missing(member: String, version: ProtocolVersion)
    /// A member is there that the version does not have.
    case unexpected(member: String, version: ProtocolVersion)
    case malformed(part: String, expected: String, got: String)
    /// An authenticator is not the one that the keys give.
    case wrong(part: String)
}

extension ProtocolFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let member, let version):
            "“\(member)” is missing; version \(version.rawValue) demands it"
        case .unexpected(let member, let version):
            "“\(member)” is there; version \(version.rawValue) does not have it"
        case .malformed(let part, let expected, let got): "\(part): expected \(expected), got \(got)"
        case .wrong(let part): "\(part) is not the one that the keys and the data give"
        }
    }
}
