import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

// What the calls about PINs have in common.
extension Onegini {
    /// The application of a device where PINs may be sent.
    func convenient(_ device: Device, in db: Connection) throws -> ApplicationSettings {
        let application = try db.application(of: device)
        guard application.hasConvenienceMode else {
            throw PINRefusal.modeOff(application: application.identifier)
        }
        return application
    }

    func check(_ pin: String, by policy: PINPolicy) throws {
        if let violation = policy.violation(of: pin) { throw PINRefusal.refused(violation) }
    }

    func newSalt() -> [UInt8] { services.entropy.bytes(16, "onegini.pin_salt") }

    /// Judges a PIN, in the transaction that goes on with it; a wrong one is counted.
    ///
    /// - Returns: the profile, whose failures are forgotten.
    func verify(
        _ pin: String, of profileID: String, on clientID: String, _ turn: Turn
    ) throws -> Profile {
        guard var profile = try turn.db.profile(profileID, on: clientID) else {
            throw try registry.refusal(ofMissing: profileID, on: clientID, in: turn.db)
        }
        guard let isRight = try profile.hasPIN(pin) else { throw PINRefusal.notSet(profileID) }
        guard isRight else {
            let finding = "The PIN is not the one that was set."
            let refusal = try registry.countFailure(of: profile, .login, finding: finding, in: turn.db)
            throw turn.kept(refusal) { [profile] in
                _ = try registry.countFailure(of: profile, .login, finding: finding, in: $0.db)
            }
        }
        profile.failures = 0
        try turn.update(profile)
        return profile
    }
}

extension Onegini {
    /// `GET /sdk/v1/pin-policy`: what PINs must look like.
    ///
    /// - Request: the device's credentials.
    /// - Response: `200 {"pin_length": 5, "max_similar_digits": 2, "sequences_allowed": false, "blocked_pins": […]}`.
    /// - Errors: 401 `invalid_client`.
    /// - Source: the device protocol.
    func showPINPolicy(_ request: Request) throws -> Response {
        let device = try requireDevice(request).device
        return .oauth(try database.read { db in try db.application(of: device).pinPolicy.json })
    }
}
