import DeviceKit
import Essentials

/// An installation of an app in software that speaks the open device protocol of nextAuth, with the words of the vendor's SDK.
///
/// A value that holds all that a real installation keeps, so that it can be stored and copied; a copy is a stolen device. It knows the
/// protocol from its description and nothing of the server's code. The services are given with each call.
///
/// Source: nextAuth's documentation of the Mobile SDK, versions 2 and 3, for names and order of what an app sees; the wire is the
/// emulator's own, as the vendor's is not public. Not emulated: the WebSocket of events, in whose place it asks.
package struct NextAuthDevice: Sendable, Codable {
    /// An account of the installation. Its key never leaves the device.
    package struct Account: Sendable, Codable, Equatable {
        package let id: Int
        package let serverID: String
        /// The name that the enrolment code gave.
        package internal(set) var username: String
        /// Nil as long as no back end has named a user.
        package internal(set) var userID: String?
        /// Has no second factor.
        package let isHeadless: Bool
        let key: AccountKey
    }

    /// A login that lasts, or one-shot one that was told.
    package struct Session: Sendable, Codable, Equatable {
        package let id: String
        package let account: Int
        package let isAppLogin: Bool
        /// What the app hands its back end; of an AppLogin alone.
        package let webNonce: String?
        package let username: String
        /// Seconds in which a ping is due; 0 for a one-shot login.
        package let pingTime: Int
    }

    package let id: String
    let token: String
    package internal(set) var accounts: [Account] = []
    /// Those that run, as far as the device knows.
    package internal(set) var sessions: [Session] = []
    /// Number of the newest event that was read.
    package internal(set) var lastEvent = 0
    /// Stands in for the PIN once it is set up.
    var biometry: AccountKey?
    /// Of an enrolment that is under way.
    var newKey: AccountKey?
    package var config = Config()
    package var faults = Faults()

    private enum CodingKeys: String, CodingKey {
        case id, token, accounts, sessions, lastEvent, biometry, newKey, config
    }

    /// The AppLogin that runs.
    package var appLogin: Session? { sessions.first(where: \.isAppLogin) }

    package var hasBiometry: Bool { biometry != nil }

    func account(_ id: Int) throws -> Account {
        guard let account = accounts.first(where: { $0.id == id }) else {
            throw DeviceError("the device has no account \(id)")
        }
        return account
    }

    /// What the app's configuration says of each flow; what is nil is left out. Durations in seconds.
    package struct Config: Sendable, Codable, Equatable {
        package var singleAccount: Bool?
        package var autoSelectSingleAccount: Bool?
        package var alwaysRequireSecondFactorIfInactiveAppLogin: Bool?
        package var blockSecondFactorOnPINBlocked: Bool?
        package var inactivityTimeout: Int?
        package var appLoginTimeout: Int?
        package var secondFactorUserInputTimeout: Int?
        /// The device's own business, of which no server hears.
        package var biometricsDisabled: Bool?

        package init() {}

        var json: JSONValue {
            let flags = [
                "singleAccount": singleAccount, "autoSelectSingleAccount": autoSelectSingleAccount,
                "alwaysRequireSecondFactorIfInactiveAppLogin": alwaysRequireSecondFactorIfInactiveAppLogin,
                "blockSecondFactorOnPINBlocked": blockSecondFactorOnPINBlocked,
            ]
            let numbers = [
                "inactivityTimeout": inactivityTimeout, "appLoginTimeout": appLoginTimeout,
                "secondFactorUserInputTimeout": secondFactorUserInputTimeout,
            ]
            let members = flags.compactMapValues { $0.map(JSONValue.boolean) }
            return .object(members.merging(numbers.compactMapValues { $0.map(JSONValue.integer) }) { $1 })
        }
    }

    /// Mistakes that the device makes on purpose; each is off by default, and none is stored.
    package struct Faults: Sendable {
        /// Sends each request twice and takes the second answer.
        package var sendsTwice = false
        /// Signs another text than the one that is due.
        package var breaksSignature = false
        /// Answers this challenge instead of the newest one, in base64url.
        package var challenge: String?
        /// Signs with the key of this account.
        package var signer: Int?
        /// Signs the opposite of what the user decided.
        package var signsOtherDecision = false
        /// Sent in place of the device's token.
        package var token: String?

        package init() {}
    }
}
