// A stand-in for Onegini's (OneWelcome's) SDK for iOS, for tests against Understudy. Not the vendor's code: it has the names of the vendor's public
// guides, headers and example app, those with ONG (up to version 11) and those of versions 12 and 13, and speaks Understudy's open device
// protocol. understudy stub OneginiSDK.swift > OneginiSDK.swift; how to put it into a project, and how to swap it back: /docs/stubs.md.
//
// It fits Understudy @VERSION@; after an update of the program take it anew. Needs Swift 5.9 or later, Foundation and CryptoKit.
// Put it into a module called OneginiSDKiOS, and “import OneginiSDKiOS” stays as it is. It takes the application from the class
// OneginiConfigModel that the console's home page prints, by ONGClientBuilder or ClientBuilder, or by the only call that the vendor's SDK does
// not have:
//
//     ONGClient.connect("http://localhost:8420/oauth", application: "com.example.understudy", version: "1.0.0", signature: "understudy-ios-1.0.0")
//
// Mobile authentication uses the device protocol's simple level, a P-256 key in the place of OpenPGP. Not emulated, and said so as an error
// 10000: biometry and authenticators of the app's own, implicit and stateless authentication, the authentication of a device alone, pushes
// that ask for a PIN, a fingerprint or an authenticator of the app's own. Pushes are not delivered;
// pendingPushMobileAuthRequests fetches them. The names of ONG can be called from Objective-C, but for the domains of errors and for identity
// providers of the app's own; import "OneginiSDKiOS-Swift.h" in the place of the vendor's header. The device counts as neither jailbroken nor
// tampered with. The refresh token stands in a file under the mask of the PIN, its keys are software keys.

import CryptoKit
import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// MARK: Errors

// An error that an app gets is an NSError with one of these numbers, those of the vendor's headers, as its code. The values of the domains are
// the stub's own.

public let ONGGenericErrorDomain = "com.onegini.error.generic"
public let ONGPinValidationErrorDomain = "com.onegini.error.pinValidation"
public let ONGRegistrationErrorDomain = "com.onegini.error.registration"
public let ONGAuthenticationErrorDomain = "com.onegini.error.authentication"
public let ONGChangePinErrorDomain = "com.onegini.error.changePin"
public let ONGLogoutErrorDomain = "com.onegini.error.logout"
public let ONGDeregistrationErrorDomain = "com.onegini.error.deregistration"
public let ONGAuthenticatorRegistrationErrorDomain = "com.onegini.error.authenticatorRegistration"
public let ONGAuthenticatorDeregistrationErrorDomain = "com.onegini.error.authenticatorDeregistration"
public let ONGMobileAuthEnrollmentErrorDomain = "com.onegini.error.mobileAuthEnrollment"
public let ONGMobileAuthRequestErrorDomain = "com.onegini.error.mobileAuthRequest"
public let ONGFetchResourceErrorDomain = "com.onegini.error.fetchResource"
public let ONGFetchImplicitResourceErrorDomain = "com.onegini.error.fetchImplicitResource"
public let ONGAppToWebSingleSignOnErrorDomain = "com.onegini.error.appToWebSingleSignOn"
/// In `userInfo`, of `wrongPinLength` and `pinShouldNotUseSimilarDigits`.
public let ONGPinValidationErrorRequiredLengthKey = "requiredLength"
public let ONGPinValidationErrorMaxSimilarDigitsKey = "maxSimilarDigits"

/// The same, as versions 12 and 13 spell them.
public enum ErrorDomains {
    public static let generic = ONGGenericErrorDomain, pinValidation = ONGPinValidationErrorDomain
    public static let registration = ONGRegistrationErrorDomain, authentication = ONGAuthenticationErrorDomain
    public static let changePin = ONGChangePinErrorDomain, logout = ONGLogoutErrorDomain
    public static let deregistration = ONGDeregistrationErrorDomain
    public static let authenticatorRegistration = ONGAuthenticatorRegistrationErrorDomain
    public static let authenticatorDeregistration = ONGAuthenticatorDeregistrationErrorDomain
    public static let mobileAuthEnrollment = ONGMobileAuthEnrollmentErrorDomain
    public static let mobileAuthRequest = ONGMobileAuthRequestErrorDomain
    public static let fetchResource = ONGFetchResourceErrorDomain
    public static let fetchImplicitResource = ONGFetchImplicitResourceErrorDomain
    public static let appToWebSingleSignOn = ONGAppToWebSingleSignOnErrorDomain
    public static let pinValidationErrorRequiredLengthKey = ONGPinValidationErrorRequiredLengthKey
    public static let pinValidationErrorMaxSimilarDigitsKey = ONGPinValidationErrorMaxSimilarDigitsKey
}

#if canImport(ObjectiveC)
    @objc
#endif
public enum ONGGenericError: Int, Sendable, CaseIterable {
    case networkConnectivityFailure = 9000, serverNotReachable = 9001, deviceDeregistered = 9002,
        userDeregistered = 9003
    case outdatedApplication = 9004, outdatedOS = 9005, actionCancelled = 9006, actionAlreadyInProgress = 9007
    case deviceRegistrationFailure = 9008, unrecoverableDataState = 9025, invalidDateTime = 9031
    case unknown = 10000, configurationInvalid = 10001, requestInvalid = 10015, appIntegrityFailure = 10024
}

#if canImport(ObjectiveC)
    @objc
#endif
public enum ONGPinValidationError: Int, Sendable {
    case pinBlackListed = 9011, pinShouldNotBeASequence = 9012, pinShouldNotUseSimilarDigits = 9013,
        wrongPinLength = 9014
}

#if canImport(ObjectiveC)
    @objc
#endif
public enum ONGRegistrationError: Int, Sendable {
    case stateless = 9034, identityProviderInvalid = 10020, customRegistrationExpired = 10021,
        customRegistrationFailure = 10022
}

#if canImport(ObjectiveC)
    @objc
#endif
public enum ONGAuthenticationError: Int, Sendable {
    case invalidPin = 9009, authenticatorInvalid = 9015, authenticatorDeregistered = 9022
    case customAuthenticatorFailure = 9027, biometricAuthenticatorFailure = 9030
    case authenticatorNotRegistered = 10007, customAuthenticationDisabled = 10017
    public static let touchIDAuthenticatorFailure = biometricAuthenticatorFailure
}

#if canImport(ObjectiveC)
    @objc
#endif
public enum ONGChangePinError: Int, Sendable { case userNotAuthenticated = 9010, statelessUser = 9033 }

#if canImport(ObjectiveC)
    @objc
#endif
public enum ONGLogoutError: Int, Sendable { case localLogout = 10009 }

#if canImport(ObjectiveC)
    @objc
#endif
public enum ONGDeregistrationError: Int, Sendable { case localDeregistration = 10003 }

#if canImport(ObjectiveC)
    @objc
#endif
public enum ONGAuthenticatorRegistrationError: Int, Sendable {
    case userNotAuthenticated = 9010, authenticatorInvalid = 9015, customAuthenticatorFailure = 9027
    case authenticatorAlreadyRegistered = 10004, authenticatorNotSupported = 10006,
        customAuthenticationDisabled = 10017
}

#if canImport(ObjectiveC)
    @objc
#endif
public enum ONGAuthenticatorDeregistrationError: Int, Sendable {
    case userNotAuthenticated = 9010, customAuthenticatorFailure = 9027, deregisteredLocally = 10003
    case authenticatorNotSupported = 10006, authenticatorNotRegistered = 10007, pinDeregistrationNotPossible = 10008
    public static let deregistrationErrorUserNotAuthenticated = userNotAuthenticated
    public static let deregistrationErrorDeregisteredLocally = deregisteredLocally
}

#if canImport(ObjectiveC)
    @objc
#endif
public enum ONGMobileAuthEnrollmentError: Int, Sendable {
    case userNotAuthenticated = 9010, deviceAlreadyEnrolled = 9016, enrollmentNotAvailable = 9017
    case userAlreadyEnrolled = 9018, notEnrolled = 9021, statelessUser = 9033
}

#if canImport(ObjectiveC)
    @objc
#endif
public enum ONGMobileAuthRequestError: Int, Sendable {
    case userNotAuthenticated = 9010, userDisenrolled = 9020, notEnrolled = 9021, alreadyHandled = 9029
    case notFound = 10013, notHandleable = 10018
}

#if canImport(ObjectiveC)
    @objc
#endif
public enum ONGFetchResourceError: Int, Sendable {
    case userNotAuthenticated = 9010, invalidMethod = 10010, deviceNotAuthenticated = 10012, invalidHeaders = 10019
}

#if canImport(ObjectiveC)
    @objc
#endif
public enum ONGFetchResourceImplicitlyError: Int, Sendable {
    case userNotAuthenticatedImplicitly = 9026
    public static let implicitResourceErrorUserNotAuthenticatedImplicitly = userNotAuthenticatedImplicitly
}

#if canImport(ObjectiveC)
    @objc
#endif
public enum ONGAppToWebSingleSignOnError: Int, Sendable {
    case userNotAuthenticated = 9010, singleSignOnDisabled = 10023
}

public typealias GenericError = ONGGenericError
public typealias PinValidationError = ONGPinValidationError
public typealias RegistrationError = ONGRegistrationError
public typealias AuthenticationError = ONGAuthenticationError
public typealias ChangePinError = ONGChangePinError
public typealias LogoutError = ONGLogoutError
public typealias DeregistrationError = ONGDeregistrationError
public typealias AuthenticatorRegistrationError = ONGAuthenticatorRegistrationError
public typealias AuthenticatorDeregistrationError = ONGAuthenticatorDeregistrationError
public typealias MobileAuthEnrollmentError = ONGMobileAuthEnrollmentError
public typealias MobileAuthRequestError = ONGMobileAuthRequestError
public typealias FetchResourceError = ONGFetchResourceError
public typealias FetchResourceImplicitlyError = ONGFetchResourceImplicitlyError
public typealias AppToWebSingleSignOnError = ONGAppToWebSingleSignOnError

// MARK: What an app handles

#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class ONGUserProfile: NSObject, Sendable {
    public let profileId: String

    public init(profileId: String) { self.profileId = profileId }
    public override convenience init() { self.init(profileId: "") }

    public override func isEqual(_ object: Any?) -> Bool { (object as? ONGUserProfile)?.profileId == profileId }
    @nonobjc public func isEqual(to profile: ONGUserProfile?) -> Bool { profile?.profileId == profileId }
    public override var hash: Int { profileId.hashValue }
}

/// A way to register, of the application's settings or of the app's own.
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class ONGIdentityProvider: NSObject, Sendable {
    public let identifier, name: String

    fileprivate init(_ identifier: String, _ name: String) { (self.identifier, self.name) = (identifier, name) }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? ONGIdentityProvider)?.identifier == identifier
    }
    public override var hash: Int { identifier.hashValue }
}

#if canImport(ObjectiveC)
    @objc
#endif
public enum ONGAuthenticatorType: UInt, Sendable {
    case pin = 1, biometric = 2, custom = 3
    public static let PIN = pin, touchID = biometric
}

/// The stub has the PIN alone.
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class ONGAuthenticator: NSObject, Sendable {
    public let identifier = "PIN", name = "PIN"
    public let type = ONGAuthenticatorType.pin
    public let isRegistered = true, isPreferred = true

    public override func isEqual(_ object: Any?) -> Bool { object is ONGAuthenticator }
    public override var hash: Int { identifier.hashValue }
}

/// `status`: 2000 to 2999 means success, 4000 to 4999 try again, from 5000 on it is over.
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class ONGCustomInfo: NSObject, Sendable {
    public let status: Int
    public let data: String

    fileprivate init(_ status: Int, _ data: String) { (self.status, self.data) = (status, data) }
}

#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class ONGMobileAuthRequest: NSObject, Sendable {
    public let userProfile: ONGUserProfile
    /// Name of the configured type.
    public let type: String
    public let message: String?
    public let transactionId: String?
    /// What the portal sent to be signed.
    public let signingData: String?

    fileprivate init(_ profile: ONGUserProfile, _ told: [String: Any], id: String?) {
        (userProfile, transactionId) = (profile, id)
        type = told["type"] as? String ?? ""
        (message, signingData) = (told["message"] as? String, told["signing_data"] as? String)
    }
}

/// `timeToLive`: in seconds.
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class ONGPendingMobileAuthRequest: NSObject, Sendable {
    public let transactionId: String
    public let userProfile: ONGUserProfile?
    public let message: String?
    public let date: Date?
    public let timeToLive: NSNumber?

    fileprivate init?(_ told: [AnyHashable: Any]) {
        guard let id = told["transaction_id"] as? String else { return nil }
        transactionId = id
        userProfile = (told["profile_id"] as? String).map { ONGUserProfile(profileId: $0) }
        message = told["message"] as? String
        date = (told["date"] as? NSNumber).map { Date(timeIntervalSince1970: $0.doubleValue / 1000) }
        timeToLive = (told["time_to_live"] as? NSNumber).map { NSNumber(value: $0.intValue / 1000) }
    }
}

#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class ONGBrowserRegistrationChallenge: NSObject, Sendable {
    public let identityProvider: ONGIdentityProvider
    /// To be opened in a browser.
    public let url: URL
    public let sender: ONGChallengeSender

    fileprivate init(_ provider: ONGIdentityProvider, _ url: URL, _ sender: ONGChallengeSender) {
        (identityProvider, self.url, self.sender) = (provider, url, sender)
    }
}

/// Of an identity provider of the app's own.
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class ONGCustomRegistrationChallenge: NSObject, Sendable {
    public let identityProvider: ONGIdentityProvider
    public let info: ONGCustomInfo?
    public let sender: ONGChallengeSender

    fileprivate init(_ provider: ONGIdentityProvider, _ info: ONGCustomInfo?, _ sender: ONGChallengeSender) {
        (identityProvider, self.info, self.sender) = (provider, info, sender)
    }
}

#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class ONGCreatePinChallenge: NSObject, @unchecked Sendable {
    public let userProfile: ONGUserProfile
    public let pinLength: UInt
    /// Why the last PIN was not taken; nil the first time.
    public let error: NSError?
    public let sender: ONGChallengeSender

    fileprivate init(_ profile: ONGUserProfile, _ length: Int, _ error: NSError?, _ sender: ONGChallengeSender) {
        (userProfile, pinLength, self.error, self.sender) = (profile, UInt(max(0, length)), error, sender)
    }
}

#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class ONGPinChallenge: NSObject, @unchecked Sendable {
    public let userProfile: ONGUserProfile
    public let maxFailureCount, previousFailureCount, remainingFailureCount: UInt
    /// `ONGAuthenticationError.invalidPin` behind a wrong PIN; nil the first time.
    public let error: NSError?
    public let sender: ONGChallengeSender

    fileprivate init(_ profile: ONGUserProfile, used: Int, left: Int, _ error: NSError?, _ sender: ONGChallengeSender) {
        (userProfile, self.error, self.sender) = (profile, error, sender)
        (previousFailureCount, remainingFailureCount) = (UInt(max(0, used)), UInt(max(0, left)))
        maxFailureCount = previousFailureCount + remainingFailureCount
    }
}

// Of authenticators other than the PIN, which are not emulated: the stub makes none of these.

#if canImport(ObjectiveC)
    @objcMembers
#endif
public class ONGUnusedChallenge: NSObject {
    public let userProfile: ONGUserProfile
    public let sender: ONGChallengeSender

    fileprivate init(_ profile: ONGUserProfile, _ sender: ONGChallengeSender) {
        (userProfile, self.sender) = (profile, sender)
    }
}
public final class ONGBiometricChallenge: ONGUnusedChallenge {}
public final class ONGCustomAuthFinishRegistrationChallenge: ONGUnusedChallenge {}
public final class ONGCustomAuthFinishAuthenticationChallenge: ONGUnusedChallenge {}
public final class ONGCustomAuthDeregistrationChallenge: ONGUnusedChallenge {}

public typealias UserProfile = ONGUserProfile
public typealias IdentityProvider = ONGIdentityProvider
public typealias AuthenticatorType = ONGAuthenticatorType
public typealias Authenticator = ONGAuthenticator
public typealias CustomInfo = ONGCustomInfo
public typealias MobileAuthRequest = ONGMobileAuthRequest
public typealias PendingMobileAuthRequest = ONGPendingMobileAuthRequest
public typealias BrowserRegistrationChallenge = ONGBrowserRegistrationChallenge
public typealias CustomRegistrationChallenge = ONGCustomRegistrationChallenge
public typealias CreatePinChallenge = ONGCreatePinChallenge
public typealias PinChallenge = ONGPinChallenge
public typealias BiometricChallenge = ONGBiometricChallenge
public typealias CustomAuthFinishRegistrationChallenge = ONGCustomAuthFinishRegistrationChallenge
public typealias CustomAuthFinishAuthenticationChallenge = ONGCustomAuthFinishAuthenticationChallenge
public typealias CustomAuthDeregistrationChallenge = ONGCustomAuthDeregistrationChallenge

/// Takes the answer to one challenge, once.
public final class ONGChallengeSender: NSObject, @unchecked Sendable {
    /// What the app gave; nil is nothing, which custom registration takes as an answer.
    fileprivate enum Reply: Sendable { case text(String?), cancelled }

    private let lock = NSLock()
    private var answer: (@Sendable (Reply) -> Void)?

    fileprivate init(_ answer: @escaping @Sendable (Reply) -> Void) { self.answer = answer }

    /// The address to which the browser was sent.
    public func respond(with url: URL, challenge: ONGBrowserRegistrationChallenge) { give(.text(url.absoluteString)) }
    public func respond(withData data: String?, challenge: ONGCustomRegistrationChallenge) { give(.text(data)) }
    public func respond(withCreatedPin pin: String, challenge: ONGCreatePinChallenge) { give(.text(pin)) }
    public func respond(withPin pin: String, challenge: ONGPinChallenge) { give(.text(pin)) }
    public func respond(withData data: String?, challenge: ONGUnusedChallenge) { give(.text(data)) }
    public func respondWithDefaultPrompt(for challenge: ONGBiometricChallenge) { give(.text(nil)) }
    public func `continue`(with challenge: ONGCustomAuthDeregistrationChallenge) { give(.text(nil)) }
    public func cancel(_ challenge: ONGBrowserRegistrationChallenge) { give(.cancelled) }
    public func cancel(_ challenge: ONGCustomRegistrationChallenge) { give(.cancelled) }
    public func cancel(_ challenge: ONGCreatePinChallenge) { give(.cancelled) }
    public func cancel(_ challenge: ONGPinChallenge) { give(.cancelled) }
    public func cancel(_ challenge: ONGUnusedChallenge) { give(.cancelled) }
    public func cancel(_ challenge: ONGUnusedChallenge, underlyingError: Error?) { give(.cancelled) }

    // Versions 12 and 13.
    public func respond(with url: URL, to challenge: ONGBrowserRegistrationChallenge) { give(.text(url.absoluteString)) }
    public func respond(with data: String?, to challenge: ONGCustomRegistrationChallenge) { give(.text(data)) }
    public func respond(with pin: String, to challenge: ONGCreatePinChallenge) { give(.text(pin)) }
    public func respond(with pin: String, to challenge: ONGPinChallenge) { give(.text(pin)) }
    public func respond(with data: String?, to challenge: ONGUnusedChallenge) { give(.text(data)) }
    public func proceed(with challenge: ONGCustomAuthDeregistrationChallenge) { give(.text(nil)) }
    public func cancel(_ challenge: ONGCustomRegistrationChallenge, withUnderlyingError: Error?) { give(.cancelled) }

    fileprivate func give(_ reply: Reply) {
        let answer = lock.withLock { () -> (@Sendable (Reply) -> Void)? in
            defer { self.answer = nil }
            return self.answer
        }
        answer?(reply)
    }
}

// MARK: Requests to resources

#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class ONGResourceRequest: NSObject, Sendable {
    public let path, method: String
    public let headers: [String: String]
    public let body: Data?

    /// `path`: below the resource base URL.
    public init(path: String, method: String, headers: [String: String] = [:], body: Data? = nil) {
        (self.path, self.method, self.headers, self.body) = (path, method, headers, body)
    }
}

#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class ONGResourceResponse: NSObject, Sendable {
    public let statusCode: Int
    public let allHeaderFields: [String: String]
    public let data: Data?

    fileprivate init(_ status: Int, _ headers: [String: String], _ data: Data) {
        (statusCode, allHeaderFields, self.data) = (status, headers, data)
    }
}

public typealias ResourceRequest = ONGResourceRequest
public typealias ResourceResponse = ONGResourceResponse
public enum HTTPMethod: String, Sendable {
    case get = "GET", post = "POST", put = "PUT", delete = "DELETE", patch = "PATCH", head = "HEAD"
}

public enum ResourceRequestFactory {
    public static func makeResourceRequest(
        path: String, method: HTTPMethod = .get, headers: [String: String]? = nil, body: Data? = nil
    ) -> ResourceRequest {
        ONGResourceRequest(path: path, method: method.rawValue, headers: headers ?? [:], body: body)
    }
}

// MARK: What an app hears, with the names of ONG

// All of it on the main thread, and each method optional.

public protocol ONGRegistrationDelegate: AnyObject {
    @MainActor func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGBrowserRegistrationChallenge)
    @MainActor func userClient(_ userClient: ONGUserClient, didReceivePinRegistrationChallenge challenge: ONGCreatePinChallenge)
    @MainActor func userClient(_ userClient: ONGUserClient, didReceiveCustomRegistrationInitChallenge challenge: ONGCustomRegistrationChallenge)
    @MainActor func userClient(_ userClient: ONGUserClient, didReceiveCustomRegistrationFinish challenge: ONGCustomRegistrationChallenge)
    @MainActor func userClient(_ userClient: ONGUserClient, didRegisterUser userProfile: ONGUserProfile, identityProvider: ONGIdentityProvider, info: ONGCustomInfo?)
    @MainActor func userClient(_ userClient: ONGUserClient, didFailToRegisterWith identityProvider: ONGIdentityProvider, error: Error)
}

extension ONGRegistrationDelegate {
    public func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGBrowserRegistrationChallenge) {}
    public func userClient(_ userClient: ONGUserClient, didReceivePinRegistrationChallenge challenge: ONGCreatePinChallenge) {}
    public func userClient(_ userClient: ONGUserClient, didReceiveCustomRegistrationInitChallenge challenge: ONGCustomRegistrationChallenge) {}
    public func userClient(_ userClient: ONGUserClient, didReceiveCustomRegistrationFinish challenge: ONGCustomRegistrationChallenge) {}
    public func userClient(_ userClient: ONGUserClient, didRegisterUser userProfile: ONGUserProfile, identityProvider: ONGIdentityProvider, info: ONGCustomInfo?) {}
    public func userClient(_ userClient: ONGUserClient, didFailToRegisterWith identityProvider: ONGIdentityProvider, error: Error) {}
}

public protocol ONGAuthenticationDelegate: AnyObject {
    @MainActor func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGPinChallenge)
    @MainActor func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGBiometricChallenge)
    @MainActor func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGCustomAuthFinishAuthenticationChallenge)
    @MainActor func userClient(_ userClient: ONGUserClient, didAuthenticateUser userProfile: ONGUserProfile, authenticator: ONGAuthenticator, info customAuthInfo: ONGCustomInfo?)
    @MainActor func userClient(_ userClient: ONGUserClient, didFailToAuthenticateUser userProfile: ONGUserProfile, authenticator: ONGAuthenticator, error: Error)
}

extension ONGAuthenticationDelegate {
    public func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGPinChallenge) {}
    public func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGBiometricChallenge) {}
    public func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGCustomAuthFinishAuthenticationChallenge) {}
    public func userClient(_ userClient: ONGUserClient, didAuthenticateUser userProfile: ONGUserProfile, authenticator: ONGAuthenticator, info customAuthInfo: ONGCustomInfo?) {}
    public func userClient(_ userClient: ONGUserClient, didFailToAuthenticateUser userProfile: ONGUserProfile, authenticator: ONGAuthenticator, error: Error) {}
}

public protocol ONGChangePinDelegate: AnyObject {
    @MainActor func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGPinChallenge)
    @MainActor func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGCreatePinChallenge)
    @MainActor func userClient(_ userClient: ONGUserClient, didChangePinForUser userProfile: ONGUserProfile)
    @MainActor func userClient(_ userClient: ONGUserClient, didFailToChangePinForUser userProfile: ONGUserProfile, error: Error)
}

extension ONGChangePinDelegate {
    public func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGPinChallenge) {}
    public func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGCreatePinChallenge) {}
    public func userClient(_ userClient: ONGUserClient, didChangePinForUser userProfile: ONGUserProfile) {}
    public func userClient(_ userClient: ONGUserClient, didFailToChangePinForUser userProfile: ONGUserProfile, error: Error) {}
}

public protocol ONGAuthenticatorRegistrationDelegate: AnyObject {
    @MainActor func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGPinChallenge)
    @MainActor func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGCustomAuthFinishRegistrationChallenge)
    @MainActor func userClient(_ userClient: ONGUserClient, didRegister authenticator: ONGAuthenticator, forUser userProfile: ONGUserProfile, info customAuthInfo: ONGCustomInfo?)
    @MainActor func userClient(_ userClient: ONGUserClient, didFailToRegister authenticator: ONGAuthenticator, forUser userProfile: ONGUserProfile, error: Error)
}

extension ONGAuthenticatorRegistrationDelegate {
    public func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGPinChallenge) {}
    public func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGCustomAuthFinishRegistrationChallenge) {}
    public func userClient(_ userClient: ONGUserClient, didRegister authenticator: ONGAuthenticator, forUser userProfile: ONGUserProfile, info customAuthInfo: ONGCustomInfo?) {}
    public func userClient(_ userClient: ONGUserClient, didFailToRegister authenticator: ONGAuthenticator, forUser userProfile: ONGUserProfile, error: Error) {}
}

public protocol ONGAuthenticatorDeregistrationDelegate: AnyObject {
    @MainActor func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGCustomAuthDeregistrationChallenge)
    @MainActor func userClient(_ userClient: ONGUserClient, didDeregister authenticator: ONGAuthenticator, forUser userProfile: ONGUserProfile)
    @MainActor func userClient(_ userClient: ONGUserClient, didFailToDeregister authenticator: ONGAuthenticator, forUser userProfile: ONGUserProfile, error: Error)
}

extension ONGAuthenticatorDeregistrationDelegate {
    public func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGCustomAuthDeregistrationChallenge) {}
    public func userClient(_ userClient: ONGUserClient, didDeregister authenticator: ONGAuthenticator, forUser userProfile: ONGUserProfile) {}
    public func userClient(_ userClient: ONGUserClient, didFailToDeregister authenticator: ONGAuthenticator, forUser userProfile: ONGUserProfile, error: Error) {}
}

/// A user who denies is told so as `ONGGenericError.actionCancelled`, once the server knows; that is assumed.
public protocol ONGMobileAuthRequestDelegate: AnyObject {
    @MainActor func userClient(_ userClient: ONGUserClient, didReceiveConfirmationChallenge confirmation: @escaping (Bool) -> Void, for request: ONGMobileAuthRequest)
    @MainActor func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGPinChallenge, for request: ONGMobileAuthRequest)
    @MainActor func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGBiometricChallenge, for request: ONGMobileAuthRequest)
    @MainActor func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGCustomAuthFinishAuthenticationChallenge, for request: ONGMobileAuthRequest)
    @MainActor func userClient(_ userClient: ONGUserClient, didHandle request: ONGMobileAuthRequest, authenticator: ONGAuthenticator?, info customAuthenticatorInfo: ONGCustomInfo?)
    @MainActor func userClient(_ userClient: ONGUserClient, didFailToHandle request: ONGMobileAuthRequest, authenticator: ONGAuthenticator?, error: Error)
}

extension ONGMobileAuthRequestDelegate {
    public func userClient(_ userClient: ONGUserClient, didReceiveConfirmationChallenge confirmation: @escaping (Bool) -> Void, for request: ONGMobileAuthRequest) {}
    public func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGPinChallenge, for request: ONGMobileAuthRequest) {}
    public func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGBiometricChallenge, for request: ONGMobileAuthRequest) {}
    public func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGCustomAuthFinishAuthenticationChallenge, for request: ONGMobileAuthRequest) {}
    public func userClient(_ userClient: ONGUserClient, didHandle request: ONGMobileAuthRequest, authenticator: ONGAuthenticator?, info customAuthenticatorInfo: ONGCustomInfo?) {}
    public func userClient(_ userClient: ONGUserClient, didFailToHandle request: ONGMobileAuthRequest, authenticator: ONGAuthenticator?, error: Error) {}
}

// MARK: What an app hears, with the names of versions 12 and 13

public protocol RegistrationDelegate: AnyObject {
    @MainActor func userClient(_ userClient: UserClient, didReceiveBrowserRegistrationChallenge challenge: BrowserRegistrationChallenge)
    @MainActor func userClient(_ userClient: UserClient, didReceiveCreatePinChallenge challenge: CreatePinChallenge)
    @MainActor func userClient(_ userClient: UserClient, didReceiveCustomRegistrationInitChallenge challenge: CustomRegistrationChallenge)
    @MainActor func userClient(_ userClient: UserClient, didReceiveCustomRegistrationFinishChallenge challenge: CustomRegistrationChallenge)
    @MainActor func userClient(_ userClient: UserClient, didRegisterUser userProfile: UserProfile, with identityProvider: IdentityProvider, info: CustomInfo?)
    @MainActor func userClient(_ userClient: UserClient, didFailToRegisterUserWith identityProvider: IdentityProvider, error: Error)
}

extension RegistrationDelegate {
    public func userClient(_ userClient: UserClient, didReceiveBrowserRegistrationChallenge challenge: BrowserRegistrationChallenge) {}
    public func userClient(_ userClient: UserClient, didReceiveCreatePinChallenge challenge: CreatePinChallenge) {}
    public func userClient(_ userClient: UserClient, didReceiveCustomRegistrationInitChallenge challenge: CustomRegistrationChallenge) {}
    public func userClient(_ userClient: UserClient, didReceiveCustomRegistrationFinishChallenge challenge: CustomRegistrationChallenge) {}
    public func userClient(_ userClient: UserClient, didRegisterUser userProfile: UserProfile, with identityProvider: IdentityProvider, info: CustomInfo?) {}
    public func userClient(_ userClient: UserClient, didFailToRegisterUserWith identityProvider: IdentityProvider, error: Error) {}
}

public protocol AuthenticationDelegate: AnyObject {
    @MainActor func userClient(_ userClient: UserClient, didReceivePinChallenge challenge: PinChallenge)
    @MainActor func userClient(_ userClient: UserClient, didReceiveBiometricChallenge challenge: BiometricChallenge)
    @MainActor func userClient(_ userClient: UserClient, didReceiveCustomAuthFinishAuthenticationChallenge challenge: CustomAuthFinishAuthenticationChallenge)
    @MainActor func userClient(_ userClient: UserClient, didAuthenticateUser userProfile: UserProfile, authenticator: Authenticator, info customAuthInfo: CustomInfo?)
    @MainActor func userClient(_ userClient: UserClient, didFailToAuthenticateUser userProfile: UserProfile, authenticator: Authenticator, error: Error)
}

extension AuthenticationDelegate {
    public func userClient(_ userClient: UserClient, didReceivePinChallenge challenge: PinChallenge) {}
    public func userClient(_ userClient: UserClient, didReceiveBiometricChallenge challenge: BiometricChallenge) {}
    public func userClient(_ userClient: UserClient, didReceiveCustomAuthFinishAuthenticationChallenge challenge: CustomAuthFinishAuthenticationChallenge) {}
    public func userClient(_ userClient: UserClient, didAuthenticateUser userProfile: UserProfile, authenticator: Authenticator, info customAuthInfo: CustomInfo?) {}
    public func userClient(_ userClient: UserClient, didFailToAuthenticateUser userProfile: UserProfile, authenticator: Authenticator, error: Error) {}
}

public protocol ChangePinDelegate: AnyObject {
    @MainActor func userClient(_ userClient: UserClient, didReceivePinChallenge challenge: PinChallenge)
    @MainActor func userClient(_ userClient: UserClient, didReceiveCreatePinChallenge challenge: CreatePinChallenge)
    @MainActor func userClient(_ userClient: UserClient, didChangePinForUser userProfile: UserProfile)
    @MainActor func userClient(_ userClient: UserClient, didFailToChangePinForUser userProfile: UserProfile, error: Error)
}

extension ChangePinDelegate {
    public func userClient(_ userClient: UserClient, didReceivePinChallenge challenge: PinChallenge) {}
    public func userClient(_ userClient: UserClient, didReceiveCreatePinChallenge challenge: CreatePinChallenge) {}
    public func userClient(_ userClient: UserClient, didChangePinForUser userProfile: UserProfile) {}
    public func userClient(_ userClient: UserClient, didFailToChangePinForUser userProfile: UserProfile, error: Error) {}
}

public protocol AuthenticatorRegistrationDelegate: AnyObject {
    @MainActor func userClient(_ userClient: UserClient, didReceivePinChallenge challenge: PinChallenge)
    @MainActor func userClient(_ userClient: UserClient, didReceiveCustomAuthFinishRegistrationChallenge challenge: CustomAuthFinishRegistrationChallenge)
    @MainActor func userClient(_ userClient: UserClient, didRegister authenticator: Authenticator, for userProfile: UserProfile, info customAuthInfo: CustomInfo?)
    @MainActor func userClient(_ userClient: UserClient, didFailToRegister authenticator: Authenticator, for userProfile: UserProfile, error: Error)
}

extension AuthenticatorRegistrationDelegate {
    public func userClient(_ userClient: UserClient, didReceivePinChallenge challenge: PinChallenge) {}
    public func userClient(_ userClient: UserClient, didReceiveCustomAuthFinishRegistrationChallenge challenge: CustomAuthFinishRegistrationChallenge) {}
    public func userClient(_ userClient: UserClient, didRegister authenticator: Authenticator, for userProfile: UserProfile, info customAuthInfo: CustomInfo?) {}
    public func userClient(_ userClient: UserClient, didFailToRegister authenticator: Authenticator, for userProfile: UserProfile, error: Error) {}
}

public protocol AuthenticatorDeregistrationDelegate: AnyObject {
    @MainActor func userClient(_ userClient: UserClient, didReceiveCustomAuthDeregistrationChallenge challenge: CustomAuthDeregistrationChallenge)
    @MainActor func userClient(_ userClient: UserClient, didDeregister authenticator: Authenticator, forUser userProfile: UserProfile)
    @MainActor func userClient(_ userClient: UserClient, didFailToDeregister authenticator: Authenticator, forUser userProfile: UserProfile, error: Error)
}

extension AuthenticatorDeregistrationDelegate {
    public func userClient(_ userClient: UserClient, didReceiveCustomAuthDeregistrationChallenge challenge: CustomAuthDeregistrationChallenge) {}
    public func userClient(_ userClient: UserClient, didDeregister authenticator: Authenticator, forUser userProfile: UserProfile) {}
    public func userClient(_ userClient: UserClient, didFailToDeregister authenticator: Authenticator, forUser userProfile: UserProfile, error: Error) {}
}

public protocol MobileAuthRequestDelegate: AnyObject {
    @MainActor func userClient(_ userClient: UserClient, didReceiveConfirmation confirmation: @escaping (Bool) -> Void, for request: MobileAuthRequest)
    @MainActor func userClient(_ userClient: UserClient, didReceivePinChallenge challenge: PinChallenge, for request: MobileAuthRequest)
    @MainActor func userClient(_ userClient: UserClient, didReceiveBiometricChallenge challenge: BiometricChallenge, for request: MobileAuthRequest)
    @MainActor func userClient(_ userClient: UserClient, didReceiveCustomAuthFinishAuthenticationChallenge challenge: CustomAuthFinishAuthenticationChallenge, for request: MobileAuthRequest)
    @MainActor func userClient(_ userClient: UserClient, didHandleRequest request: MobileAuthRequest, authenticator: Authenticator?, info customAuthenticatorInfo: CustomInfo?)
    @MainActor func userClient(_ userClient: UserClient, didFailToHandleRequest request: MobileAuthRequest, authenticator: Authenticator?, error: Error)
    @MainActor func userClient(_ userClient: UserClient, didFailToHandleOTPMobileAuthRequest otp: String, error: Error)
}

extension MobileAuthRequestDelegate {
    public func userClient(_ userClient: UserClient, didReceiveConfirmation confirmation: @escaping (Bool) -> Void, for request: MobileAuthRequest) {}
    public func userClient(_ userClient: UserClient, didReceivePinChallenge challenge: PinChallenge, for request: MobileAuthRequest) {}
    public func userClient(_ userClient: UserClient, didReceiveBiometricChallenge challenge: BiometricChallenge, for request: MobileAuthRequest) {}
    public func userClient(_ userClient: UserClient, didReceiveCustomAuthFinishAuthenticationChallenge challenge: CustomAuthFinishAuthenticationChallenge, for request: MobileAuthRequest) {}
    public func userClient(_ userClient: UserClient, didHandleRequest request: MobileAuthRequest, authenticator: Authenticator?, info customAuthenticatorInfo: CustomInfo?) {}
    public func userClient(_ userClient: UserClient, didFailToHandleRequest request: MobileAuthRequest, authenticator: Authenticator?, error: Error) {}
    public func userClient(_ userClient: UserClient, didFailToHandleOTPMobileAuthRequest otp: String, error: Error) {}
}

// MARK: Where it begins

public final class ONGClient: NSObject, Sendable {
    private static let shared = ONGClient()
    public let userClient = ONGUserClient()

    private override init() {}

    public static func sharedInstance() -> ONGClient { shared }

    /// How an identity provider of the app's own registers.
    public enum CustomRegistration: Sendable { case oneStep, twoStep }

    /// Says what the app is built with. Calling it again makes another installation, but for what is stored.
    ///
    /// - Parameters:
    ///   - url: of the token server in Understudy, such as `http://localhost:8420/oauth`, in a world of its own `…/w/NAME/oauth`.
    ///   - signature: one of `application_signatures` of the version in the fixtures.
    ///   - resources: below which the paths of resource requests are; `/resources/` beside the token server unless said.
    ///   - customProviders: identity providers of the app's own, by their ids.
    ///   - storage: a file for credentials, users and keys; without it they are gone with the process.
    public static func connect(
        _ url: String, application: String, version: String, signature: String, resources: String? = nil,
        customProviders: [String: CustomRegistration] = [:], storage: URL? = nil
    ) {
        let base = url.hasSuffix("/") ? String(url.dropLast()) : url
        core.connect(
            Core.App(
                base: base, application: application, version: version, signature: signature,
                resources: resources ?? base.replacingOccurrences(of: "/oauth", with: "") + "/resources/",
                customProviders: customProviders), storage)
    }

    /// Registers the installation the first time, and afterwards validates it.
    public func start(_ completion: ((Bool, Error?) -> Void)? = nil) {
        let ears = Ears(completion)
        core.start { error in ears.it?(error == nil, error) }
    }

    public func userClientInstance() -> ONGUserClient { userClient }
}

/// Takes the application from the class OneginiConfigModel, as the vendor's does, unless `ONGClient.connect` came before.
public final class ONGClientBuilder: NSObject, Sendable {
    public override init() {}

    /// A dictionary such as `OneginiConfigModel.configuration()`; the values of the vendor's keys. The vendor computes the application's
    /// signature; here it is the one of the fixtures, `understudy-ios-VERSION`.
    @discardableResult public func setConfigModel(_ configuration: [String: Any]) -> ONGClientBuilder {
        core.configure(configuration)
        return self
    }

    @discardableResult public func build() -> ONGClient {
        #if canImport(ObjectiveC)
            let method = NSSelectorFromString("configuration")
            if !core.isConfigured, let model = NSClassFromString("OneginiConfigModel") as? NSObject.Type,
                model.responds(to: method),
                let told = model.perform(method)?.takeUnretainedValue() as? [String: Any]
            {
                core.configure(told)
            }
        #endif
        return .sharedInstance()
    }
}

/// The device without a user.
public final class ONGDeviceClient: NSObject, Sendable {
    private static let shared = ONGDeviceClient()

    public static func sharedInstance() -> ONGDeviceClient { shared }

    /// Not emulated.
    public func authenticateDevice(_ scopes: [String]?, completion: ((Bool, Error?) -> Void)?) {
        let ears = Ears(completion)
        core.refuse("authenticateDevice", ONGGenericErrorDomain, 10000) { ears.it?(false, $0) }
    }

    /// Without a token: the authentication of a device alone is not emulated.
    public func fetchResource(
        _ request: ONGResourceRequest, completion: ((ONGResourceResponse?, Error?) -> Void)?
    ) {
        let ears = Ears(completion)
        core.fetch(request, byUser: false, ONGFetchResourceErrorDomain) { ears.it?($0, $1) }
    }
}

/// Of versions 12 and 13.
public protocol DeviceClient: AnyObject {
    func authenticateDevice(with scopes: [String]?, completion: @escaping (Error?) -> Void)
    func sendRequest(_ request: ResourceRequest, completion: @escaping (ResourceResponse?, Error?) -> Void)
}

extension ONGDeviceClient: DeviceClient {
    public func authenticateDevice(with scopes: [String]?, completion: @escaping (Error?) -> Void) {
        authenticateDevice(scopes) { completion($1) }
    }
    public func sendRequest(
        _ request: ResourceRequest, completion: @escaping (ResourceResponse?, Error?) -> Void
    ) {
        fetchResource(request, completion: completion)
    }
}

public enum SharedDeviceClient { public static var instance: DeviceClient { ONGDeviceClient.sharedInstance() } }

/// Of versions 12 and 13.
public protocol Client: AnyObject {
    func start(completion: @escaping (Error?) -> Void)
}

extension ONGClient: Client {
    public func start(completion: @escaping (Error?) -> Void) { start { completion($1) } }
}

/// Of versions 12 and 13: as ``ONGClientBuilder``.
public final class ClientBuilder {
    private let builder = ONGClientBuilder()

    public init() {}

    @discardableResult public func setConfigModel(_ configuration: [String: Any]) -> ClientBuilder {
        builder.setConfigModel(configuration)
        return self
    }
    @discardableResult public func build() -> Client { builder.build() }
    /// The stub protects nothing, and waits for nothing.
    public func buildAndWaitForProtectedData(completion: @escaping (Client) -> Void) { completion(build()) }
}

// MARK: The user, with the names of ONG

public final class ONGUserClient: NSObject, Sendable {
    fileprivate override init() {}

    public static func sharedInstance() -> ONGUserClient { ONGClient.sharedInstance().userClient }

    public func userProfiles() -> Set<ONGUserProfile> { Set(core.profiles) }
    public func authenticatedUserProfile() -> ONGUserProfile? { core.user }
    /// Always nil: implicit authentication is not emulated.
    public func implicitlyAuthenticatedUserProfile() -> ONGUserProfile? { nil }
    public var accessToken: String? { core.accessToken }
    public var idToken: String? { core.idToken }
    /// Those of the application's settings and of the app's own, known once the SDK has started.
    public func identityProviders() -> Set<ONGIdentityProvider> { Set(core.identityProviders) }

    /// With the page of the token server in a browser, or a custom identity provider; then the user chooses a PIN.
    public func registerUser(
        with identityProvider: ONGIdentityProvider?, scopes: [String]?, delegate: ONGRegistrationDelegate
    ) {
        let ears = Ears(delegate)
        core.register(
            identityProvider, scopes,
            .init(
                browser: { ears.it.userClient(self, didReceive: $0) },
                customInit: { ears.it.userClient(self, didReceiveCustomRegistrationInitChallenge: $0) },
                customFinish: { ears.it.userClient(self, didReceiveCustomRegistrationFinish: $0) },
                pin: { ears.it.userClient(self, didReceivePinRegistrationChallenge: $0) },
                done: { ears.it.userClient(self, didRegisterUser: $0, identityProvider: $1, info: $2) },
                fail: { ears.it.userClient(self, didFailToRegisterWith: $0, error: $1) }))
    }

    /// Logs a user in by PIN. The server counts wrong ones, and behind the last one the profile is gone.
    public func authenticateUser(
        _ profile: ONGUserProfile, authenticator: ONGAuthenticator?, delegate: ONGAuthenticationDelegate
    ) {
        let ears = Ears(delegate)
        core.authenticate(
            profile, pin: { ears.it.userClient(self, didReceive: $0) },
            fail: {
                ears.it.userClient(
                    self, didFailToAuthenticateUser: profile, authenticator: ONGAuthenticator(), error: $0)
            }
        ) {
            ears.it.userClient(
                self, didAuthenticateUser: profile, authenticator: ONGAuthenticator(), info: nil)
        }
    }

    /// Asks for the PIN of the user who is logged in, and for a new one.
    public func changePin(_ delegate: ONGChangePinDelegate) {
        let ears = Ears(delegate)
        core.changePin(
            pin: { ears.it.userClient(self, didReceive: $0) },
            newPin: { ears.it.userClient(self, didReceive: $0) },
            fail: { ears.it.userClient(self, didFailToChangePinForUser: $0, error: $1) }
        ) { ears.it.userClient(self, didChangePinForUser: $0) }
    }

    /// Says what a create-PIN challenge would say.
    public func validatePin(withPolicy pin: String, completion: @escaping (Bool, Error?) -> Void) {
        let ears = Ears(completion)
        core.validatePin(pin) { ears.it($0 == nil, $0) }
    }

    /// Ends the access token; the user stays on the device.
    public func logoutUser(_ completion: ((ONGUserProfile?, Error?) -> Void)?) {
        let ears = Ears(completion)
        core.logOut { ears.it?($0, $1) }
    }

    /// Takes the user off the device.
    public func deregisterUser(_ profile: ONGUserProfile, completion: ((Bool, Error?) -> Void)?) {
        let ears = Ears(completion)
        core.deregister(profile) { ears.it?($0 == nil, $0) }
    }

    public func allAuthenticators(forUser profile: ONGUserProfile) -> Set<ONGAuthenticator> { [ONGAuthenticator()] }
    public func registeredAuthenticators(forUser profile: ONGUserProfile) -> Set<ONGAuthenticator> {
        [ONGAuthenticator()]
    }
    public func nonRegisteredAuthenticators(forUser profile: ONGUserProfile) -> Set<ONGAuthenticator> { [] }
    /// The PIN is all there is.
    public var preferredAuthenticator: ONGAuthenticator? {
        get { ONGAuthenticator() }
        set {}
    }

    /// Not emulated: there is the PIN alone.
    public func register(_ authenticator: ONGAuthenticator, delegate: ONGAuthenticatorRegistrationDelegate) {
        let (ears, profile) = (Ears(delegate), core.user ?? ONGUserProfile())
        core.refuse("other authenticators", ONGAuthenticatorRegistrationErrorDomain, 10006) {
            ears.it.userClient(self, didFailToRegister: authenticator, forUser: profile, error: $0)
        }
    }

    /// Not emulated; the PIN cannot be deregistered.
    public func deregister(_ authenticator: ONGAuthenticator, delegate: ONGAuthenticatorDeregistrationDelegate) {
        let (ears, profile) = (Ears(delegate), core.user ?? ONGUserProfile())
        core.refuse("deregistering the PIN", ONGAuthenticatorDeregistrationErrorDomain, 10008) {
            ears.it.userClient(self, didFailToDeregister: authenticator, forUser: profile, error: $0)
        }
    }

    /// Enrolls the user who is logged in.
    public func enroll(forMobileAuth completion: ((Bool, Error?) -> Void)?) {
        let ears = Ears(completion)
        core.enroll { ears.it?($0 == nil, $0) }
    }
    public func enroll(_ completion: @escaping (Bool, Error?) -> Void) { enroll(forMobileAuth: completion) }
    /// Of a user who is enrolled already. `token`: any; the stub is not reached by it.
    public func enrollForPushMobileAuth(
        withDeviceToken token: Data, completion: @escaping (Bool, Error?) -> Void
    ) {
        let ears = Ears(completion)
        core.enrollForPush(token) { ears.it($0 == nil, $0) }
    }
    public func isUserEnrolled(forMobileAuth profile: ONGUserProfile) -> Bool { core.isEnrolled(profile) }
    public func isUserEnrolled(forPushMobileAuth profile: ONGUserProfile) -> Bool { core.isEnrolledForPush(profile) }

    /// Those of the user who is logged in, or else of all users of the device.
    public func pendingPushMobileAuthRequests(
        _ completion: @escaping ([ONGPendingMobileAuthRequest]?, Error?) -> Void
    ) {
        let ears = Ears(completion)
        core.pending { ears.it($0, $1) }
    }
    /// What a push says; nil where it is none of ours.
    public func pendingMobileAuthRequest(fromUserInfo userInfo: [AnyHashable: Any]) -> ONGPendingMobileAuthRequest? {
        ONGPendingMobileAuthRequest(userInfo)
    }
    public func handlePendingPush(
        _ request: ONGPendingMobileAuthRequest, delegate: ONGMobileAuthRequestDelegate
    ) {
        core.handle(.push(request.transactionId), answers(Ears(delegate)))
    }

    /// Whether the text of a QR code is one of ours.
    public func canHandleOTPMobileAuthRequest(_ otp: String) -> Bool { Core.transaction(of: otp) != nil }

    /// Fetches what the portal asks, has the user confirm it, and answers. Several may be open at a time.
    public func handleOTPMobileAuthRequest(_ otp: String, delegate: ONGMobileAuthRequestDelegate) {
        core.handle(.otp(otp), answers(Ears(delegate)))
    }

    private func answers(_ ears: Ears<ONGMobileAuthRequestDelegate>) -> Core.MobileAuthEars {
        .init(
            confirm: { ears.it.userClient(self, didReceiveConfirmationChallenge: $1, for: $0) },
            done: { ears.it.userClient(self, didHandle: $0, authenticator: nil, info: nil) },
            fail: { request, _, error in
                ears.it.userClient(self, didFailToHandle: request, authenticator: nil, error: error)
            })
    }

    /// `target`: one of `single_sign_on_targets` of the application in the fixtures.
    public func appToWebSingleSignOn(
        withTargetUrl target: URL, completion: @escaping (URL?, String?, Error?) -> Void
    ) {
        let ears = Ears(completion)
        core.appToWeb(target) { ears.it($0, $1, $2) }
    }

    /// With the access token of the user.
    public func fetchResource(
        _ request: ONGResourceRequest, completion: ((ONGResourceResponse?, Error?) -> Void)?
    ) {
        let ears = Ears(completion)
        core.fetch(request, byUser: true, ONGFetchResourceErrorDomain) { ears.it?($0, $1) }
    }

    /// Not emulated.
    public func implicitlyAuthenticateUser(
        _ profile: ONGUserProfile, scopes: [String]?, completion: ((Bool, Error?) -> Void)?
    ) {
        let ears = Ears(completion)
        core.refuse("implicit authentication", ONGGenericErrorDomain, 10000) { ears.it?(false, $0) }
    }

    /// Not emulated.
    public func fetchImplicitResource(
        _ request: ONGResourceRequest, completion: ((ONGResourceResponse?, Error?) -> Void)?
    ) {
        let ears = Ears(completion)
        core.refuse("implicit authentication", ONGFetchImplicitResourceErrorDomain, 9026) { ears.it?(nil, $0) }
    }
}

// MARK: The names of ONG in Objective-C

// The selectors are those of the vendor's guides and headers. Global constants of Swift, the domains of the errors, Objective-C does not see.

#if canImport(ObjectiveC)
    @objc(ONGRegistrationDelegate) public protocol ObjCRegistrationDelegate: AnyObject {
        @objc(userClient:didReceiveBrowserRegistrationChallenge:)
        @MainActor optional func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGBrowserRegistrationChallenge)
        @objc(userClient:didReceivePinRegistrationChallenge:)
        @MainActor optional func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGCreatePinChallenge)
        @objc(userClient:didReceiveCustomRegistrationInitChallenge:)
        @MainActor optional func userClient(_ userClient: ONGUserClient, didReceiveInit challenge: ONGCustomRegistrationChallenge)
        @objc(userClient:didReceiveCustomRegistrationFinishChallenge:)
        @MainActor optional func userClient(_ userClient: ONGUserClient, didReceiveFinish challenge: ONGCustomRegistrationChallenge)
        @objc(userClient:didRegisterUser:identityProvider:info:)
        @MainActor optional func userClient(
            _ userClient: ONGUserClient, didRegister user: ONGUserProfile, identityProvider: ONGIdentityProvider, info: ONGCustomInfo?)
        @objc(userClient:didFailToRegisterWithIdentityProvider:error:)
        @MainActor optional func userClient(_ userClient: ONGUserClient, didFailToRegisterWith identityProvider: ONGIdentityProvider, error: Error)
    }

    @objc(ONGAuthenticationDelegate) public protocol ObjCAuthenticationDelegate: AnyObject {
        @objc(userClient:didReceivePinChallenge:)
        @MainActor optional func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGPinChallenge)
        @objc(userClient:didReceiveBiometricChallenge:)
        @MainActor optional func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGBiometricChallenge)
        @objc(userClient:didReceiveCustomAuthFinishAuthenticationChallenge:)
        @MainActor optional func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGCustomAuthFinishAuthenticationChallenge)
        @objc(userClient:didAuthenticateUser:authenticator:info:)
        @MainActor optional func userClient(
            _ userClient: ONGUserClient, didAuthenticate user: ONGUserProfile, authenticator: ONGAuthenticator, info: ONGCustomInfo?)
        @objc(userClient:didFailToAuthenticateUser:authenticator:error:)
        @MainActor optional func userClient(
            _ userClient: ONGUserClient, didFailToAuthenticate user: ONGUserProfile, authenticator: ONGAuthenticator, error: Error)
    }

    @objc(ONGChangePinDelegate) public protocol ObjCChangePinDelegate: AnyObject {
        @objc(userClient:didReceivePinChallenge:)
        @MainActor optional func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGPinChallenge)
        @objc(userClient:didReceiveCreatePinChallenge:)
        @MainActor optional func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGCreatePinChallenge)
        @objc(userClient:didChangePinForUser:)
        @MainActor optional func userClient(_ userClient: ONGUserClient, didChangePinFor user: ONGUserProfile)
        @objc(userClient:didFailToChangePinForUser:error:)
        @MainActor optional func userClient(_ userClient: ONGUserClient, didFailToChangePinFor user: ONGUserProfile, error: Error)
    }

    @objc(ONGAuthenticatorRegistrationDelegate) public protocol ObjCAuthenticatorRegistrationDelegate: AnyObject {
        @objc(userClient:didReceivePinChallenge:)
        @MainActor optional func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGPinChallenge)
        @objc(userClient:didReceiveCustomAuthFinishRegistrationChallenge:)
        @MainActor optional func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGCustomAuthFinishRegistrationChallenge)
        @objc(userClient:didRegisterAuthenticator:forUser:info:)
        @MainActor optional func userClient(
            _ userClient: ONGUserClient, didRegister authenticator: ONGAuthenticator, forUser user: ONGUserProfile, info: ONGCustomInfo?)
        @objc(userClient:didFailToRegisterAuthenticator:forUser:error:)
        @MainActor optional func userClient(
            _ userClient: ONGUserClient, didFailToRegister authenticator: ONGAuthenticator, forUser user: ONGUserProfile, error: Error)
    }

    @objc(ONGAuthenticatorDeregistrationDelegate) public protocol ObjCAuthenticatorDeregistrationDelegate: AnyObject {
        @objc(userClient:didReceiveCustomAuthDeregistrationChallenge:)
        @MainActor optional func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGCustomAuthDeregistrationChallenge)
        @objc(userClient:didDeregisterAuthenticator:forUser:)
        @MainActor optional func userClient(_ userClient: ONGUserClient, didDeregister authenticator: ONGAuthenticator, forUser user: ONGUserProfile)
        @objc(userClient:didFailToDeregisterAuthenticator:forUser:error:)
        @MainActor optional func userClient(
            _ userClient: ONGUserClient, didFailToDeregister authenticator: ONGAuthenticator, forUser user: ONGUserProfile, error: Error)
    }

    @objc(ONGMobileAuthRequestDelegate) public protocol ObjCMobileAuthRequestDelegate: AnyObject {
        @objc(userClient:didReceiveConfirmationChallenge:forRequest:)
        @MainActor optional func userClient(
            _ userClient: ONGUserClient, didReceive confirmation: @escaping (Bool) -> Void, for request: ONGMobileAuthRequest)
        @objc(userClient:didReceivePinChallenge:forRequest:)
        @MainActor optional func userClient(_ userClient: ONGUserClient, didReceivePin challenge: ONGPinChallenge, for request: ONGMobileAuthRequest)
        @objc(userClient:didReceiveBiometricChallenge:forRequest:)
        @MainActor optional func userClient(_ userClient: ONGUserClient, didReceiveBiometric challenge: ONGBiometricChallenge, for request: ONGMobileAuthRequest)
        @objc(userClient:didReceiveCustomAuthFinishAuthenticationChallenge:forRequest:)
        @MainActor optional func userClient(
            _ userClient: ONGUserClient, didReceiveCustom challenge: ONGCustomAuthFinishAuthenticationChallenge, for request: ONGMobileAuthRequest)
        @objc(userClient:didHandleMobileAuthenticationRequest:authenticator:info:)
        @MainActor optional func userClient(
            _ userClient: ONGUserClient, didHandle request: ONGMobileAuthRequest, authenticator: ONGAuthenticator?, info: ONGCustomInfo?)
        @objc(userClient:didFailToHandleMobileAuthenticationRequest:authenticator:error:)
        @MainActor optional func userClient(
            _ userClient: ONGUserClient, didFailToHandle request: ONGMobileAuthRequest, authenticator: ONGAuthenticator?, error: Error)
    }

    extension ONGClient {
        @objc(sharedInstance) public static func objcSharedInstance() -> ONGClient { sharedInstance() }
        @objc(userClient) public var objcUserClient: ONGUserClient { userClient }
        @objc(connect:application:version:signature:storage:)
        public static func objcConnect(_ url: String, application: String, version: String, signature: String, storage: URL?) {
            connect(url, application: application, version: version, signature: signature, storage: storage)
        }
        @objc(start:) public func objcStart(_ completion: ((Bool, Error?) -> Void)?) { start(completion) }
    }

    extension ONGClientBuilder {
        @discardableResult @objc(setConfigModel:) public func objcSetConfigModel(_ configuration: [String: Any]) -> ONGClientBuilder { setConfigModel(configuration) }
        @discardableResult @objc(build) public func objcBuild() -> ONGClient { build() }
    }

    extension ONGChallengeSender {
        @objc(respondWithURL:challenge:) public func objcRespond(url: URL, challenge: ONGBrowserRegistrationChallenge) { respond(with: url, challenge: challenge) }
        @objc(respondWithData:challenge:) public func objcRespond(data: String?, challenge: NSObject) { give(.text(data)) }
        @objc(respondWithCreatedPin:challenge:) public func objcRespond(created pin: String, challenge: ONGCreatePinChallenge) { give(.text(pin)) }
        @objc(respondWithPin:challenge:) public func objcRespond(pin: String, challenge: ONGPinChallenge) { give(.text(pin)) }
        @objc(respondWithDefaultPromptForChallenge:) public func objcPrompt(_ challenge: ONGBiometricChallenge) { give(.text(nil)) }
        @objc(continueWithChallenge:) public func objcContinue(_ challenge: ONGCustomAuthDeregistrationChallenge) { give(.text(nil)) }
        @objc(cancelChallenge:) public func objcCancel(_ challenge: NSObject) { give(.cancelled) }
        @objc(cancelChallenge:underlyingError:) public func objcCancel(_ challenge: NSObject, error: Error?) { give(.cancelled) }
    }

    extension ONGUserClient {
        @objc(sharedInstance) public static func objcSharedInstance() -> ONGUserClient { sharedInstance() }
        @objc(userProfiles) public func objcUserProfiles() -> Set<ONGUserProfile> { userProfiles() }
        @objc(authenticatedUserProfile) public func objcAuthenticatedUserProfile() -> ONGUserProfile? { core.user }
        @objc(implicitlyAuthenticatedUserProfile) public func objcImplicitlyAuthenticatedUserProfile() -> ONGUserProfile? { nil }
        @objc(accessToken) public var objcAccessToken: String? { core.accessToken }
        @objc(idToken) public var objcIDToken: String? { core.idToken }
        @objc(identityProviders) public func objcIdentityProviders() -> Set<ONGIdentityProvider> { identityProviders() }

        @objc(registerUserWithIdentityProvider:scopes:delegate:)
        public func objcRegister(_ provider: ONGIdentityProvider?, scopes: [String]?, delegate: ObjCRegistrationDelegate) {
            let ears = Ears(delegate)
            core.register(
                provider, scopes,
                .init(
                    browser: { ears.it.userClient?(self, didReceive: $0) },
                    customInit: { ears.it.userClient?(self, didReceiveInit: $0) },
                    customFinish: { ears.it.userClient?(self, didReceiveFinish: $0) },
                    pin: { ears.it.userClient?(self, didReceive: $0) },
                    done: { ears.it.userClient?(self, didRegister: $0, identityProvider: $1, info: $2) },
                    fail: { ears.it.userClient?(self, didFailToRegisterWith: $0, error: $1) }))
        }

        @objc(authenticateUser:authenticator:delegate:)
        public func objcAuthenticate(_ profile: ONGUserProfile, authenticator: ONGAuthenticator?, delegate: ObjCAuthenticationDelegate) {
            let ears = Ears(delegate)
            core.authenticate(
                profile, pin: { ears.it.userClient?(self, didReceive: $0) },
                fail: { ears.it.userClient?(self, didFailToAuthenticate: profile, authenticator: ONGAuthenticator(), error: $0) }
            ) { ears.it.userClient?(self, didAuthenticate: profile, authenticator: ONGAuthenticator(), info: nil) }
        }

        @objc(changePin:) public func objcChangePin(_ delegate: ObjCChangePinDelegate) {
            let ears = Ears(delegate)
            core.changePin(
                pin: { ears.it.userClient?(self, didReceive: $0) }, newPin: { ears.it.userClient?(self, didReceive: $0) },
                fail: { ears.it.userClient?(self, didFailToChangePinFor: $0, error: $1) }
            ) { ears.it.userClient?(self, didChangePinFor: $0) }
        }

        @objc(validatePinWithPolicy:completion:)
        public func objcValidate(_ pin: String, completion: @escaping (Bool, Error?) -> Void) { validatePin(withPolicy: pin, completion: completion) }
        @objc(logoutUser:) public func objcLogOut(_ completion: ((ONGUserProfile?, Error?) -> Void)?) { logoutUser(completion) }
        @objc(deregisterUser:completion:)
        public func objcDeregister(_ profile: ONGUserProfile, completion: ((Bool, Error?) -> Void)?) { deregisterUser(profile, completion: completion) }

        @objc(allAuthenticatorsForUser:) public func objcAll(_ profile: ONGUserProfile) -> Set<ONGAuthenticator> { allAuthenticators(forUser: profile) }
        @objc(registeredAuthenticatorsForUser:)
        public func objcRegistered(_ profile: ONGUserProfile) -> Set<ONGAuthenticator> { registeredAuthenticators(forUser: profile) }
        @objc(nonRegisteredAuthenticatorsForUser:) public func objcNonRegistered(_ profile: ONGUserProfile) -> Set<ONGAuthenticator> { [] }
        @objc(preferredAuthenticator) public var objcPreferred: ONGAuthenticator? {
            get { preferredAuthenticator }
            set { preferredAuthenticator = newValue }
        }
        @objc(registerAuthenticator:delegate:)
        public func objcRegister(_ authenticator: ONGAuthenticator, delegate: ObjCAuthenticatorRegistrationDelegate) {
            let (ears, profile) = (Ears(delegate), core.user ?? ONGUserProfile())
            core.refuse("other authenticators", ONGAuthenticatorRegistrationErrorDomain, 10006) {
                ears.it.userClient?(self, didFailToRegister: authenticator, forUser: profile, error: $0)
            }
        }
        @objc(deregisterAuthenticator:delegate:)
        public func objcDeregister(_ authenticator: ONGAuthenticator, delegate: ObjCAuthenticatorDeregistrationDelegate) {
            let (ears, profile) = (Ears(delegate), core.user ?? ONGUserProfile())
            core.refuse("deregistering the PIN", ONGAuthenticatorDeregistrationErrorDomain, 10008) {
                ears.it.userClient?(self, didFailToDeregister: authenticator, forUser: profile, error: $0)
            }
        }

        @objc(enrollForMobileAuth:) public func objcEnroll(_ completion: ((Bool, Error?) -> Void)?) { enroll(forMobileAuth: completion) }
        @objc(enrollForPushMobileAuthWithDeviceToken:completion:)
        public func objcEnroll(_ token: Data, completion: @escaping (Bool, Error?) -> Void) {
            enrollForPushMobileAuth(withDeviceToken: token, completion: completion)
        }
        @objc(isUserEnrolledForMobileAuth:) public func objcIsEnrolled(_ profile: ONGUserProfile) -> Bool { core.isEnrolled(profile) }
        @objc(isUserEnrolledForPushMobileAuth:) public func objcIsEnrolledForPush(_ profile: ONGUserProfile) -> Bool { core.isEnrolledForPush(profile) }
        @objc(pendingPushMobileAuthRequests:)
        public func objcPending(_ completion: @escaping ([ONGPendingMobileAuthRequest]?, Error?) -> Void) { pendingPushMobileAuthRequests(completion) }
        @objc(pendingMobileAuthRequestFromUserInfo:)
        public func objcPending(from userInfo: [AnyHashable: Any]) -> ONGPendingMobileAuthRequest? { ONGPendingMobileAuthRequest(userInfo) }
        @objc(handlePendingPushMobileAuthRequest:delegate:)
        public func objcHandle(_ request: ONGPendingMobileAuthRequest, delegate: ObjCMobileAuthRequestDelegate) {
            core.handle(.push(request.transactionId), answers(Ears(delegate)))
        }
        @objc(canHandleOTPMobileAuthRequest:) public func objcCanHandle(_ otp: String) -> Bool { canHandleOTPMobileAuthRequest(otp) }
        @objc(handleOTPMobileAuthRequest:delegate:)
        public func objcHandle(_ otp: String, delegate: ObjCMobileAuthRequestDelegate) { core.handle(.otp(otp), answers(Ears(delegate))) }

        private func answers(_ ears: Ears<ObjCMobileAuthRequestDelegate>) -> Core.MobileAuthEars {
            .init(
                confirm: { ears.it.userClient?(self, didReceive: $1, for: $0) },
                done: { ears.it.userClient?(self, didHandle: $0, authenticator: nil, info: nil) },
                fail: { request, _, error in ears.it.userClient?(self, didFailToHandle: request, authenticator: nil, error: error) })
        }

        @objc(appToWebSingleSignOnWithTargetUrl:completion:)
        public func objcSingleSignOn(_ target: URL, completion: @escaping (URL?, String?, Error?) -> Void) {
            appToWebSingleSignOn(withTargetUrl: target, completion: completion)
        }
        @objc(fetchResource:completion:)
        public func objcFetch(_ request: ONGResourceRequest, completion: ((ONGResourceResponse?, Error?) -> Void)?) {
            fetchResource(request, completion: completion)
        }
        @objc(implicitlyAuthenticateUser:scopes:completion:)
        public func objcAuthenticate(_ profile: ONGUserProfile, scopes: [String]?, completion: ((Bool, Error?) -> Void)?) {
            implicitlyAuthenticateUser(profile, scopes: scopes, completion: completion)
        }
        @objc(fetchImplicitResource:completion:)
        public func objcFetchImplicit(_ request: ONGResourceRequest, completion: ((ONGResourceResponse?, Error?) -> Void)?) {
            fetchImplicitResource(request, completion: completion)
        }
    }
#endif

// MARK: The user, with the names of versions 12 and 13

public enum AuthenticatorFilter: Sendable { case all, registered, nonRegistered }

public protocol UserClient: AnyObject {
    var userProfiles: [UserProfile] { get }
    var authenticatedUserProfile: UserProfile? { get }
    var implicitlyAuthenticatedUserProfile: UserProfile? { get }
    var accessToken: String? { get }
    var idToken: String? { get }
    var identityProviders: [IdentityProvider] { get }
    var isStateless: Bool { get }

    func registerUserWith(identityProvider: IdentityProvider?, scopes: [String]?, delegate: RegistrationDelegate)
    func registerStatelessUserWith(identityProvider: IdentityProvider?, scopes: [String]?, delegate: RegistrationDelegate)
    func authenticateUserWith(profile: UserProfile, authenticator: Authenticator?, delegate: AuthenticationDelegate)
    func implicitlyAuthenticate(user profile: UserProfile, with scopes: [String]?, completion: @escaping (Error?) -> Void)
    func refreshStatelessSession(completion: @escaping (Error?) -> Void)
    func changePin(delegate: ChangePinDelegate)
    func validatePolicyCompliance(for pin: String, completion: @escaping (Error?) -> Void)
    func logoutUser(completion: @escaping (UserProfile?, Error?) -> Void)
    func deregister(user profile: UserProfile, completion: @escaping (Error?) -> Void)

    func authenticators(_ filter: AuthenticatorFilter, for profile: UserProfile) -> [Authenticator]
    func setPreferredAuthenticator(_ authenticator: Authenticator)
    func register(authenticator: Authenticator, delegate: AuthenticatorRegistrationDelegate)
    func deregister(authenticator: Authenticator, delegate: AuthenticatorDeregistrationDelegate)

    func enrollMobileAuth(completion: @escaping (Error?) -> Void)
    func enrollPushMobileAuth(with token: Data, completion: @escaping (Error?) -> Void)
    func isMobileAuthEnrolled(for profile: UserProfile) -> Bool
    func isPushMobileAuthEnrolled(for profile: UserProfile) -> Bool
    func pendingPushMobileAuthRequests(completion: @escaping ([PendingMobileAuthRequest]?, Error?) -> Void)
    func pendingMobileAuthRequest(from userInfo: [AnyHashable: Any]) -> PendingMobileAuthRequest?
    func handlePendingMobileAuthRequest(_ request: PendingMobileAuthRequest, delegate: MobileAuthRequestDelegate)
    func canHandleOTPMobileAuthRequest(otp: String) -> Bool
    func handleOTPMobileAuthRequest(otp: String, delegate: MobileAuthRequestDelegate)

    func appToWebSingleSignOn(with target: URL, completion: @escaping (URL?, String?, Error?) -> Void)
    func sendAuthenticatedRequest(_ request: ResourceRequest, completion: @escaping (ResourceResponse?, Error?) -> Void)
    func sendImplicitRequest(_ request: ResourceRequest, completion: @escaping (ResourceResponse?, Error?) -> Void)
    func sendUnauthenticatedRequest(_ request: ResourceRequest, completion: @escaping (ResourceResponse?, Error?) -> Void)
}

public enum SharedUserClient { public static var instance: UserClient { NewUserClient.shared } }

private final class NewUserClient: UserClient, Sendable {
    static let shared = NewUserClient()
    private var old: ONGUserClient { .sharedInstance() }

    var userProfiles: [UserProfile] { core.profiles }
    var authenticatedUserProfile: UserProfile? { core.user }
    var implicitlyAuthenticatedUserProfile: UserProfile? { nil }
    var accessToken: String? { core.accessToken }
    var idToken: String? { core.idToken }
    var identityProviders: [IdentityProvider] { core.identityProviders }
    var isStateless: Bool { false }

    func registerUserWith(identityProvider: IdentityProvider?, scopes: [String]?, delegate: RegistrationDelegate) {
        let ears = Ears(delegate)
        core.register(
            identityProvider, scopes,
            .init(
                browser: { ears.it.userClient(self, didReceiveBrowserRegistrationChallenge: $0) },
                customInit: { ears.it.userClient(self, didReceiveCustomRegistrationInitChallenge: $0) },
                customFinish: { ears.it.userClient(self, didReceiveCustomRegistrationFinishChallenge: $0) },
                pin: { ears.it.userClient(self, didReceiveCreatePinChallenge: $0) },
                done: { ears.it.userClient(self, didRegisterUser: $0, with: $1, info: $2) },
                fail: { ears.it.userClient(self, didFailToRegisterUserWith: $0, error: $1) }))
    }

    func registerStatelessUserWith(
        identityProvider: IdentityProvider?, scopes: [String]?, delegate: RegistrationDelegate
    ) {
        let (ears, provider) = (Ears(delegate), identityProvider ?? ONGIdentityProvider("default", "default"))
        core.refuse("stateless users", ONGRegistrationErrorDomain, 9034) {
            ears.it.userClient(self, didFailToRegisterUserWith: provider, error: $0)
        }
    }

    func authenticateUserWith(
        profile: UserProfile, authenticator: Authenticator?, delegate: AuthenticationDelegate
    ) {
        let ears = Ears(delegate)
        core.authenticate(
            profile, pin: { ears.it.userClient(self, didReceivePinChallenge: $0) },
            fail: {
                ears.it.userClient(
                    self, didFailToAuthenticateUser: profile, authenticator: Authenticator(), error: $0)
            }
        ) { ears.it.userClient(self, didAuthenticateUser: profile, authenticator: Authenticator(), info: nil) }
    }

    func implicitlyAuthenticate(
        user profile: UserProfile, with scopes: [String]?, completion: @escaping (Error?) -> Void
    ) { old.implicitlyAuthenticateUser(profile, scopes: scopes) { completion($1) } }

    func refreshStatelessSession(completion: @escaping (Error?) -> Void) {
        let ears = Ears(completion)
        core.refuse("stateless users", ONGGenericErrorDomain, 10000) { ears.it($0) }
    }

    func changePin(delegate: ChangePinDelegate) {
        let ears = Ears(delegate)
        core.changePin(
            pin: { ears.it.userClient(self, didReceivePinChallenge: $0) },
            newPin: { ears.it.userClient(self, didReceiveCreatePinChallenge: $0) },
            fail: { ears.it.userClient(self, didFailToChangePinForUser: $0, error: $1) }
        ) { ears.it.userClient(self, didChangePinForUser: $0) }
    }

    func validatePolicyCompliance(for pin: String, completion: @escaping (Error?) -> Void) {
        old.validatePin(withPolicy: pin) { completion($1) }
    }
    func logoutUser(completion: @escaping (UserProfile?, Error?) -> Void) { old.logoutUser(completion) }
    func deregister(user profile: UserProfile, completion: @escaping (Error?) -> Void) {
        old.deregisterUser(profile) { completion($1) }
    }

    func authenticators(_ filter: AuthenticatorFilter, for profile: UserProfile) -> [Authenticator] {
        filter == .nonRegistered ? [] : [Authenticator()]
    }
    func setPreferredAuthenticator(_ authenticator: Authenticator) {}
    func register(authenticator: Authenticator, delegate: AuthenticatorRegistrationDelegate) {
        let (ears, profile) = (Ears(delegate), core.user ?? UserProfile())
        core.refuse("other authenticators", ONGAuthenticatorRegistrationErrorDomain, 10006) {
            ears.it.userClient(self, didFailToRegister: authenticator, for: profile, error: $0)
        }
    }
    func deregister(authenticator: Authenticator, delegate: AuthenticatorDeregistrationDelegate) {
        let (ears, profile) = (Ears(delegate), core.user ?? UserProfile())
        core.refuse("deregistering the PIN", ONGAuthenticatorDeregistrationErrorDomain, 10008) {
            ears.it.userClient(self, didFailToDeregister: authenticator, forUser: profile, error: $0)
        }
    }

    func enrollMobileAuth(completion: @escaping (Error?) -> Void) { old.enroll { completion($1) } }
    func enrollPushMobileAuth(with token: Data, completion: @escaping (Error?) -> Void) {
        old.enrollForPushMobileAuth(withDeviceToken: token) { completion($1) }
    }
    func isMobileAuthEnrolled(for profile: UserProfile) -> Bool { core.isEnrolled(profile) }
    func isPushMobileAuthEnrolled(for profile: UserProfile) -> Bool { core.isEnrolledForPush(profile) }
    func pendingPushMobileAuthRequests(completion: @escaping ([PendingMobileAuthRequest]?, Error?) -> Void) {
        old.pendingPushMobileAuthRequests(completion)
    }
    func pendingMobileAuthRequest(from userInfo: [AnyHashable: Any]) -> PendingMobileAuthRequest? {
        PendingMobileAuthRequest(userInfo)
    }
    func handlePendingMobileAuthRequest(_ request: PendingMobileAuthRequest, delegate: MobileAuthRequestDelegate) {
        core.handle(.push(request.transactionId), answers(Ears(delegate)))
    }
    func canHandleOTPMobileAuthRequest(otp: String) -> Bool { Core.transaction(of: otp) != nil }
    func handleOTPMobileAuthRequest(otp: String, delegate: MobileAuthRequestDelegate) {
        core.handle(.otp(otp), answers(Ears(delegate)))
    }

    private func answers(_ ears: Ears<MobileAuthRequestDelegate>) -> Core.MobileAuthEars {
        .init(
            confirm: { ears.it.userClient(self, didReceiveConfirmation: $1, for: $0) },
            done: { ears.it.userClient(self, didHandleRequest: $0, authenticator: nil, info: nil) },
            fail: { request, unreadOTP, error in
                if let unreadOTP {
                    ears.it.userClient(self, didFailToHandleOTPMobileAuthRequest: unreadOTP, error: error)
                } else {
                    ears.it.userClient(self, didFailToHandleRequest: request, authenticator: nil, error: error)
                }
            })
    }

    func appToWebSingleSignOn(with target: URL, completion: @escaping (URL?, String?, Error?) -> Void) {
        old.appToWebSingleSignOn(withTargetUrl: target, completion: completion)
    }
    func sendAuthenticatedRequest(
        _ request: ResourceRequest, completion: @escaping (ResourceResponse?, Error?) -> Void
    ) { old.fetchResource(request, completion: completion) }
    func sendImplicitRequest(
        _ request: ResourceRequest, completion: @escaping (ResourceResponse?, Error?) -> Void
    ) { old.fetchImplicitResource(request, completion: completion) }
    func sendUnauthenticatedRequest(
        _ request: ResourceRequest, completion: @escaping (ResourceResponse?, Error?) -> Void
    ) { ONGDeviceClient.sharedInstance().fetchResource(request, completion: completion) }
}

// MARK: What does it

private let core = Core()

private final class Core: @unchecked Sendable {
    // All state belongs to the queue; what apps ask for at once is a copy behind a lock.

    struct App: Sendable {
        var base = "", application = "", version = "", signature = "", resources = ""
        var customProviders: [String: ONGClient.CustomRegistration] = [:]
    }

    struct RegistrationEars: Sendable {
        let browser: @MainActor @Sendable (ONGBrowserRegistrationChallenge) -> Void
        let customInit, customFinish: @MainActor @Sendable (ONGCustomRegistrationChallenge) -> Void
        let pin: @MainActor @Sendable (ONGCreatePinChallenge) -> Void
        let done: @MainActor @Sendable (ONGUserProfile, ONGIdentityProvider, ONGCustomInfo?) -> Void
        let fail: @MainActor @Sendable (ONGIdentityProvider, NSError) -> Void
    }

    struct MobileAuthEars: Sendable {
        let confirm: @MainActor @Sendable (ONGMobileAuthRequest, @escaping (Bool) -> Void) -> Void
        let done: @MainActor @Sendable (ONGMobileAuthRequest) -> Void
        /// With the OTP where the request was not read.
        let fail: @MainActor @Sendable (ONGMobileAuthRequest, String?, NSError) -> Void
    }

    enum Source: Sendable { case otp(String), push(String) }

    private struct Profile: Codable {
        let id: String
        /// The refresh token under the mask of the PIN.
        var masked: Data
        /// Of mobile authentication.
        var key: Data?
        var hasPush = false
        var wrongPins = 0
    }

    private struct Kept: Codable {
        struct Provider: Codable { let id, name: String }

        var clientID: String?
        var clientSecret = ""
        var redirectURI = ""
        var maxPins = 0
        var providers: [Provider] = []
        var profiles: [Profile] = []
    }

    private struct Session: Sendable {
        let profile, accessToken: String
        let idToken: String?
    }

    private struct Refused: Error {
        let number: Int
        let used, left: Int?
        let message: String?

        init(_ number: Int, _ told: [String: Any] = [:]) {
            self.number = number
            used = (told["used_attempts"] as? NSNumber)?.intValue
            left = (told["remaining_attempts"] as? NSNumber)?.intValue
            message = told["error_description"] as? String
        }

        init(_ number: Int, _ message: String) {
            (self.number, used, left, self.message) = (number, nil, nil, message)
        }
    }

    private let queue = DispatchQueue(label: "Onegini stub")
    private var app = App()
    private var storage: URL?
    private var kept = Kept()
    private var session: Session?

    // MARK: What is asked at once

    var isConfigured: Bool { queue.sync { !app.base.isEmpty } }
    var profiles: [ONGUserProfile] { queue.sync { kept.profiles.map { ONGUserProfile(profileId: $0.id) } } }
    var user: ONGUserProfile? { queue.sync { session.map { ONGUserProfile(profileId: $0.profile) } } }
    var accessToken: String? { queue.sync { session?.accessToken } }
    var idToken: String? { queue.sync { session?.idToken } }
    var identityProviders: [ONGIdentityProvider] {
        queue.sync {
            let own = app.customProviders.keys.filter { id in !kept.providers.contains { $0.id == id } }
            return kept.providers.map { ONGIdentityProvider($0.id, $0.name) }
                + own.sorted().map { ONGIdentityProvider($0, $0) }
        }
    }
    func isEnrolled(_ profile: ONGUserProfile) -> Bool {
        queue.sync { kept.profiles.contains { $0.id == profile.profileId && $0.key != nil } }
    }
    func isEnrolledForPush(_ profile: ONGUserProfile) -> Bool {
        queue.sync { kept.profiles.contains { $0.id == profile.profileId && $0.hasPush } }
    }

    // MARK: Beginning

    func connect(_ app: App, _ storage: URL?) {
        queue.sync {
            (self.app, self.storage, session) = (app, storage, nil)
            kept =
                storage.flatMap { try? Data(contentsOf: $0) }.flatMap {
                    try? JSONDecoder().decode(Kept.self, from: $0)
                } ?? Kept()
        }
    }

    func configure(_ told: [String: Any]) {
        func value(_ name: String) -> String { told["ONG" + name] as? String ?? "" }
        let base = value("AppBaseURL").hasSuffix("/") ? String(value("AppBaseURL").dropLast()) : value("AppBaseURL")
        let support = try? FileManager.default.url(
            for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
        connect(
            App(
                base: base + "/oauth", application: value("AppIdentifier"), version: value("AppVersion"),
                signature: "understudy-ios-" + value("AppVersion"), resources: value("ResourceBaseURL")),
            support?.appendingPathComponent("onegini-stub.json"))
    }

    func start(_ done: @escaping @MainActor @Sendable (NSError?) -> Void) {
        finish(ONGGenericErrorDomain, done) { [self] in
            guard !app.base.isEmpty else {
                throw Refused(10001, "Call ONGClient.connect, or give the builder a OneginiConfigModel.")
            }
            if kept.clientID == nil { try register() } else { try validate() }
        }
    }

    /// Says that the stub cannot do it.
    func refuse(_ what: String, _ domain: String, _ number: Int, _ say: @escaping @MainActor @Sendable (NSError) -> Void) {
        let error = NSError(
            domain: domain, code: number, userInfo: [NSLocalizedDescriptionKey: "not emulated: \(what)"])
        tell { say(error) }
    }

    // MARK: Users

    func register(_ asked: ONGIdentityProvider?, _ scopes: [String]?, _ ears: RegistrationEars) {
        let provider = asked ?? ONGIdentityProvider("default", "default")
        @Sendable func fail(_ error: NSError) { tell { ears.fail(provider, error) } }
        @Sendable func done(_ tokens: Tokens, _ info: ONGCustomInfo?) {
            createPin(for: tokens, nil, ask: ears.pin, ONGRegistrationErrorDomain, fail) { profile in
                self.tell { ears.done(profile, provider, info) }
            }
        }
        work(ONGRegistrationErrorDomain, fail) { [self] in
            if kept.clientID == nil { try register() }
            let scopes = scopes ?? ["openid", "profile"]
            if let way = app.customProviders[provider.identifier] {
                return customize(provider, way, scopes, ears, fail, done)
            }
            guard asked == nil || kept.providers.contains(where: { $0.id == provider.identifier }) else {
                throw Refused(10020)
            }
            let (state, verifier) = (SymmetricKey.random(16), SymmetricKey.random(32))
            let query = form([
                ("client_id", kept.clientID ?? ""), ("redirect_uri", kept.redirectURI),
                ("response_type", "code"), ("scope", scopes.joined(separator: " ")), ("state", state),
                ("code_challenge", Data(SHA256.hash(data: Data(verifier.utf8))).base64url),
                ("code_challenge_method", "S256"),
            ])
            guard let url = URL(string: app.base + "/v1/authorize?" + query) else { throw Refused(10015) }
            let sender = self.sender(ONGRegistrationErrorDomain, fail) { landed in
                try done(self.trade(landed ?? "", state: state, verifier: verifier), nil)
            }
            let challenge = ONGBrowserRegistrationChallenge(provider, url, sender)
            tell { ears.browser(challenge) }
        }
    }

    /// Registers at an identity provider of the app's own, in one step or in two.
    private func customize(
        _ provider: ONGIdentityProvider, _ way: ONGClient.CustomRegistration, _ scopes: [String],
        _ ears: RegistrationEars, _ fail: @escaping @Sendable (NSError) -> Void,
        _ done: @escaping @Sendable (Tokens, ONGCustomInfo?) -> Void
    ) {
        let path = "/custom-registration/\(form([("", provider.identifier)]).dropFirst())/"
        @Sendable func finish(_ transaction: String?, _ info: ONGCustomInfo?) {
            let sender = self.sender(ONGRegistrationErrorDomain, fail) { data in
                var order: [String: Any] = ["scope": scopes, "profile_id": Self.profileID()]
                (order["transaction_id"], order["data"]) = (transaction, data)
                let told = try self.call("POST", path + "complete", .device, order)
                let outcome = Self.info(told)
                if let token = told["oauth_token"] as? [String: Any] {
                    return try done(self.tokens(token, of: nil), outcome)
                }
                guard (4000..<5000).contains(outcome.status) else {
                    throw Refused(10022, "status \(outcome.status): \(outcome.data)")
                }
                finish(transaction, outcome)
            }
            let challenge = ONGCustomRegistrationChallenge(provider, info, sender)
            tell { ears.customFinish(challenge) }
        }
        guard way == .twoStep else { return finish(nil, nil) }
        let sender = self.sender(ONGRegistrationErrorDomain, fail) { data in
            var order: [String: Any] = [:]
            order["data"] = data
            let told = try self.call("POST", path + "init", .device, order)
            finish(told["transaction_id"] as? String, Self.info(told))
        }
        let challenge = ONGCustomRegistrationChallenge(provider, nil, sender)
        tell { ears.customInit(challenge) }
    }

    private static func info(_ told: [String: Any]) -> ONGCustomInfo {
        ONGCustomInfo((told["status"] as? NSNumber)?.intValue ?? 0, told["data"] as? String ?? "")
    }

    private static func profileID() -> String {
        var generator = SystemRandomNumberGenerator()
        let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        return String((0..<6).map { _ in characters[Int.random(in: 0..<36, using: &generator)] })
    }

    func authenticate(
        _ profile: ONGUserProfile, pin: @escaping @MainActor @Sendable (ONGPinChallenge) -> Void,
        fail: @escaping @MainActor @Sendable (NSError) -> Void, done: @escaping @MainActor @Sendable () -> Void
    ) {
        askPin(of: profile, ask: pin, ONGAuthenticationErrorDomain, { error in self.tell { fail(error) } }) { _ in
            self.tell(done)
        }
    }

    func changePin(
        pin: @escaping @MainActor @Sendable (ONGPinChallenge) -> Void,
        newPin: @escaping @MainActor @Sendable (ONGCreatePinChallenge) -> Void,
        fail: @escaping @MainActor @Sendable (ONGUserProfile, NSError) -> Void,
        done: @escaping @MainActor @Sendable (ONGUserProfile) -> Void
    ) {
        let domain = ONGChangePinErrorDomain
        guard let profile = user else {
            return tell { fail(ONGUserProfile(), Self.error(Refused(9010), domain)) }
        }
        @Sendable func refuse(_ error: NSError) { tell { fail(profile, error) } }
        askPin(of: profile, ask: pin, domain, refuse) { tokens in
            self.createPin(for: tokens, nil, ask: newPin, domain, refuse) { profile in self.tell { done(profile) } }
        }
    }

    func validatePin(_ pin: String, _ done: @escaping @MainActor @Sendable (NSError?) -> Void) {
        finish(ONGPinValidationErrorDomain, done) { [self] in
            if kept.clientID == nil { try register() }
            let policy = try Policy(call("GET", "/sdk/v1/pin-policy", .device))
            if let fault = policy.fault(pin) { throw fault }
        }
    }

    func logOut(_ done: @escaping @MainActor @Sendable (ONGUserProfile?, NSError?) -> Void) {
        let profile = user
        finish(ONGLogoutErrorDomain, { done(profile, $0) }) { [self] in
            if let session { _ = try post("/v1/revoke", [("token", session.accessToken)]) }
            session = nil
        }
    }

    func deregister(_ profile: ONGUserProfile, _ done: @escaping @MainActor @Sendable (NSError?) -> Void) {
        finish(ONGDeregistrationErrorDomain, done) { [self] in
            _ = try call("DELETE", "/sdk/v1/profiles/\(profile.profileId)", .device)
            try forget(profile.profileId)
        }
    }

    func appToWeb(_ target: URL, _ done: @escaping @MainActor @Sendable (URL?, String?, NSError?) -> Void) {
        let domain = ONGAppToWebSingleSignOnErrorDomain
        work(domain, { error in self.tell { done(nil, nil, error) } }) { [self] in
            guard session != nil else { throw Refused(9010) }
            let told = try call("POST", "/sdk/v1/app-to-web", .user, ["target_url": target.absoluteString])
            let (link, token) = ((told["redirect_url"] as? String).flatMap(URL.init(string:)), told["token"] as? String)
            tell { done(link, token, nil) }
        }
    }

    func fetch(
        _ asked: ONGResourceRequest, byUser: Bool, _ domain: String,
        _ done: @escaping @MainActor @Sendable (ONGResourceResponse?, NSError?) -> Void
    ) {
        work(domain, { error in self.tell { done(nil, error) } }) { [self] in
            guard !byUser || session != nil else { throw Refused(9010) }
            let path = asked.path.hasPrefix("/") ? String(asked.path.dropFirst()) : asked.path
            guard let url = URL(string: app.resources + (app.resources.hasSuffix("/") ? "" : "/") + path) else {
                throw Refused(10015)
            }
            var request = URLRequest(url: url, timeoutInterval: 30)
            (request.httpMethod, request.httpBody) = (asked.method, asked.body)
            for (name, value) in asked.headers { request.setValue(value, forHTTPHeaderField: name) }
            if byUser, let session {
                request.setValue("Bearer " + session.accessToken, forHTTPHeaderField: "Authorization")
            }
            let answer = try send(request)
            let response = ONGResourceResponse(answer.status, answer.headers, answer.data)
            guard answer.status < 400 else {
                throw Refused(answer.status >= 500 ? 9001 : 10000, "\(url) answered \(answer.status)")
            }
            tell { done(response, nil) }
        }
    }

    // MARK: Mobile authentication

    func enroll(_ done: @escaping @MainActor @Sendable (NSError?) -> Void) {
        finish(ONGMobileAuthEnrollmentErrorDomain, done) { [self] in
            guard let session else { throw Refused(9010) }
            let key = P256.Signing.PrivateKey()
            let point = key.publicKey.rawRepresentation
            let jwk = [
                "kty": "EC", "crv": "P-256", "x": Data(point.prefix(32)).base64url,
                "y": Data(point.suffix(32)).base64url,
            ]
            _ = try call(
                "POST", "/sdk/v1/mobile-auth/enroll", .user, ["profile_id": session.profile, "jwk": jwk])
            try change(session.profile) { $0.key = key.rawRepresentation }
        }
    }

    func enrollForPush(_ token: Data, _ done: @escaping @MainActor @Sendable (NSError?) -> Void) {
        finish(ONGMobileAuthEnrollmentErrorDomain, done) { [self] in
            guard let session else { throw Refused(9010) }
            let text = token.map { String(format: "%02x", $0) }.joined()
            _ = try call(
                "PUT", "/sdk/v1/mobile-auth/push", .user, ["profile_id": session.profile, "push_token": text])
            try change(session.profile) { $0.hasPush = true }
        }
    }

    func pending(_ done: @escaping @MainActor @Sendable ([ONGPendingMobileAuthRequest]?, NSError?) -> Void) {
        work(ONGMobileAuthRequestErrorDomain, { error in self.tell { done(nil, error) } }) { [self] in
            let told = try call("GET", "/sdk/v1/mobile-auth/pending", session == nil ? .device : .user)
            let found = (told["pending"] as? [[String: Any]] ?? []).compactMap { ONGPendingMobileAuthRequest($0) }
            tell { done(found, nil) }
        }
    }

    func handle(_ source: Source, _ ears: MobileAuthEars) {
        let (profile, domain) = (user ?? ONGUserProfile(), ONGMobileAuthRequestErrorDomain)
        let (id, unreadOTP): (String?, String?) =
            switch source {
            case .otp(let otp): (Self.transaction(of: otp), otp)
            case .push(let id): (id, nil)
            }
        let unread = ONGMobileAuthRequest(profile, [:], id: id)
        work(domain, { error in self.tell { ears.fail(unread, unreadOTP, error) } }) { [self] in
            guard let id else { throw Refused(10018) }
            guard session != nil else { throw Refused(9010) }
            guard let key = kept.profiles.first(where: { $0.id == profile.profileId })?.key else {
                throw Refused(9021)
            }
            let way = unreadOTP == nil ? "push" : "otp"
            var order = ["profile_id": profile.profileId]
            order["otp"] = unreadOTP
            let fetched = try call(
                "POST", "/sdk/v1/mobile-auth/\(way == "otp" ? "otp" : "push/" + id)/fetch", .user, order)
            let read = (fetched["message"] as? String).flatMap { Data(base64Encoded: $0) } ?? Data()
            let question = try JSONSerialization.jsonObject(with: read) as? [String: Any] ?? [:]
            let (request, challenge) = (
                ONGMobileAuthRequest(profile, question, id: id), question["challenge"] as? String ?? ""
            )
            @Sendable func fail(_ error: NSError) { tell { ears.fail(request, nil, error) } }
            if let other = question["method"] as? String, other.hasPrefix("PUSH_WITH_") {
                return refuse("a push that asks for more than yes or no (\(other))", domain, 10000, fail)
            }
            let sender = self.sender(domain, fail) { verdict in
                let answer: [String: Any] = [
                    "v": 1, "transaction_id": id, "challenge": challenge, "result": verdict ?? "deny",
                ]
                let message = try Self.signed(answer, by: P256.Signing.PrivateKey(rawRepresentation: key))
                _ = try self.call(
                    "POST", "/sdk/v1/mobile-auth/\(way)/\(id)/answer", .user, ["message": message])
                guard verdict == "confirm" else { throw Refused(9006) }
                self.tell { ears.done(request) }
            }
            tell { ears.confirm(request) { sender.give(.text($0 ? "confirm" : "deny")) } }
        }
    }

    /// The id inside the base64 of `{"transaction_id", "otp"}`.
    static func transaction(of otp: String) -> String? {
        guard let data = Data(base64Encoded: otp),
            let told = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
            told["otp"] is String
        else { return nil }
        return told["transaction_id"] as? String
    }

    /// A compact JWS. Source: RFC 7515 §3.1, RFC 7518 §3.4.
    private static func signed(_ payload: [String: Any], by key: P256.Signing.PrivateKey) throws -> String {
        let text =
            Data(#"{"alg":"ES256"}"#.utf8).base64url + "."
            + (try JSONSerialization.data(withJSONObject: payload)).base64url
        return text + "." + (try key.signature(for: Data(text.utf8)).rawRepresentation.base64url)
    }

    // MARK: PINs

    /// What the server gave, for whom.
    private struct Tokens: Sendable {
        let profile: String
        let access: String
        let refresh: Data
        let idToken: String?
    }

    /// What the SDK refuses by itself; the server never sees a PIN.
    private struct Policy: Sendable {
        let length, similar: Int
        let hasSequences: Bool
        let blocked: [String]

        init(_ told: [String: Any]) {
            length = (told["pin_length"] as? NSNumber)?.intValue ?? 5
            similar = (told["max_similar_digits"] as? NSNumber)?.intValue ?? 0
            (hasSequences, blocked) = (
                told["sequences_allowed"] as? Bool ?? true, told["blocked_pins"] as? [String] ?? []
            )
        }

        func fault(_ pin: String) -> NSError? {
            let digits = pin.utf8.map(Int.init)
            guard digits.count == length, digits.allSatisfy({ (48...57).contains($0) }) else {
                return error(.wrongPinLength, [ONGPinValidationErrorRequiredLengthKey: length])
            }
            if blocked.contains(pin) { return error(.pinBlackListed) }
            let steps = zip(digits.dropFirst(), digits).map { $0 - $1 }
            if !hasSequences, let first = steps.first, first != 0, steps.allSatisfy({ $0 == first }) {
                return error(.pinShouldNotBeASequence)
            }
            var (run, longest) = (1, 1)
            for step in steps {
                run = step == 0 ? run + 1 : 1
                longest = max(longest, run)
            }
            guard similar > 0, longest > similar else { return nil }
            return error(.pinShouldNotUseSimilarDigits, [ONGPinValidationErrorMaxSimilarDigitsKey: similar])
        }

        private func error(_ fault: ONGPinValidationError, _ told: [String: Any] = [:]) -> NSError {
            NSError(domain: ONGPinValidationErrorDomain, code: fault.rawValue, userInfo: told)
        }
    }

    private func askPin(
        of profile: ONGUserProfile, after wrong: (used: Int, left: Int)? = nil,
        ask: @escaping @MainActor @Sendable (ONGPinChallenge) -> Void, _ domain: String,
        _ fail: @escaping @Sendable (NSError) -> Void, done: @escaping @Sendable (Tokens) -> Void
    ) {
        work(domain, fail) { [self] in
            let sender = self.sender(domain, fail) { pin in
                guard let mine = self.kept.profiles.first(where: { $0.id == profile.profileId }) else {
                    throw Refused(9003)
                }
                do {
                    let token = self.mask(mine.masked, pin ?? "", mine.id).map { String(format: "%02X", $0) }
                        .joined()
                    let told = try self.post(
                        "/v1/token",
                        [("grant_type", "refresh_token"), ("refresh_token", token), ("profile_id", mine.id)])
                    let tokens = try self.tokens(told, of: mine.id)
                    try self.keep(tokens, pin ?? "")
                    done(tokens)
                } catch let refusal as Refused where refusal.number == 9009 {
                    let used = refusal.used ?? mine.wrongPins + 1
                    try self.change(mine.id) { $0.wrongPins = used }
                    self.askPin(of: profile, after: (used, refusal.left ?? 0), ask: ask, domain, fail, done: done)
                } catch let refusal as Refused where refusal.number == 9003 {
                    try self.forget(mine.id)
                    throw refusal
                }
            }
            let known = kept.profiles.first { $0.id == profile.profileId }?.wrongPins ?? 0
            let challenge = ONGPinChallenge(
                profile, used: wrong?.used ?? known, left: wrong?.left ?? kept.maxPins - known,
                wrong == nil ? nil : Self.error(Refused(9009), ONGAuthenticationErrorDomain), sender)
            tell { ask(challenge) }
        }
    }

    private func createPin(
        for tokens: Tokens, _ wrong: NSError?,
        ask: @escaping @MainActor @Sendable (ONGCreatePinChallenge) -> Void, _ domain: String,
        _ fail: @escaping @Sendable (NSError) -> Void, done: @escaping @Sendable (ONGUserProfile) -> Void
    ) {
        let wrong = Ears(wrong)
        work(domain, fail) { [self] in
            let policy = try Policy(call("GET", "/sdk/v1/pin-policy", .device))
            let profile = ONGUserProfile(profileId: tokens.profile)
            let sender = self.sender(domain, fail) { pin in
                if let fault = policy.fault(pin ?? "") {
                    return self.createPin(for: tokens, fault, ask: ask, domain, fail, done: done)
                }
                try self.keep(tokens, pin ?? "")
                done(profile)
            }
            let challenge = ONGCreatePinChallenge(profile, policy.length, wrong.it, sender)
            tell { ask(challenge) }
        }
    }

    private func tokens(_ told: [String: Any], of profile: String?) throws -> Tokens {
        guard let id = profile ?? told["profile_id"] as? String, let access = told["access_token"] as? String,
            let refresh = told["refresh_token"] as? String
        else { throw Refused(10000, told) }
        let bytes = stride(from: 0, to: refresh.utf8.count, by: 2).compactMap {
            UInt8(refresh.dropFirst($0).prefix(2), radix: 16)
        }
        return Tokens(profile: id, access: access, refresh: Data(bytes), idToken: told["id_token"] as? String)
    }

    private func keep(_ tokens: Tokens, _ pin: String) throws {
        let masked = mask(tokens.refresh, pin, tokens.profile)
        let known = session?.profile == tokens.profile ? session?.idToken : nil
        session = Session(profile: tokens.profile, accessToken: tokens.access, idToken: tokens.idToken ?? known)
        if kept.profiles.contains(where: { $0.id == tokens.profile }) {
            try change(tokens.profile) { ($0.masked, $0.wrongPins) = (masked, 0) }
        } else {
            kept.profiles.append(Profile(id: tokens.profile, masked: masked))
            try save()
        }
    }

    /// Hides a refresh token, or shows it: PBKDF2 with HMAC-SHA-256, 10,000 rounds, one block. Source: RFC 8018 §5.2.
    private func mask(_ token: Data, _ pin: String, _ profile: String) -> Data {
        let salt = Data(SHA256.hash(data: Data("\(kept.clientID ?? ""):\(profile)".utf8)))
        let key = SymmetricKey(data: Data(pin.utf8))
        var round = Data(HMAC<SHA256>.authenticationCode(for: salt + [0, 0, 0, 1], using: key))
        var sum = [UInt8](round)
        for _ in 1..<10_000 {
            round = Data(HMAC<SHA256>.authenticationCode(for: round, using: key))
            for (index, byte) in round.enumerated() { sum[index] ^= byte }
        }
        return Data(zip(token, sum).map { $0 ^ $1 })
    }

    // MARK: The installation

    private func register() throws {
        let asked = try call(
            "POST", "/sdk/v1/clients/challenge", .nobody,
            [
                "app_identifier": app.application, "app_platform": "ios", "app_version": app.version,
                "os_version": "18.1",
            ])
        let seconds = ((asked["server_time"] as? NSNumber)?.intValue ?? 0) / 1000
        let made = try call(
            "POST", "/sdk/v1/clients", .nobody,
            [
                "identifier": asked["identifier"] ?? "",
                "ocra_response": ocra(asked["challenge"] as? String ?? "", seconds),
            ])
        kept = Kept(
            clientID: made["client_id"] as? String, clientSecret: made["client_secret"] as? String ?? "",
            redirectURI: (made["redirect_uris"] as? [String])?.first ?? "")
        try configure(by: made)
    }

    private func configure(by told: [String: Any]) throws {
        let config = told["config"] as? [String: Any] ?? [:]
        kept.maxPins = (config["max_pin_attempts"] as? NSNumber)?.intValue ?? 0
        kept.providers = (config["identity_providers"] as? [[String: Any]] ?? []).map {
            Kept.Provider(id: $0["id"] as? String ?? "", name: $0["name"] as? String ?? "")
        }
        try save()
    }

    private func validate() throws {
        let told = try call(
            "POST", "/sdk/v1/clients/validate", .device,
            ["app_version": app.version, "app_platform": "ios", "os_version": "18.1"])
        for profile in told["removed_profiles"] as? [String] ?? [] { try forget(profile) }
        try configure(by: told)
    }

    /// Source: RFC 6287 §5, with the suite that the challenge names.
    private func ocra(_ challenge: String, _ seconds: Int) -> String {
        let question = stride(from: 0, to: challenge.utf8.count, by: 2).compactMap {
            UInt8(challenge.dropFirst($0).prefix(2), radix: 16)
        }
        let padded = question + [UInt8](repeating: 0, count: max(0, 128 - question.count))
        let time = withUnsafeBytes(of: UInt64(seconds / 60).bigEndian, Array.init)
        let key = SymmetricKey(data: Data(SHA256.hash(data: Data(app.signature.utf8))))
        let data = Data(Array("OCRA-1:HOTP-SHA256-8:QH64-T1M".utf8) + [0] + padded + time)
        let code = [UInt8](Data(HMAC<SHA256>.authenticationCode(for: data, using: key)))
        let offset = Int(code[31] & 15)
        let number = code[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
        return String(String(number % 100_000_000 + 100_000_000).dropFirst())
    }

    private func trade(_ landed: String, state: String, verifier: String) throws -> Tokens {
        let query = landed.split(separator: "?", maxSplits: 1).last.map(String.init) ?? ""
        var found: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { found[parts[0]] = parts[1].removingPercentEncoding }
        }
        guard landed.hasPrefix(kept.redirectURI), found["state"] == state, let code = found["code"] else {
            throw Refused(found["error"] == "access_denied" ? 9006 : 10015)
        }
        let told = try post(
            "/v1/token",
            [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", kept.redirectURI),
                ("code_verifier", verifier),
            ])
        return try tokens(told, of: nil)
    }

    private func change(_ profile: String, _ work: (inout Profile) -> Void) throws {
        guard let index = kept.profiles.firstIndex(where: { $0.id == profile }) else { return }
        work(&kept.profiles[index])
        try save()
    }

    private func forget(_ profile: String) throws {
        kept.profiles.removeAll { $0.id == profile }
        if session?.profile == profile { session = nil }
        try save()
    }

    private func save() throws {
        if let storage { try JSONEncoder().encode(kept).write(to: storage, options: .atomic) }
    }

    // MARK: Wire

    private enum Caller { case nobody, device, user }

    /// Runs on the queue; what goes wrong goes to `fail`.
    private func work(
        _ domain: String, _ fail: @escaping @Sendable (NSError) -> Void,
        _ work: @escaping @Sendable () throws -> Void
    ) {
        queue.async { if let error = self.failure(domain, work) { fail(error) } }
    }

    /// The same for what ends with an error or none.
    private func finish(
        _ domain: String, _ done: @escaping @MainActor @Sendable (NSError?) -> Void,
        _ work: @escaping @Sendable () throws -> Void
    ) {
        queue.async {
            let error = self.failure(domain, work)
            self.tell { done(error) }
        }
    }

    /// Takes the answer to a challenge.
    private func sender(
        _ domain: String, _ fail: @escaping @Sendable (NSError) -> Void,
        _ take: @escaping @Sendable (String?) throws -> Void
    ) -> ONGChallengeSender {
        ONGChallengeSender { reply in
            self.work(domain, fail) {
                switch reply {
                case .cancelled: throw Refused(9006)
                case .text(let text): try take(text)
                }
            }
        }
    }

    private func failure(_ domain: String, _ work: () throws -> Void) -> NSError? {
        do {
            try work()
            return nil
        } catch let refusal as Refused {
            obey(refusal.number)
            return Self.error(refusal, domain)
        } catch let error as URLError {
            // A connection that breaks counts as the device's network, one that never comes about as the server.
            let isServers = [.cannotConnectToHost, .cannotFindHost, .timedOut].contains(error.code)
            return Self.error(Refused(isServers ? 9001 : 9000, "\(app.base): \(error)"), domain)
        } catch {
            let error = error as NSError
            if error.domain == ONGPinValidationErrorDomain { return error }
            return Self.error(Refused(10000, "\(app.base): is it Understudy? \(error)"), domain)
        }
    }

    /// What is over at the server is over on the device.
    private func obey(_ number: Int) {
        let profile = session?.profile
        switch number {
        case 9002: (kept, session) = (Kept(), nil)
        case 9003: (kept.profiles, session) = (kept.profiles.filter { $0.id != profile }, nil)
        case 9020:
            if let index = kept.profiles.firstIndex(where: { $0.id == profile }) { kept.profiles[index].key = nil }
        default: return
        }
        try? save()  // The next change saves it as well.
    }

    /// What every operation may say has a domain of its own.
    private static func error(_ refusal: Refused, _ domain: String) -> NSError {
        let isGeneric = ONGGenericError(rawValue: refusal.number) != nil
        return NSError(
            domain: isGeneric ? ONGGenericErrorDomain : domain, code: refusal.number,
            userInfo: refusal.message.map { [NSLocalizedDescriptionKey: $0] } ?? [:])
    }

    private func tell(_ words: @escaping @MainActor @Sendable () -> Void) {
        DispatchQueue.main.async { MainActor.assumeIsolated(words) }
    }

    private func form(_ fields: [(String, String)]) -> String {
        let plain = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return fields.map { $0 + "=" + ($1.addingPercentEncoding(withAllowedCharacters: plain) ?? "") }
            .joined(separator: "&")
    }

    private func post(_ path: String, _ fields: [(String, String)]) throws -> [String: Any] {
        try send("POST", path, .device, "application/x-www-form-urlencoded", Data(form(fields).utf8))
    }

    private func call(_ method: String, _ path: String, _ caller: Caller, _ body: [String: Any]? = nil) throws
        -> [String: Any]
    {
        try send(
            method, path, caller, "application/json",
            body.map { try JSONSerialization.data(withJSONObject: $0) })
    }

    private func send(_ method: String, _ path: String, _ caller: Caller, _ type: String, _ body: Data?)
        throws -> [String: Any]
    {
        guard let url = URL(string: app.base + path) else { throw Refused(10015) }
        var request = URLRequest(url: url, timeoutInterval: 30)
        request.httpMethod = method
        switch caller {
        case .nobody: break
        case .device:
            let pair = Data("\(kept.clientID ?? ""):\(kept.clientSecret)".utf8).base64EncodedString()
            request.setValue("Basic " + pair, forHTTPHeaderField: "Authorization")
        case .user:
            request.setValue("Bearer \(session?.accessToken ?? "")", forHTTPHeaderField: "Authorization")
        }
        if let body {
            request.setValue(type, forHTTPHeaderField: "Content-Type")
            request.httpBody = body
        }
        let (status, _, data) = try send(request)
        let told = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any]
        guard status >= 400 else {
            guard data.isEmpty || told != nil else {
                throw Refused(10000, "\(app.base) answered no JSON: is it Understudy?")
            }
            return told ?? [:]
        }
        // The endpoints of OAuth know no numbers: there credentials that are unknown say it.
        // What did not arrive whole (408) counts as the device's network.
        let other = status >= 500 ? 9001 : status == 408 ? 9000 : told?["error"] as? String == "invalid_client" ? 9002 : 10000
        guard let told else { throw Refused(other, "\(url) answered \(status): \(String(decoding: data.prefix(200), as: UTF8.self))") }
        throw Refused((told["sdk_code"] as? NSNumber)?.intValue ?? other, told)
    }

    private func send(_ request: URLRequest) throws -> (status: Int, headers: [String: String], data: Data) {
        let (done, answer) = (DispatchSemaphore(value: 0), Answer())
        network.dataTask(with: request) { data, response, error in
            answer.fill(response as? HTTPURLResponse, data ?? Data(), error)
            done.signal()
        }.resume()
        done.wait()
        do {
            return try answer.get()
        } catch let error as URLError where error.code == .cancelled {
            throw Refused(9002, "The server asks for other credentials of the device.")
        }
    }
}

#if canImport(FoundationNetworking)
    /// Off Apple's systems a task without a delegate never ends where a server asks for credentials; so it is cancelled there.
    private final class Rejecting: NSObject, URLSessionTaskDelegate, Sendable {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) { completionHandler(.rejectProtectionSpace, nil) }
    }

    private let network = URLSession(configuration: .default, delegate: Rejecting(), delegateQueue: nil)
#else
    private let network = URLSession.shared
#endif

/// An app's delegate, which is called on the main thread alone.
private struct Ears<Delegate>: @unchecked Sendable {
    let it: Delegate
    init(_ delegate: Delegate) { it = delegate }
}

/// What the network gave, behind a lock.
private final class Answer: @unchecked Sendable {
    private let lock = NSLock()
    private var status = 0
    private var headers: [String: String] = [:]
    private var data = Data()
    private var error: (any Error)?

    func fill(_ response: HTTPURLResponse?, _ data: Data, _ error: (any Error)?) {
        lock.withLock {
            (status, self.data, self.error) = (response?.statusCode ?? 0, data, error)
            for (name, value) in response?.allHeaderFields ?? [:] { headers["\(name)"] = "\(value)" }
        }
    }

    func get() throws -> (status: Int, headers: [String: String], data: Data) {
        try lock.withLock {
            if let error { throw error }
            return (status, headers, data)
        }
    }
}

extension SymmetricKey {
    /// Random text, base64url.
    fileprivate static func random(_ count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }).base64url
    }
}

extension Data {
    fileprivate var base64url: String {
        base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(
            of: "/", with: "_"
        )
        .replacingOccurrences(of: "=", with: "")
    }
}
