import Crypto
import Essentials
import PlatformKit

/// What a device encrypted by protocol 4.0, handed on by a server in front of this one with the names of its keys.
struct EnclosedMessage: Sendable {
    let applicationKey: String
    /// Nil in application scope.
    let activationID: String?
    let json: JSONValue

    /// Reads `applicationKey`, `activationId` in activation scope, and the version; the encrypted members are read when it is opened.
    ///
    /// - Parameter versionNames: of the member with the version, the first that is there.
    /// - Throws: ``ManagementRefusal`` `ERR0047` for a version of protocol 3.
    init(
        _ input: Members, _ scope: EnvelopeScope, version versionNames: [String] = ["protocolVersion"]
    ) throws {
        applicationKey = try input.text("applicationKey")
        activationID = scope == .activation ? try input.text("activationId") : nil
        json = .object(input.values)
        let name = versionNames.first { input[$0] != nil } ?? versionNames[0]
        switch try input.optionalText(name).flatMap(RequestVersion.init(rawValue:)) {
        case .four: break
        case nil: try input.refuse(name, V4.version)
        case .three(let version):
            throw ManagementRefusal(
                .protocolUnsupported,
                "What is encrypted by protocol \(version.rawValue) belongs to version 3 of the management API; this path takes 4.0."
            )
        }
    }
}
