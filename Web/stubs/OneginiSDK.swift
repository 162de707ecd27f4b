// A stand-in for Onegini's SDK for iOS, for tests against Understudy. Not the vendor's code: it has the names of the vendor's public guides and
// headers (the ONG names, up to version 11) and speaks Understudy's open device protocol. understudy stub OneginiSDK.swift > OneginiSDK.swift
//
// It fits Understudy @VERSION@; after an update of the program take it anew. Needs Swift 5.9 or later, Foundation and CryptoKit.
// Put it into a module called OneginiSDKiOS, and “import OneginiSDKiOS” stays as it is. The only call that the vendor's SDK does not have, in
// the place of its generated configuration, is the first:
//
//     ONGClient.connect("http://localhost:8420/oauth", application: "com.example.understudy", version: "1.0.0", signature: "understudy-ios-1.0.0")
//
// Mobile authentication uses the device protocol's simple level, a P-256 key in the place of OpenPGP. Lacks: push, fingerprint and other
// authenticators than the PIN, custom registration, app to web, resource calls, implicit authentication, the checks of a jailbreak. The
// refresh token stands in a file under the mask of the PIN, its keys are software keys.

import CryptoKit
import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// MARK: Errors

/// Numbers of the vendor's headers. An error that an app gets is an NSError with one of them as its code.
public enum ONGGenericError: Int, Sendable {
    case networkConnectivityFailure = 9000, serverNotReachable = 9001, deviceDeregistered = 9002,
        userDeregistered = 9003
    case outdatedApplication = 9004, outdatedOS = 9005, actionCancelled = 9006, actionAlreadyInProgress = 9007
    case deviceRegistrationFailure = 9008, invalidDateTime = 9031, requestInvalid = 10015,
        appIntegrityFailure = 10024, unknown = 10000
}

public enum ONGAuthenticationError: Int, Sendable { case invalidPin = 9009 }

public enum ONGPinValidationError: Int, Sendable {
    case pinBlackListed = 9011, pinShouldNotBeASequence = 9012, pinShouldNotUseSimilarDigits = 9013,
        wrongPinLength = 9014
}

public enum ONGMobileAuthEnrollmentError: Int, Sendable {
    case userNotAuthenticated = 9010, deviceAlreadyEnrolled = 9016, enrollmentNotAvailable = 9017
}

public enum ONGMobileAuthRequestError: Int, Sendable {
    case userNotAuthenticated = 9010, userDisenrolled = 9020, notEnrolled = 9021, alreadyHandled = 9029
    case notFound = 10013, notHandleable = 10018
}

// MARK: What an app hears

public protocol ONGRegistrationDelegate: AnyObject {
    @MainActor func userClient(
        _ userClient: ONGUserClient, didReceive challenge: ONGBrowserRegistrationChallenge)
    @MainActor func userClient(
        _ userClient: ONGUserClient, didReceivePinRegistrationChallenge challenge: ONGCreatePinChallenge)
    @MainActor func userClient(
        _ userClient: ONGUserClient, didRegisterUser userProfile: ONGUserProfile,
        identityProvider: ONGIdentityProvider, info: ONGCustomInfo?)
    @MainActor func userClient(
        _ userClient: ONGUserClient, didFailToRegisterWith identityProvider: ONGIdentityProvider, error: Error
    )
}

public protocol ONGAuthenticationDelegate: AnyObject {
    @MainActor func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGPinChallenge)
    @MainActor func userClient(
        _ userClient: ONGUserClient, didAuthenticateUser userProfile: ONGUserProfile,
        authenticator: ONGAuthenticator, info: ONGCustomInfo?)
    @MainActor func userClient(
        _ userClient: ONGUserClient, didFailToAuthenticateUser userProfile: ONGUserProfile,
        authenticator: ONGAuthenticator, error: Error)
}

public protocol ONGChangePinDelegate: AnyObject {
    @MainActor func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGPinChallenge)
    @MainActor func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGCreatePinChallenge)
    @MainActor func userClient(_ userClient: ONGUserClient, didChangePinForUser userProfile: ONGUserProfile)
    @MainActor func userClient(
        _ userClient: ONGUserClient, didFailToChangePinForUser userProfile: ONGUserProfile, error: Error)
}

public protocol ONGMobileAuthRequestDelegate: AnyObject {
    @MainActor func userClient(
        _ userClient: ONGUserClient, didReceiveConfirmationChallenge confirmation: @escaping (Bool) -> Void,
        for request: ONGMobileAuthRequest)
    @MainActor func userClient(
        _ userClient: ONGUserClient, didHandle request: ONGMobileAuthRequest,
        authenticator: ONGAuthenticator?,
        info customAuthenticatorInfo: ONGCustomInfo?)
    /// A user who denies is told so as `ONGGenericError.actionCancelled`, once the server knows; that is assumed.
    @MainActor func userClient(
        _ userClient: ONGUserClient, didFailToHandle request: ONGMobileAuthRequest,
        authenticator: ONGAuthenticator?, error: Error)
}

// MARK: What an app handles

public struct ONGUserProfile: Sendable, Hashable {
    public let profileId: String
}

public struct ONGIdentityProvider: Sendable, Hashable {
    public let identifier, name: String
}

public struct ONGAuthenticator: Sendable, Hashable {
    public let identifier = "PIN", name = "PIN"
}

public struct ONGCustomInfo: Sendable {
    public let status: Int
    public let data: String
}

public struct ONGMobileAuthRequest: Sendable {
    public let userProfile: ONGUserProfile
    /// Name of the configured type.
    public let type: String
    public let message: String?
    public let transactionId: String?
}

public struct ONGBrowserRegistrationChallenge: Sendable {
    public let identityProvider: ONGIdentityProvider
    /// To be opened in a browser.
    public let url: URL
    public let sender: ONGChallengeSender
}

public struct ONGCreatePinChallenge: Sendable {
    public let userProfile: ONGUserProfile
    public let pinLength: UInt
    /// Why the last PIN was not taken; nil the first time.
    public let error: NSError?
    public let sender: ONGChallengeSender
}

public struct ONGPinChallenge: Sendable {
    public let userProfile: ONGUserProfile
    public let maxFailureCount, previousFailureCount, remainingFailureCount: UInt
    /// `ONGAuthenticationError.invalidPin` behind a wrong PIN; nil the first time.
    public let error: NSError?
    public let sender: ONGChallengeSender
}

/// Takes the answer to one challenge, once.
public final class ONGChallengeSender: @unchecked Sendable {
    private let lock = NSLock()
    private var answer: (@Sendable (String?) -> Void)?

    fileprivate init(_ answer: @escaping @Sendable (String?) -> Void) { self.answer = answer }

    /// The address to which the browser was sent.
    public func respond(with url: URL, challenge: ONGBrowserRegistrationChallenge) {
        give(url.absoluteString)
    }
    public func respond(withCreatedPin pin: String, challenge: ONGCreatePinChallenge) { give(pin) }
    public func respond(withPin pin: String, challenge: ONGPinChallenge) { give(pin) }
    public func cancel(_ challenge: ONGBrowserRegistrationChallenge) { give(nil) }
    public func cancel(_ challenge: ONGCreatePinChallenge) { give(nil) }
    public func cancel(_ challenge: ONGPinChallenge) { give(nil) }

    private func give(_ text: String?) {
        let answer = lock.withLock { () -> (@Sendable (String?) -> Void)? in
            defer { self.answer = nil }
            return self.answer
        }
        answer?(text)
    }
}

public final class ONGClient: Sendable {
    private static let shared = ONGClient()
    public let userClient = ONGUserClient()

    private init() {}

    public static func sharedInstance() -> ONGClient { shared }

    /// Says what the app is built with. Calling it again makes another installation, but for what is stored.
    ///
    /// - Parameters:
    ///   - url: of the token server in Understudy, such as `http://localhost:8420/oauth`, in a world of its own `…/w/NAME/oauth`.
    ///   - signature: one of `application_signatures` of the version in the fixtures.
    ///   - storage: a file for credentials, users and keys; without it they are gone with the process.
    public static func connect(
        _ url: String, application: String, version: String, signature: String, storage: URL? = nil
    ) {
        shared.userClient.connect(url, (application, version, signature), storage)
    }

    /// Registers the installation the first time, and afterwards validates it.
    public func start(_ completion: (@MainActor @Sendable (Bool, Error?) -> Void)? = nil) {
        userClient.start(completion)
    }
}

/// The builder of the vendor's SDK, for apps that begin with it.
public struct ONGClientBuilder: Sendable {
    public init() {}
    @discardableResult public func build() -> ONGClient { .sharedInstance() }
}

// MARK: The SDK

public final class ONGUserClient: @unchecked Sendable {
    // All state belongs to the queue; what apps ask for at once is read through it.

    private struct Profile: Codable {
        let id: String
        /// The refresh token under the mask of the PIN.
        var masked: Data
        /// Of mobile authentication.
        var key: Data?
    }

    private struct Kept: Codable {
        var clientID: String?
        var clientSecret = ""
        var redirectURI = ""
        var profiles: [Profile] = []
    }

    private struct Refused: Error {
        let number: Int
        let used, left: Int
        let message: String?

        init(_ number: Int, _ told: [String: Any] = [:]) {
            self.number = number
            used = (told["used_attempts"] as? NSNumber)?.intValue ?? 0
            left = (told["remaining_attempts"] as? NSNumber)?.intValue ?? 0
            message = told["error_description"] as? String
        }
    }

    private let queue = DispatchQueue(label: "Onegini stub")
    private var base = ""
    private var app = (application: "", version: "", signature: "")
    private var storage: URL?
    private var kept = Kept()
    private var session: (profile: String, accessToken: String)?
    private var isHandling = false

    fileprivate init() {}

    public static func sharedInstance() -> ONGUserClient { ONGClient.sharedInstance().userClient }

    fileprivate func connect(_ url: String, _ app: (String, String, String), _ storage: URL?) {
        queue.sync {
            base = url.hasSuffix("/") ? String(url.dropLast()) : url
            (self.app, self.storage) = (app, storage)
            (session, isHandling) = (nil, false)
            kept =
                storage.flatMap { try? Data(contentsOf: $0) }.flatMap {
                    try? JSONDecoder().decode(Kept.self, from: $0)
                } ?? Kept()
        }
    }

    fileprivate func start(_ completion: (@MainActor @Sendable (Bool, Error?) -> Void)?) {
        queue.async { [self] in
            let error = failure {
                if kept.clientID == nil { try register() } else { try validate() }
            }
            tell { completion?(error == nil, error) }
        }
    }

    // MARK: Users

    public func userProfiles() -> Set<ONGUserProfile> {
        Set(queue.sync { kept.profiles.map { ONGUserProfile(profileId: $0.id) } })
    }

    public func authenticatedUserProfile() -> ONGUserProfile? {
        queue.sync { session.map { ONGUserProfile(profileId: $0.profile) } }
    }

    public var accessToken: String? { queue.sync { session?.accessToken } }

    /// Opens the page of the identity provider in a browser and has the user choose a PIN.
    public func registerUser(
        with identityProvider: ONGIdentityProvider?, scopes: [String]?, delegate: ONGRegistrationDelegate
    ) {
        let provider = identityProvider ?? ONGIdentityProvider(identifier: "default", name: "default")
        let ears = Ears(delegate)
        @Sendable func fail(_ error: NSError) {
            tell { ears.it.userClient(self, didFailToRegisterWith: provider, error: error) }
        }
        work(fail) { [self] in
            if kept.clientID == nil { try register() }
            let (state, verifier) = (SymmetricKey.random(16), SymmetricKey.random(32))
            let challenge = Data(SHA256.hash(data: Data(verifier.utf8))).base64url
            let scope = (scopes ?? ["openid", "profile"]).joined(separator: " ")
            let query = form([
                ("client_id", kept.clientID ?? ""), ("redirect_uri", kept.redirectURI),
                ("response_type", "code"), ("scope", scope),
                ("state", state), ("code_challenge", challenge), ("code_challenge_method", "S256"),
            ])
            guard let url = URL(string: base + "/v1/authorize?" + query) else { throw Refused(10015) }
            let sender = ONGChallengeSender { landed in
                self.work(fail) {
                    let tokens = try self.trade(landed, state: state, verifier: verifier)
                    self.createPin(
                        for: tokens, nil,
                        ask: { challenge in
                            self.tell {
                                ears.it.userClient(self, didReceivePinRegistrationChallenge: challenge)
                            }
                        }, fail
                    ) { profile in
                        self.tell {
                            ears.it.userClient(
                                self, didRegisterUser: profile, identityProvider: provider, info: nil)
                        }
                    }
                }
            }
            let asked = ONGBrowserRegistrationChallenge(identityProvider: provider, url: url, sender: sender)
            tell { ears.it.userClient(self, didReceive: asked) }
        }
    }

    /// Logs a user in by PIN. The server counts wrong ones, and behind the last one the profile is gone.
    public func authenticateUser(
        _ profile: ONGUserProfile, authenticator: ONGAuthenticator?, delegate: ONGAuthenticationDelegate
    ) {
        let ears = Ears(delegate)
        @Sendable func fail(_ error: NSError) {
            tell {
                ears.it.userClient(
                    self, didFailToAuthenticateUser: profile, authenticator: ONGAuthenticator(), error: error)
            }
        }
        askPin(
            of: profile, nil,
            ask: { challenge in self.tell { ears.it.userClient(self, didReceive: challenge) } }, fail
        ) { _ in
            self.tell {
                ears.it.userClient(
                    self, didAuthenticateUser: profile, authenticator: ONGAuthenticator(), info: nil)
            }
        }
    }

    /// Asks for the PIN of the user who is logged in, and for a new one.
    public func changePin(_ delegate: ONGChangePinDelegate) {
        guard let profile = authenticatedUserProfile() else { return }
        let ears = Ears(delegate)
        @Sendable func fail(_ error: NSError) {
            tell { ears.it.userClient(self, didFailToChangePinForUser: profile, error: error) }
        }
        askPin(
            of: profile, nil,
            ask: { challenge in self.tell { ears.it.userClient(self, didReceive: challenge) } }, fail
        ) { tokens in
            self.createPin(
                for: tokens, nil,
                ask: { challenge in
                    self.tell { ears.it.userClient(self, didReceive: challenge) }
                }, fail
            ) { profile in
                self.tell { ears.it.userClient(self, didChangePinForUser: profile) }
            }
        }
    }

    /// Ends the access token; the user stays on the device.
    public func logoutUser(_ completion: (@MainActor @Sendable (ONGUserProfile, Error?) -> Void)?) {
        queue.async { [self] in
            guard let session else { return }
            let error = failure { _ = try post("/v1/revoke", [("token", session.accessToken)]) }
            if error == nil { self.session = nil }
            tell { completion?(ONGUserProfile(profileId: session.profile), error) }
        }
    }

    /// Takes the user off the device.
    public func deregisterUser(
        _ profile: ONGUserProfile, completion: (@MainActor @Sendable (Bool, Error?) -> Void)?
    ) {
        queue.async { [self] in
            let error = failure {
                _ = try call("DELETE", "/sdk/v1/profiles/\(profile.profileId)", .device)
                try forget(profile.profileId)
            }
            tell { completion?(error == nil, error) }
        }
    }

    // MARK: Mobile authentication

    /// Enrolls the user who is logged in.
    public func enroll(forMobileAuth completion: (@MainActor @Sendable (Bool, Error?) -> Void)?) {
        queue.async { [self] in
            let error = failure {
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
            tell { completion?(error == nil, error) }
        }
    }

    public func isUserEnrolled(forMobileAuth profile: ONGUserProfile) -> Bool {
        queue.sync { kept.profiles.contains { $0.id == profile.profileId && $0.key != nil } }
    }

    /// Whether the text of a QR code is one of ours, and no other request is being handled.
    public func canHandleOTPMobileAuthRequest(_ otp: String) -> Bool {
        Self.transaction(of: otp) != nil && !queue.sync { isHandling }
    }

    /// Fetches what the portal asks, has the user confirm it, and answers.
    public func handleOTPMobileAuthRequest(_ otp: String, delegate: ONGMobileAuthRequestDelegate) {
        let ears = Ears(delegate)
        let profile = authenticatedUserProfile() ?? ONGUserProfile(profileId: "")
        let unread = ONGMobileAuthRequest(
            userProfile: profile, type: "", message: nil, transactionId: Self.transaction(of: otp))
        @Sendable func fail(_ request: ONGMobileAuthRequest, _ error: NSError) {
            isHandling = false
            tell { ears.it.userClient(self, didFailToHandle: request, authenticator: nil, error: error) }
        }
        work({ fail(unread, $0) }) { [self] in
            guard unread.transactionId != nil, !isHandling else { throw Refused(isHandling ? 9007 : 10018) }
            guard session != nil else { throw Refused(9010) }
            guard let key = kept.profiles.first(where: { $0.id == profile.profileId })?.key else {
                throw Refused(9021)
            }
            isHandling = true
            let fetched = try call(
                "POST", "/sdk/v1/mobile-auth/otp/fetch", .user, ["otp": otp, "profile_id": profile.profileId])
            let read = (fetched["message"] as? String).flatMap { Data(base64Encoded: $0) } ?? Data()
            let question = try JSONSerialization.jsonObject(with: read) as? [String: Any] ?? [:]
            let (id, challenge) = (
                question["transaction_id"] as? String ?? "", question["challenge"] as? String ?? ""
            )
            let request = ONGMobileAuthRequest(
                userProfile: profile, type: question["type"] as? String ?? "",
                message: question["message"] as? String, transactionId: id)
            let sender = ONGChallengeSender { verdict in
                self.work({ fail(request, $0) }) {
                    let answer: [String: Any] = [
                        "v": 1, "transaction_id": id, "challenge": challenge, "result": verdict ?? "deny",
                    ]
                    let message = try Self.signed(answer, by: P256.Signing.PrivateKey(rawRepresentation: key))
                    _ = try self.call(
                        "POST", "/sdk/v1/mobile-auth/otp/\(id)/answer", .user, ["message": message])
                    guard verdict == "confirm" else { throw Refused(9006) }
                    self.isHandling = false
                    self.tell { ears.it.userClient(self, didHandle: request, authenticator: nil, info: nil) }
                }
            }
            tell {
                ears.it.userClient(self, didReceiveConfirmationChallenge: { sender.decide($0) }, for: request)
            }
        }
    }

    /// The id inside the base64 of `{"transaction_id", "otp"}`.
    private static func transaction(of otp: String) -> String? {
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
    }

    private func askPin(
        of profile: ONGUserProfile, _ wrong: (used: Int, left: Int)?,
        ask: @escaping @Sendable (ONGPinChallenge) -> Void,
        _ fail: @escaping @Sendable (NSError) -> Void, done: @escaping @Sendable (Tokens) -> Void
    ) {
        let (used, left) = (UInt(max(0, wrong?.used ?? 0)), UInt(max(0, wrong?.left ?? 0)))
        let sender = ONGChallengeSender { pin in
            self.work(fail) {
                guard let pin else { throw Refused(9006) }
                guard let mine = self.kept.profiles.first(where: { $0.id == profile.profileId }) else {
                    throw Refused(9003)
                }
                do {
                    let token = self.mask(mine.masked, pin, mine.id).map { String(format: "%02X", $0) }
                        .joined()
                    let told = try self.post(
                        "/v1/token",
                        [("grant_type", "refresh_token"), ("refresh_token", token), ("profile_id", mine.id)])
                    let tokens = try self.tokens(told, of: mine.id)
                    try self.keep(tokens, pin)
                    done(tokens)
                } catch let refusal as Refused where refusal.number == 9009 {
                    self.askPin(of: profile, (refusal.used, refusal.left), ask: ask, fail, done: done)
                } catch let refusal as Refused where refusal.number == 9003 {
                    try self.forget(mine.id)
                    throw refusal
                }
            }
        }
        ask(
            ONGPinChallenge(
                userProfile: profile, maxFailureCount: used + left, previousFailureCount: used,
                remainingFailureCount: left,
                error: wrong == nil ? nil : Self.error(9009), sender: sender))
    }

    private func createPin(
        for tokens: Tokens, _ wrong: Int?, ask: @escaping @Sendable (ONGCreatePinChallenge) -> Void,
        _ fail: @escaping @Sendable (NSError) -> Void, done: @escaping @Sendable (ONGUserProfile) -> Void
    ) {
        work(fail) { [self] in
            let policy = try call("GET", "/sdk/v1/pin-policy", .device)
            let length = (policy["pin_length"] as? NSNumber)?.intValue ?? 5
            let profile = ONGUserProfile(profileId: tokens.profile)
            let (similar, blocked) = (
                (policy["max_similar_digits"] as? NSNumber)?.intValue ?? 0,
                policy["blocked_pins"] as? [String] ?? []
            )
            let sequences = policy["sequences_allowed"] as? Bool ?? true
            let sender = ONGChallengeSender { pin in
                self.work(fail) {
                    guard let pin else { throw Refused(9006) }
                    if let fault = Self.fault(pin, length, similar, sequences, blocked) {
                        return self.createPin(for: tokens, fault, ask: ask, fail, done: done)
                    }
                    try self.keep(tokens, pin)
                    done(profile)
                }
            }
            ask(
                ONGCreatePinChallenge(
                    userProfile: profile, pinLength: UInt(length), error: wrong.map(Self.error),
                    sender: sender))
        }
    }

    /// What the SDK refuses by itself; the server never sees a PIN.
    private static func fault(
        _ pin: String, _ length: Int, _ similar: Int, _ sequences: Bool, _ blocked: [String]
    ) -> Int? {
        let digits = pin.utf8.map(Int.init)
        guard digits.count == length, digits.allSatisfy({ (48...57).contains($0) }) else { return 9014 }
        if blocked.contains(pin) { return 9011 }
        let steps = zip(digits.dropFirst(), digits).map { $0 - $1 }
        if !sequences, let first = steps.first, first != 0, steps.allSatisfy({ $0 == first }) { return 9012 }
        var (run, longest) = (1, 1)
        for step in steps {
            run = step == 0 ? run + 1 : 1
            longest = max(longest, run)
        }
        return similar > 0 && longest > similar ? 9013 : nil
    }

    private func tokens(_ told: [String: Any], of profile: String?) throws -> Tokens {
        guard let id = profile ?? told["profile_id"] as? String, let access = told["access_token"] as? String,
            let refresh = told["refresh_token"] as? String
        else { throw Refused(10000, told) }
        let bytes = stride(from: 0, to: refresh.utf8.count, by: 2).compactMap {
            UInt8(refresh.dropFirst($0).prefix(2), radix: 16)
        }
        return Tokens(profile: id, access: access, refresh: Data(bytes))
    }

    private func keep(_ tokens: Tokens, _ pin: String) throws {
        let masked = mask(tokens.refresh, pin, tokens.profile)
        session = (tokens.profile, tokens.access)
        if kept.profiles.contains(where: { $0.id == tokens.profile }) {
            try change(tokens.profile) { $0.masked = masked }
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
        try save()
    }

    private func validate() throws {
        let told = try call(
            "POST", "/sdk/v1/clients/validate", .device,
            ["app_version": app.version, "app_platform": "ios", "os_version": "18.1"])
        for profile in told["removed_profiles"] as? [String] ?? [] { try forget(profile) }
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

    private func trade(_ landed: String?, state: String, verifier: String) throws -> Tokens {
        guard let landed else { throw Refused(9006) }
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
        _ fail: @escaping @Sendable (NSError) -> Void, _ work: @escaping @Sendable () throws -> Void
    ) {
        queue.async { if let error = self.failure(work) { fail(error) } }
    }

    private func failure(_ work: () throws -> Void) -> NSError? {
        do {
            try work()
            return nil
        } catch let refusal as Refused {
            obey(refusal.number)
            return Self.error(refusal.number, refusal.message)
        } catch {
            return Self.error((error as? URLError)?.code == .notConnectedToInternet ? 9000 : 9001, "\(error)")
        }
    }

    /// What is over at the server is over on the device.
    private func obey(_ number: Int) {
        switch number {
        case 9002: (kept, session) = (Kept(), nil)
        case 9003: kept.profiles.removeAll { $0.id == session?.profile }
        case 9020:
            if let index = kept.profiles.firstIndex(where: { $0.id == session?.profile }) {
                kept.profiles[index].key = nil
            }
        default: return
        }
        try? save()  // The next change saves it as well.
    }

    private static func error(_ number: Int) -> NSError { error(number, nil) }

    private static func error(_ number: Int, _ text: String?) -> NSError {
        NSError(
            domain: "com.onegini.error", code: number,
            userInfo: text.map { [NSLocalizedDescriptionKey: $0] } ?? [:])
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
        guard let url = URL(string: base + path) else { throw Refused(10015) }
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
        let (done, answer) = (DispatchSemaphore(value: 0), Answer())
        URLSession.shared.dataTask(with: request) { data, response, error in
            answer.fill((response as? HTTPURLResponse)?.statusCode ?? 0, data ?? Data(), error)
            done.signal()
        }.resume()
        done.wait()
        let (status, data) = try answer.get()
        let told = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
        guard status >= 400 else { return told }
        // The endpoints of OAuth know no numbers: there credentials that are unknown say it.
        let number =
            (told["sdk_code"] as? NSNumber)?.intValue
            ?? (told["error"] as? String == "invalid_client" ? 9002 : 10000)
        throw Refused(number, told)
    }
}

extension ONGChallengeSender {
    fileprivate func decide(_ confirms: Bool) { give(confirms ? "confirm" : "deny") }
}

/// An app's delegate, which is called on the main thread alone.
private struct Ears<Delegate>: @unchecked Sendable {
    let it: Delegate
    init(_ delegate: Delegate) { it = delegate }
}

/// What the network gave, behind a lock.
private final class Answer: @unchecked Sendable {
    private let lock = NSLock()
    private var status = 0
    private var data = Data()
    private var error: (any Error)?

    func fill(_ status: Int, _ data: Data, _ error: (any Error)?) {
        lock.withLock { (self.status, self.data, self.error) = (status, data, error) }
    }

    func get() throws -> (Int, Data) {
        try lock.withLock {
            if let error { throw error }
            return (status, data)
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
