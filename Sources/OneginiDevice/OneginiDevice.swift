package import DeviceKit
import Essentials

/// An app with the SDK of the token server in software: registers, logs users in by PIN, enrols for mobile authentication and answers
/// what a QR code or a push asks.
///
/// A value that holds all that a real installation keeps, so that it can be stored and copied; a copy is a stolen device. It knows the
/// open device protocol from its description and nothing of the server's code. The services are given with each call.
///
/// Source: Onegini's documentation of the SDKs for what happens in which order, and their headers for the errors; the wire is the
/// emulator's own, as the vendor's is not public. Not emulated: fingerprint and custom authenticators, payload encryption, keys other
/// than RSA.
package struct OneginiDevice: Sendable, Codable {
    /// What an app is built with.
    package struct Configuration: Sendable, Codable, Equatable {
        /// `app_identifier`
        package let application: String
        /// `ios` or `android`
        package let platform: String
        package let version: String
        /// Of the binary, by which the server knows the app.
        package let signature: String
        package let osVersion: String

        package init(
            application: String, platform: String, version: String, signature: String,
            osVersion: String = "18.1"
        ) {
            (self.application, self.platform, self.version) = (application, platform, version)
            (self.signature, self.osVersion) = (signature, osVersion)
        }
    }

    /// The dynamic client that the server made.
    struct Client: Sendable, Codable, Equatable {
        let id: String
        let secret: String
        let redirectURI: String
    }

    /// A user on the device.
    package struct Profile: Sendable, Codable, Equatable {
        package let id: String
        /// The refresh token under the mask of the PIN; 32 bytes.
        var masked: [UInt8]
        /// There once mobile authentication is enrolled.
        var key: PGPKey?
        /// The server's certificate in armor.
        var serverKey: String?

        package var isEnrolled: Bool { serverKey != nil }
    }

    /// A user who is logged in.
    struct Session: Sendable, Codable, Equatable {
        let profile: String
        let accessToken: String
    }

    /// A login in a browser that is under way.
    struct Login: Sendable, Codable, Equatable {
        let state: String
        let verifier: String
    }

    package let configuration: Configuration
    var client: Client?
    package internal(set) var profiles: [Profile] = []
    var session: Session?
    var login: Login?
    package var faults = Faults()

    private enum CodingKeys: String, CodingKey {
        case configuration, client, profiles, session, login
    }

    package init(_ configuration: Configuration) { self.configuration = configuration }

    /// Id of the device at the server; nil before the registration.
    package var clientID: String? { client?.id }
    /// Of the user who is logged in.
    package var accessToken: String? { session?.accessToken }
    /// The profile that is logged in.
    package var activeProfile: Profile? {
        session.flatMap { session in profiles.first { $0.id == session.profile } }
    }

    /// What a thief has who copied what the device stores: no PIN, and no access token, which is assumed to be in memory alone.
    package var copied: OneginiDevice {
        var copy = self
        copy.session = nil
        copy.faults.lacksPIN = true
        return copy
    }

    /// Mistakes that the device makes on purpose; each is off by default, and none is stored.
    package struct Faults: Sendable {
        /// Sends each request twice and takes the second answer.
        package var sendsTwice = false
        /// In place of the application's, as of a changed binary.
        package var signature: String?
        /// By which the device's clock is off.
        package var minutesOff = 0
        /// Sent as the access token.
        package var accessToken: String?
        /// Answers this challenge instead of the one that was read.
        package var challenge: String?
        /// Answers for this transaction.
        package var transactionID: String?
        /// Turns a bit of the encrypted answer.
        package var breaksMessage = false
        /// Signs answers with this key, a PEM, instead of the enrolled one.
        package var signingKey: String?
        /// Signs these data in the place of what was to be signed.
        package var signedData: String?
        /// Of the answers' form.
        package var version = 1
        /// Nobody types a PIN: the refresh token goes out under its mask.
        package var lacksPIN = false

        package init() {}
    }
}

extension OneginiDevice {
    /// A number as the headers of the SDK for iOS name it. Source: `ONGErrors.h` of its releases since 2018.
    package static func sdkError(_ number: Int) -> SDKRefusal.SDKError {
        let names = [
            9000: "ONGGenericErrorNetworkConnectivityFailure", 9001: "ONGGenericErrorServerNotReachable",
            9002: "ONGGenericErrorDeviceDeregistered", 9003: "ONGGenericErrorUserDeregistered",
            9004: "ONGGenericErrorOutdatedApplication", 9005: "ONGGenericErrorOutdatedOS",
            9008: "ONGGenericErrorDeviceRegistrationFailure", 9009: "ONGAuthenticationErrorInvalidPin",
            9010: "ONGMobileAuthRequestErrorUserNotAuthenticated",
            9011: "ONGPinValidationErrorPinBlackListed",
            9012: "ONGPinValidationErrorPinShouldNotBeASequence",
            9013: "ONGPinValidationErrorPinShouldNotUseSimilarDigits",
            9014: "ONGPinValidationErrorWrongPinLength",
            9016: "ONGMobileAuthEnrollmentErrorDeviceAlreadyEnrolled",
            9017: "ONGMobileAuthEnrollmentErrorEnrollmentNotAvailable",
            9018: "ONGMobileAuthEnrollmentErrorUserAlreadyEnrolled",
            9020: "ONGMobileAuthRequestErrorUserDisenrolled", 9021: "ONGMobileAuthRequestErrorNotEnrolled",
            9029: "ONGMobileAuthRequestErrorAlreadyHandled", 9031: "ONGGenericErrorInvalidDateTime",
            9033: "ONGMobileAuthEnrollmentErrorStatelessUser", 10002: "ONGRegistrationErrorInvalidState",
            10013: "ONGMobileAuthRequestErrorNotFound", 10015: "ONGGenericErrorRequestInvalid",
            10018: "ONGMobileAuthRequestErrorNotHandleable",
            10022: "ONGRegistrationErrorCustomRegistrationFailure",
            10023: "ONGAppToWebSingleSignOnErrorAppToWebSingleSignOnDisabled",
            10024: "ONGGenericErrorAppIntegrityFailure",
        ]
        return .init(names[number] ?? "ONGGenericErrorUnknown", number)
    }
}
