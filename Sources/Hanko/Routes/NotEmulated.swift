import HTTP
import PlatformKit

extension Hanko {
    /// Endpoints of the original that are refused with 501 and the name of what is missing.
    static let missingRoutes: [Route<Hanko>] =
        [
            Route(.put, "/password", passwords),
            Route(.post, "/password/login", passwords),
            Route(.get, "/webauthn/credentials", passkeys),
            Route(.patch, "/webauthn/credentials/:id", passkeys),
            Route(.delete, "/webauthn/credentials/:id", passkeys),
        ]
        + ["registration/initialize", "registration/finalize", "login/initialize", "login/finalize"].map {
            Route(.post, "/webauthn/\($0)", passkeys)
        }

    private static func missing(_ feature: String) -> Route<Hanko>.Handler {
        { _ in { _ in throw HankoError.notEmulated(feature) } }
    }

    private static let passwords: Route<Hanko>.Handler = { hanko in
        { _ in
            guard try hanko.configuration().hasPasswords else {
                throw HankoError.switchedOff(
                    "passwords", by: "mfa.enabled must be false and password.enabled true")
            }
            throw HankoError.notEmulated("passwords")
        }
    }

    private static let passkeys: Route<Hanko>.Handler = { hanko in
        { _ in
            guard try hanko.configuration().hasPasskeys else {
                throw HankoError.switchedOff("WebAuthn", by: "passkey.enabled must be true")
            }
            throw HankoError.notEmulated("WebAuthn")
        }
    }
}
