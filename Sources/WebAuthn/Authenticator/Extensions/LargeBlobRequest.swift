import Crypto
import Essentials

/// What a page asks of the extension `largeBlob`. Source: Web Authentication Level 3 §10.1.5.
enum LargeBlobRequest: Equatable {
    /// At registration: whether only an authenticator that has room will do.
    case support(isRequired: Bool)
    case read
    case write([UInt8])
    /// At authentication, for nothing in particular.
    case nothing

    /// Processing at registration.
    ///
    /// - Returns: nil when the extension is not asked for.
    init?(registering extensions: JSONValue?) throws {
        guard let asked = try Self.asked(extensions) else { return nil }
        guard asked["read"] == nil, asked["write"] == nil else {
            throw SoftwareAuthenticatorError(
                .notSupported,
                "“largeBlob.read” and “largeBlob.write” are for logins, not for registrations")
        }
        // An unknown value counts as none, §2.1.1.
        self = .support(isRequired: asked["support"]?.string == "required")
    }

    /// Processing at authentication.
    ///
    /// - Parameter allowed: the ids of the credentials that are allowed.
    init?(authenticating extensions: JSONValue?, _ allowed: [[UInt8]]) throws {
        guard let asked = try Self.asked(extensions) else { return nil }
        guard asked["support"] == nil else {
            throw SoftwareAuthenticatorError(
                .notSupported, "“largeBlob.support” is for registrations, not for logins")
        }
        guard asked["read"] == nil || asked["write"] == nil else {
            throw SoftwareAuthenticatorError(
                .notSupported, "“largeBlob.read” and “largeBlob.write” are asked for at once")
        }
        guard asked["write"] != nil else {
            self = asked["read"]?.boolean == true ? .read : .nothing
            return
        }
        guard allowed.count == 1 else {
            throw SoftwareAuthenticatorError(
                .notSupported,
                "“largeBlob.write” needs one credential in “allowCredentials”, and there are \(allowed.count)"
            )
        }
        self = .write(try SoftwareAuthenticator.bytes(asked, "write", in: "largeBlob."))
    }

    private static func asked(_ extensions: JSONValue?) throws -> JSONValue? {
        guard let asked = extensions?["largeBlob"] else { return nil }
        guard asked.object != nil else {
            throw SoftwareAuthenticatorError(.type, "“extensions.largeBlob” is not an object")
        }
        return asked
    }
}
