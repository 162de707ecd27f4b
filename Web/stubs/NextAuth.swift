// A stand-in for nextAuth's Mobile SDK for iOS, for tests against Understudy. Not the vendor's code: it has the names of the vendor's public
// documentation (version 2 of the SDK) and speaks Understudy's open device protocol. understudy stub NextAuth.swift > NextAuth.swift
//
// It fits Understudy @VERSION@; after an update of the program take it anew. Needs Swift 5.9 or later, Foundation and CryptoKit.
// Put it into a module called NextAuth, and “import NextAuth” stays as it is. The only call that the vendor's SDK does not have is the first:
//
//     NextAuth.connect("http://localhost:8420/nextauth", constants: .init(appLoginInactivityTimeout: "5m", singleAccount: true))
//
// Names that public pages spell: NextAuth.default, NextAuth.Constants, setAccount(_:for:with:), sfInput, PIN, willConfirmEnrolFor,
// willConfirmLoginFor, didStartSecondFactorWith, didUpdateSecondFactorWith, sessionUpdate, isLoggedIn, isLoggedOut, info.announceInfo,
// NAAppLogin and the keys of Info.plist. The vendor's reference is not public: the other names are formed after these.
//
// Lacks: version 3 (flows and their updates), changes of the PIN, logos, getToken, the history, the QR code reader, pushes by APNS (they are
// pulled), manuallyStartUserInteraction. Keys are software keys in a file that nothing but the system protects.

import CryptoKit
import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// MARK: What an app hears

/// All of it on the main thread.
public protocol NextAuthDelegate: AnyObject {
    /// A new account is wanted: answer with `setAccount(nil, for:)` or `stopSession`. `vash`: a PNG, the visual hash of the server's key.
    @MainActor func nextAuth(_ nextAuth: NextAuth, willConfirmEnrolFor session: NASession, vash: Data?)
    /// A login is wanted: answer with `setAccount` and one of the accounts, or `stopSession`.
    @MainActor func nextAuth(
        _ nextAuth: NextAuth, willConfirmLoginFor session: NASession, accounts: [NAAccount])
    /// A transaction is to be signed: answer with `confirmTransaction`.
    @MainActor func nextAuth(
        _ nextAuth: NextAuth, willConfirmTransactionFor session: NASession, transaction: NATransaction)
    /// The second factor is wanted: answer with `sfInput`.
    @MainActor func nextAuth(_ nextAuth: NextAuth, didStartSecondFactorWith context: NASecondFactorContext)
    @MainActor func nextAuth(_ nextAuth: NextAuth, didUpdateSecondFactorWith result: NASecondFactorResult)
    /// `code`: a number of the device protocol, such as 34, no accounts for this server; 0 where the server could not be reached.
    @MainActor func nextAuth(_ nextAuth: NextAuth, didReceiveUserErrorMessage message: String, code: Int)
}

extension NextAuthDelegate {
    public func nextAuth(
        _ nextAuth: NextAuth, willConfirmTransactionFor session: NASession, transaction: NATransaction
    ) {}
    public func nextAuth(_ nextAuth: NextAuth, didReceiveUserErrorMessage message: String, code: Int) {}
}

public enum NASecondFactorContext: String, Sendable { case firstSet = "FIRST_SET", verify = "VERIFY" }

public enum NASecondFactorResult: String, Sendable {
    case success = "SUCCESS", wrong = "WRONG", blocked = "BLOCKED", cancelled = "CANCELLED"
}

/// Broadcast by NotificationCenter.default on the main thread. The object is the `NASession` or the `NAAccount`.
public enum NotificationNames {
    public static let sessionUpdate = Notification.Name("NextAuth.sessionUpdate")
    public static let accountUpdate = Notification.Name("NextAuth.accountUpdate")
    public static let accountDelete = Notification.Name("NextAuth.accountDelete")
}

// MARK: What an app handles

/// The field `benificiary` is spelled as the server's API spells it.
public struct NATransaction: Sendable {
    public let amount, benificiary, description: String?
}

public final class NAAccount: Sendable {
    public let id: Int
    public let serverID: String
    let key: P256.Signing.PrivateKey
    fileprivate let facts: Guarded<Facts>

    fileprivate struct Facts: Sendable {
        var userName: String
        var userID: String?
        var isBlocked = false
    }

    fileprivate init(
        id: Int, serverID: String, key: P256.Signing.PrivateKey, userName: String, userID: String?
    ) {
        (self.id, self.serverID, self.key) = (id, serverID, key)
        facts = Guarded(Facts(userName: userName, userID: userID))
    }

    /// The name that the enrolment gave it.
    public var userName: String { facts.value.userName }
    /// Nil as long as no back end has named the user.
    public var userID: String? { facts.value.userID }
    public var isBlocked: Bool { facts.value.isBlocked }
}

public final class NASession: Sendable {
    public enum State: Sendable { case starting, waitingForUserInput, active, done, error }

    /// What a back end says of itself to the user.
    public struct Info: Sendable {
        public let announceInfo: [String: String]
    }

    fileprivate struct Facts: Sendable {
        var id: String?
        var state = State.starting
        var account: NAAccount?
        var texts: [String: String] = [:]
        var webNonce: String?
        var reason: String?
    }

    public let isAppLogin: Bool
    fileprivate let facts = Guarded(Facts())

    fileprivate init(isAppLogin: Bool) { self.isAppLogin = isAppLogin }

    /// Nil before the login.
    public var id: String? { facts.value.id }
    public var state: State { facts.value.state }
    public var account: NAAccount? { facts.value.account }
    public var isLoggedIn: Bool { state == .active }
    public var isLoggedOut: Bool { state == .done }
    public var info: Info { Info(announceInfo: facts.value.texts) }
    /// Why it has ended: USER, INACTIVITY, APPLOGIN_TIMEOUT, PING_TIMEOUT, SERVER_LOGOUT, ACCOUNT_BLOCKED, ACCOUNT_DELETED or REPLACED.
    public var stopReason: String? { facts.value.reason }
}

/// A PIN on its way.
public final class PIN: Sendable {
    let digits: String
    public init(_ digits: String) { self.digits = digits }
}

/// The login to the app itself.
public final class NAAppLogin: Sendable {
    fileprivate init() {}

    /// Asks for the second factor where it is due, and for nothing else.
    public func start() { NextAuth.default.start("APPLOGIN", [:]) }
    public func stop() { NextAuth.default.stopAppLogin() }
    public var isLoggedIn: Bool { NextAuth.default.appLoginSession != nil }
    /// What the app hands its back end; nil unless logged in.
    public var webNonce: String? { NextAuth.default.appLoginSession?.facts.value.webNonce }
    public var userName: String? { NextAuth.default.appLoginSession?.account?.userName }

    public static func start() { NextAuth.default.appLogin.start() }
    public static func stop() { NextAuth.default.appLogin.stop() }
    public static var isLoggedIn: Bool { NextAuth.default.appLogin.isLoggedIn }
    public static var webNonce: String? { NextAuth.default.appLogin.webNonce }
    public static var userName: String? { NextAuth.default.appLogin.userName }
}

extension NextAuth {
    /// Members of the vendor's configuration reference; what is nil is as in Info.plist (NAAppLoginInactivityTimeout, NAAppLoginRequired,
    /// NASingleAccount, NAHideVash), or else the default. Durations are texts such as 5m. `appLoginRequired` is taken and has no effect.
    public struct Constants: Sendable {
        var flags: [String: Bool] = [:]
        var seconds: [String: Int] = [:]
        var hideVash: Bool
        var biometricsDisabled: Bool

        public init(
            alwaysRequireSecondFactorIfInactiveAppLogin: Bool? = nil,
            appLoginInactivityTimeout: String? = nil,
            appLoginRequired: Bool? = nil,
            automaticallySelectSingleAccountWhenSecondFactorNeeded: Bool? = nil,
            biometricsDisabled: Bool = false, blockSecondFactorOnPINBlocked: Bool? = nil,
            hideVash: Bool? = nil,
            secondFactorUserInputTimeout: String? = nil, singleAccount: Bool? = nil,
            timeoutAppLogin: String? = nil
        ) {
            func plist<Value>(_ name: String) -> Value? {
                Bundle.main.object(forInfoDictionaryKey: name) as? Value
            }
            flags["singleAccount"] = singleAccount ?? plist("NASingleAccount")
            flags["autoSelectSingleAccount"] = automaticallySelectSingleAccountWhenSecondFactorNeeded
            flags["alwaysRequireSecondFactorIfInactiveAppLogin"] = alwaysRequireSecondFactorIfInactiveAppLogin
            flags["blockSecondFactorOnPINBlocked"] = blockSecondFactorOnPINBlocked
            seconds["inactivityTimeout"] = (appLoginInactivityTimeout ?? plist("NAAppLoginInactivityTimeout"))
                .map(Self.duration)
            seconds["appLoginTimeout"] = timeoutAppLogin.map(Self.duration)
            seconds["secondFactorUserInputTimeout"] = secondFactorUserInputTimeout.map(Self.duration)
            self.hideVash = hideVash ?? plist("NAHideVash") ?? false
            self.biometricsDisabled = biometricsDisabled
        }

        private static func duration(_ text: String) -> Int {
            var (sum, digits) = (0, "")
            for character in text {
                if let unit = ["h": 3600, "m": 60, "s": 1][character], let number = Int(digits) {
                    (sum, digits) = (sum + unit * number, "")
                } else {
                    digits.append(character)
                }
            }
            precondition(digits.isEmpty && sum > 0, "“\(text)” is no duration such as 5m, 90s or 1h")
            return sum
        }

        fileprivate var wire: [String: Any] { (flags as [String: Any]).merging(seconds) { $1 } }
    }
}

// MARK: The SDK

public final class NextAuth: @unchecked Sendable {
    // Mutable state belongs to the queue, except for what is guarded.

    public static let `default` = NextAuth()
    public let appLogin = NAAppLogin()

    private struct Refused: Error {
        let number, status: Int
        let message: String
    }

    /// A session of which something is asked.
    private final class Step {
        var flow: [String: Any]
        let session: NASession
        var newKey: P256.Signing.PrivateKey?
        var isConfirmed = false
        var isAsked = false

        init(_ flow: [String: Any], _ session: NASession) { (self.flow, self.session) = (flow, session) }

        var id: String { flow["flowid"] as? String ?? "" }
        var type: String { flow["type"] as? String ?? "" }
        var challenge: String { flow["challenge"] as? String ?? "" }
        var interaction: [String: Any]? { flow["interaction"] as? [String: Any] }
        var wish: String? { interaction?["type"] as? String }
    }

    private weak var appDelegate: (any NextAuthDelegate)?
    private let lock = NSLock()
    private let queue = DispatchQueue(label: "nextAuth stub")
    private let known = Guarded((accounts: [NAAccount](), sessions: [NASession](), appLogin: NASession?.none))
    private let token = Guarded(String?.none)
    private var base = ""
    private var constants = Constants()
    private var storage: URL?
    private var instance = ""
    private var lastEvent = 0
    private var biometrics: P256.Signing.PrivateKey?
    private var step: Step?
    private var handled: Set<String> = []
    private var waiting: [(kind: String, message: String)] = []
    /// Of the user's last deed, by the server's clock.
    private var activity = 0
    private var idle: DispatchWorkItem?
    private var pings: [String: DispatchWorkItem] = [:]

    private init() {}

    /// Begins; stands for the vendor's initialisation with a signed configuration. Calling it again ends what ran before.
    ///
    /// - Parameters:
    ///   - url: of nextAuth in Understudy, such as `http://localhost:8420/nextauth`, in a world of its own `…/w/NAME/nextauth`.
    ///   - storage: a file for accounts and keys; without it they are gone with the process.
    public static func connect(_ url: String, constants: Constants = Constants(), storage: URL? = nil) {
        `default`.queue.sync { `default`.begin(url, constants, storage) }
    }

    public var delegate: (any NextAuthDelegate)? {
        get { lock.withLock { appDelegate } }
        set { lock.withLock { appDelegate = newValue } }
    }

    // MARK: What an app calls

    /// Bytes of a QR code, enrolment or login.
    public func startSession(_ data: Data) { startSession(String(decoding: data, as: UTF8.self)) }

    /// The text of a QR code, or a link that has its base64url behind the scheme.
    public func startSession(_ text: String) {
        let encoded = text.split(separator: ":").last.map(String.init) ?? ""
        let code =
            text.hasPrefix("na1;")
            ? text : Data(base64url: encoded).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let parts = code.split(separator: ";", omittingEmptySubsequences: false)
        guard parts.count > 4, parts[0] == "na1",
            let kind = ["E": "ENROL", "L": "LOGIN", "S": "TRANSACTION"][parts[1]]
        else {
            return later {
                throw Refused(
                    number: 1, status: 400,
                    message: "“\(text.prefix(60))” is not a code of Understudy's nextAuth")
            }
        }
        start(kind, ["data": code])
    }

    /// Confirms an enrolment, or a login with one of the accounts. `userInput`: text for the back end.
    public func setAccount(_ account: NAAccount?, for session: NASession, with userInput: String? = nil) {
        answer(session) { [self] step in
            var body: [String: Any] = [:]
            body["userinput"] = userInput
            step.isConfirmed = true
            if step.type == "ENROL" {
                let key = P256.Signing.PrivateKey()
                step.newKey = key
                let publicKey = key.publicKey.derRepresentation.base64url
                body["publickey"] = publicKey
                body["description"] = "Understudy stub"
                body["signature"] = try sign(key, step.id, step.type, step.challenge, publicKey, "")
            } else {
                let candidates = candidates(step)
                guard let chosen = account ?? (candidates.count == 1 ? candidates[0] : nil) else {
                    throw Refused(
                        number: 37, status: 409, message: "Give one of the accounts of willConfirmLoginFor.")
                }
                body["accountid"] = chosen.id
                body["signature"] = try sign(step, chosen)
            }
            try take(step, "confirm", body)
        }
    }

    public func confirmTransaction(_ session: NASession, approve: Bool) {
        answer(session) { [self] step in
            let signature = try sign(step, owner(step), approve ? "1" : "0")
            try take(step, "confirm", ["approve": approve, "signature": signature])
        }
    }

    public func sfInput(_ pin: PIN) { factor(pin, false) }
    /// Biometrics. The argument is not looked at: what the user's finger has unlocked is the app's business.
    public func sfInput(_ info: Any) { factor(nil, true) }
    /// Sets up both.
    public func sfInput(_ pin: PIN, and info: Any) { factor(pin, true) }

    /// Ends a session, or cancels what is being asked.
    public func stopSession(_ session: NASession) { later { [self] in try stop(session, "USER") } }

    /// Counts as activity of the user, as does `accounts`.
    public var sessions: [NASession] {
        active()
        return known.value.sessions
    }

    public var accounts: [NAAccount] {
        active()
        return known.value.accounts
    }

    public func deleteAccount(_ account: NAAccount) {
        later { [self] in
            try noteActivity()
            let challenge = try object("POST", "/instance/challenge")["challenge"] as? String ?? ""
            let signature = try sign(account.key, instance, "DELETE_ACCOUNT", challenge, "\(account.id)", "")
            _ = try call("DELETE", "/accounts/\(account.id)", ["signature": signature])
            forget(account)
        }
    }

    /// Registers for pushes; the stub pulls them, whatever the token is.
    public func updatePushToken(_ token: String) {
        later { [self] in _ = try call("PUT", "/instance", ["pushtoken": token]) }
    }

    var appLoginSession: NASession? { known.value.appLogin }

    func stopAppLogin() {
        later { [self] in if let session = appLoginSession { try stop(session, "USER") } }
    }

    func start(_ kind: String, _ wish: [String: String]) {
        later { [self] in
            try register()
            try noteActivity()
            try begin(kind, wish)
        }
    }

    // MARK: Work of the queue

    private func later(_ work: @escaping @Sendable () throws -> Void) { queue.async { self.guarded(work) } }

    private func guarded(_ work: () throws -> Void) {
        do {
            try work()
        } catch let refusal as Refused {
            if refusal.status == 401 { forgetAll() }
            abandon()
            tell { $1.nextAuth($0, didReceiveUserErrorMessage: refusal.message, code: refusal.number) }
        } catch {
            abandon()
            let text = "\(error)"
            tell { $1.nextAuth($0, didReceiveUserErrorMessage: text, code: 0) }
        }
    }

    private func tell(_ words: @escaping @MainActor @Sendable (NextAuth, any NextAuthDelegate) -> Void) {
        DispatchQueue.main.async {
            MainActor.assumeIsolated { if let delegate = self.delegate { words(self, delegate) } }
        }
    }

    private func post(_ name: Notification.Name, _ object: some AnyObject & Sendable) {
        DispatchQueue.main.async { NotificationCenter.default.post(name: name, object: object) }
    }

    private func begin(_ url: String, _ constants: Constants, _ storage: URL?) {
        (base, self.constants, self.storage) = (
            (url.hasSuffix("/") ? String(url.dropLast()) : url) + "/device/v1", constants, storage
        )
        (instance, lastEvent, biometrics, step, waiting, handled) = ("", 0, nil, nil, [], [])
        (idle, pings) = (nil, [:])
        token.value = nil
        known.value = ([], [], nil)
        load()
        guard token.value != nil else { return }
        later { [self] in
            // What ran when the process ended is over: an AppLogin is tied to the app.
            for session in try object("GET", "/instance")["sessions"] as? [[String: Any]] ?? [] {
                _ = try call("POST", "/sessions/\(session["sessionid"] ?? "")/stop", ["reason": "USER"])
            }
            listen()
        }
    }

    private func register() throws {
        guard token.value == nil else { return }
        let made = try object("POST", "/instances", ["platform": "ios", "clientVersion": "2.0-stub"])
        instance = made["instanceid"] as? String ?? ""
        token.value = made["token"] as? String
        lastEvent = 0
        try save()
        listen()
    }

    /// Says that the user did something, as the inactivity timeout wants to know.
    private func active() { later { [self] in if token.value != nil { try noteActivity() } } }

    private func noteActivity() throws {
        activity = try object("GET", "/sessions").number("time") ?? 0
        idle?.cancel()
        guard let seconds = constants.seconds["inactivityTimeout"] else { return }
        idle = schedule(Double(seconds)) { [self] in
            if let session = appLoginSession { try stop(session, "INACTIVITY") }
        }
    }

    private func schedule(_ seconds: Double, _ work: @escaping @Sendable () throws -> Void)
        -> DispatchWorkItem
    {
        let item = DispatchWorkItem { self.guarded(work) }
        queue.asyncAfter(deadline: .now() + seconds, execute: item)
        return item
    }

    // MARK: Flows

    private func begin(_ kind: String, _ wish: [String: String]) throws {
        guard step == nil else {
            throw Refused(
                number: 37, status: 409, message: "Another session waits for the user; stop it first.")
        }
        let flow = try object(
            "POST", "/flows", ["type": kind, "config": constants.wire].merging(wish) { $1 })
        step = Step(flow, NASession(isAppLogin: kind == "APPLOGIN"))
        try proceed()
    }

    private func proceed() throws {
        guard let step else { return }
        if let texts = (step.interaction?["announceinfo"] as? [String: Any])?["info"] as? [String: String] {
            step.session.facts.change { $0.texts = texts }
        }
        switch step.flow["state"] as? String {
        case "DONE": try finish(step)
        case "ERROR": fail(step)
        default:
            step.session.facts.change { $0.state = .waitingForUserInput }
            try ask(step)
        }
    }

    private func ask(_ step: Step) throws {
        let session = step.session
        switch step.wish {
        case "CONFIRM" where step.type == "ENROL":
            let vash = (step.flow["server"] as? [String: Any])?["vash"] as? String
            let image = constants.hideVash ? nil : vash.flatMap { Data(base64url: $0) }
            tell { $1.nextAuth($0, willConfirmEnrolFor: session, vash: image) }
        case "CONFIRM":
            let accounts = candidates(step)
            tell { $1.nextAuth($0, willConfirmLoginFor: session, accounts: accounts) }
        case "CONFIRM_TRANSACTION":
            let asked = step.interaction?["transaction"] as? [String: Any] ?? [:]
            let transaction = NATransaction(
                amount: asked["amount"] as? String, benificiary: asked["benificiary"] as? String,
                description: asked["description"] as? String)
            tell { $1.nextAuth($0, willConfirmTransactionFor: session, transaction: transaction) }
        case nil: try take(step, "complete", ["signature": sign(step, owner(step))])
        default:
            guard !step.isAsked, let word = step.interaction?["context"] as? String,
                let context = NASecondFactorContext(rawValue: word)
            else { return }
            step.isAsked = true
            tell { $1.nextAuth($0, didStartSecondFactorWith: context) }
        }
    }

    private func candidates(_ step: Step) -> [NAAccount] {
        let told = step.interaction?["accounts"] as? [[String: Any]] ?? []
        return told.compactMap { one in known.value.accounts.first { $0.id == one.number("accountid") } }
    }

    private func owner(_ step: Step) throws -> NAAccount {
        let server = (step.flow["server"] as? [String: Any])?["serverid"] as? String ?? ""
        let plain = server.replacingOccurrences(of: "=", with: "")
        let found =
            candidates(step).first
            ?? known.value.accounts.first { $0.serverID.replacingOccurrences(of: "=", with: "") == plain }
        guard let found else {
            throw Refused(number: 31, status: 404, message: "The account is not on this device.")
        }
        return found
    }

    private func sign(_ step: Step, _ account: NAAccount, _ approve: String = "") throws -> String {
        try sign(account.key, step.id, step.type, step.challenge, "\(account.id)", approve)
    }

    private func answer(_ session: NASession, _ work: @escaping @Sendable (Step) throws -> Void) {
        later { [self] in
            try noteActivity()
            guard let step, step.session === session else {
                throw Refused(number: 37, status: 409, message: "This session waits for nothing.")
            }
            try work(step)
        }
    }

    private func factor(_ pin: PIN?, _ biometric: Bool) {
        later { [self] in
            guard let step, step.isAsked else {
                throw Refused(number: 37, status: 409, message: "No second factor is asked for.")
            }
            try noteActivity()
            let isNew = step.wish == "SET_SECOND_FACTOR"
            try take(step, "secondfactor", isNew ? newFactor(pin, biometric) : proof(step, pin))
        }
    }

    private func newFactor(_ pin: PIN?, _ biometric: Bool) throws -> [String: Any] {
        guard let pin else { throw Refused(number: 37, status: 409, message: "The first time needs a PIN.") }
        var body = ["pinkey": pinKey(pin).base64url]
        if biometric, !constants.biometricsDisabled {
            let key = P256.Signing.PrivateKey()
            biometrics = key
            body["biometrickey"] = key.publicKey.derRepresentation.base64url
        }
        return body
    }

    private func proof(_ step: Step, _ pin: PIN?) throws -> [String: Any] {
        var body: [String: Any] = [:]
        // An enrolment or a confirmed step was signed before.
        if !step.isConfirmed, step.type != "TRANSACTION" { body["signature"] = try sign(step, owner(step)) }
        if let pin {
            body["pinproof"] = hmac(pinKey(pin), Data(base64url: step.challenge) ?? Data()).base64url
        } else {
            guard let biometrics else {
                throw Refused(number: 37, status: 409, message: "No biometrics are set up.")
            }
            let subject = try step.newKey?.publicKey.derRepresentation.base64url ?? "\(owner(step).id)"
            body["biometricsignature"] = try sign(
                biometrics, step.id, step.type, step.challenge, subject, step.type == "TRANSACTION" ? "1" : ""
            )
        }
        return body
    }

    /// Takes a step and says what came of the second factor.
    private func take(_ step: Step, _ name: String, _ body: [String: Any]) throws {
        step.flow = try object("POST", "/flows/\(step.id)/\(name)", body)
        if name == "secondfactor", let word = step.interaction?["result"] as? String,
            let result = NASecondFactorResult(rawValue: word)
        {
            tell { $1.nextAuth($0, didUpdateSecondFactorWith: result) }
        }
        try proceed()
    }

    private func finish(_ step: Step) throws {
        self.step = nil
        if let told = step.flow["session"] as? [String: Any],
            let owner = step.flow["account"] as? [String: Any]
        {
            try begin(step, told, owner)
        } else {
            step.session.facts.change { $0.state = .done }
        }
        next()
    }

    private func begin(_ step: Step, _ told: [String: Any], _ owner: [String: Any]) throws {
        let number = owner.number("accountid") ?? 0
        let (userName, userID) = (owner["username"] as? String ?? "", owner["userid"] as? String)
        if let key = step.newKey {
            let server = owner["serverid"] as? String ?? ""
            let made = NAAccount(id: number, serverID: server, key: key, userName: userName, userID: userID)
            known.change { $0.accounts.append(made) }
        }
        let account = known.value.accounts.first { $0.id == number }
        account?.facts.change { ($0.userName, $0.userID) = (userName, userID) }
        try save()
        let (session, pingTime) = (step.session, told.number("pingTime") ?? 0)
        session.facts.change {
            ($0.id, $0.webNonce) = (told["sessionid"] as? String, told["webnonce"] as? String)
            ($0.account, $0.state) = (account, .active)
        }
        known.change {
            if pingTime > 0 { $0.sessions.append(session) }
            if session.isAppLogin { $0.appLogin = session }
        }
        if pingTime > 0 { ping(session, in: Double(pingTime) / 2) }
        post(NotificationNames.sessionUpdate, session)
    }

    private func fail(_ step: Step) {
        let error = step.flow["error"] as? [String: Any] ?? [:]
        let (number, message) = (
            error.number("number") ?? 0, error["message"] as? String ?? "the session has failed"
        )
        abandon()
        tell { $1.nextAuth($0, didReceiveUserErrorMessage: message, code: number) }
    }

    private func abandon() {
        step?.session.facts.change { $0.state = .error }
        step = nil
        next()
    }

    /// The next push that had to wait.
    private func next() {
        guard step == nil, !waiting.isEmpty else { return }
        let (kind, message) = waiting.removeFirst()
        later { [self] in try begin(kind, ["messageid": message]) }
    }

    // MARK: Sessions that run

    private func ping(_ session: NASession, in seconds: Double) {
        guard let id = session.id else { return }
        pings.removeValue(forKey: id)?.cancel()
        pings[id] = schedule(seconds) { [self] in try pingNow(session) }
    }

    private func pingNow(_ session: NASession) throws {
        do {
            let told = try object(
                "POST", "/sessions/\(session.id ?? "")/ping",
                session.isAppLogin ? ["activity": activity] : [:])
            ping(session, in: Double(told.number("next") ?? 60))
        } catch let refusal as Refused where refusal.status == 404 {
            // The reason comes as an event.
        }
    }

    private func stop(_ session: NASession, _ reason: String) throws {
        if let step, step.session === session {
            _ = try call("POST", "/flows/\(step.id)/cancel", [:])
            self.step = nil
            session.facts.change { ($0.state, $0.reason) = (.error, reason) }
            if step.isAsked { tell { $1.nextAuth($0, didUpdateSecondFactorWith: .cancelled) } }
            post(NotificationNames.sessionUpdate, session)
            return next()
        }
        guard let id = session.id else { return }
        do {
            _ = try call("POST", "/sessions/\(id)/stop", ["reason": reason])
        } catch let refusal as Refused where refusal.status == 404 {
            // It has ended already.
        }
        end(session, reason)
    }

    private func end(_ session: NASession, _ reason: String) {
        guard known.value.sessions.contains(where: { $0 === session }) else { return }
        if let id = session.id { pings.removeValue(forKey: id)?.cancel() }
        session.facts.change { ($0.state, $0.reason) = (.done, reason) }
        known.change {
            $0.sessions.removeAll { $0 === session }
            if $0.appLogin === session { $0.appLogin = nil }
        }
        post(NotificationNames.sessionUpdate, session)
    }

    private func forget(_ account: NAAccount) {
        guard known.value.accounts.contains(where: { $0 === account }) else { return }
        for session in known.value.sessions where session.account === account {
            end(session, "ACCOUNT_DELETED")
        }
        known.change { $0.accounts.removeAll { $0 === account } }
        if known.value.accounts.isEmpty { biometrics = nil }
        guarded { try save() }
        post(NotificationNames.accountDelete, account)
    }

    /// The server does not know this installation any more: its world was made anew.
    private func forgetAll() {
        token.value = nil
        for account in known.value.accounts { forget(account) }
    }

    // MARK: Events

    private func listen() {
        guard let mine = token.value else { return }
        let thread = Thread { [self] in
            while token.value == mine {
                let result = Result { try call("GET", "/events?since=\(queue.sync { lastEvent })&wait=25") }
                guard token.value == mine else { return }
                switch result {
                case .success(let told): queue.sync { guarded { try heed(told) } }
                case .failure(let refusal as Refused):
                    if refusal.status == 401 { queue.sync { if token.value == mine { forgetAll() } } }
                    return
                case .failure: Thread.sleep(forTimeInterval: 1)
                }
            }
        }
        thread.start()
    }

    private func heed(_ data: Data) throws {
        let told = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        lastEvent = told.number("last") ?? lastEvent
        for event in told["events"] as? [[String: Any]] ?? [] {
            let session = known.value.sessions.first { $0.id == event["sessionid"] as? String }
            let account = known.value.accounts.first { $0.id == event.number("accountid") }
            switch event["type"] as? String {
            case "PING": if let session { try pingNow(session) }
            case "SESSION_STOP": if let session { end(session, event["reason"] as? String ?? "UNKNOWN") }
            case "ACCOUNT_DELETED": if let account { forget(account) }
            case "ACCOUNT_UPDATED":
                guard let account else { continue }
                account.facts.change {
                    $0.userName = event["username"] as? String ?? $0.userName
                    $0.userID = event["userid"] as? String
                    $0.isBlocked = event["blocked"] as? Bool ?? false
                }
                post(NotificationNames.accountUpdate, account)
            case "MESSAGE": try pull()
            default: break
            }
        }
        try save()
    }

    /// Pushes that wait. No activity of the user.
    private func pull() throws {
        let messages =
            try JSONSerialization.jsonObject(with: call("GET", "/messages")) as? [[String: Any]] ?? []
        for message in messages {
            guard let id = message["messageid"] as? String, let kind = message["type"] as? String,
                handled.insert(id).inserted
            else { continue }
            if kind == "LOGIN" || kind == "TRANSACTION" {
                waiting.append((kind, id))
            } else {
                _ = try call("POST", "/messages/\(id)/read", [:])
            }
        }
        next()
    }

    // MARK: Wire

    private func object(_ method: String, _ path: String, _ body: [String: Any]? = nil) throws -> [String:
        Any]
    {
        try JSONSerialization.jsonObject(with: call(method, path, body)) as? [String: Any] ?? [:]
    }

    private func call(_ method: String, _ path: String, _ body: [String: Any]? = nil) throws -> Data {
        guard let url = URL(string: base + path) else {
            throw Refused(number: 1, status: 400, message: "“\(base)” is no address")
        }
        var request = URLRequest(url: url, timeoutInterval: 60)
        request.httpMethod = method
        if let token = token.value {
            request.setValue("Device \(token)", forHTTPHeaderField: "Authorization")
        }
        if let body {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = try JSONSerialization.data(withJSONObject: body)
        }
        let (done, answer) = (
            DispatchSemaphore(value: 0), Guarded(Result<(Int, Data), any Error>.success((0, Data())))
        )
        URLSession.shared.dataTask(with: request) { data, response, error in
            if let error {
                answer.value = .failure(error)
            } else {
                answer.value = .success(((response as? HTTPURLResponse)?.statusCode ?? 0, data ?? Data()))
            }
            done.signal()
        }.resume()
        done.wait()
        let (status, data) = try answer.value.get()
        guard status >= 400 else { return data }
        let told = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
        let message = told["message"] as? String ?? String(decoding: data, as: UTF8.self)
        throw Refused(number: told.number("number") ?? 0, status: status, message: message)
    }

    // MARK: Proofs

    private func sign(_ key: P256.Signing.PrivateKey, _ lines: String...) throws -> String {
        let text = (["understudy-nextauth-1"] + lines).map { $0 + "\n" }.joined()
        return try key.signature(for: Data(text.utf8)).derRepresentation.base64url
    }

    private func hmac(_ key: Data, _ data: Data) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: data, using: SymmetricKey(data: key)))
    }

    /// PBKDF2 with HMAC-SHA-256, 10,000 rounds, one block. Source: RFC 8018 §5.2.
    private func pinKey(_ pin: PIN) -> Data {
        let key = SymmetricKey(data: Data(pin.digits.utf8))
        var round = Data(
            HMAC<SHA256>.authenticationCode(
                for: (Data(base64url: instance) ?? Data()) + [0, 0, 0, 1], using: key))
        var sum = [UInt8](round)
        for _ in 1..<10_000 {
            round = Data(HMAC<SHA256>.authenticationCode(for: round, using: key))
            for (index, byte) in round.enumerated() { sum[index] ^= byte }
        }
        return Data(sum)
    }

    // MARK: What outlives the process

    private struct Kept: Codable {
        struct Account: Codable {
            let id: Int
            let serverID, userName: String
            let userID: String?
            let key: Data
        }

        let instance: String
        let token: String?
        let lastEvent: Int
        let biometrics: Data?
        let accounts: [Account]
    }

    private func save() throws {
        guard let storage else { return }
        let accounts = known.value.accounts.map {
            Kept.Account(
                id: $0.id, serverID: $0.serverID, userName: $0.userName, userID: $0.userID,
                key: $0.key.rawRepresentation)
        }
        let kept = Kept(
            instance: instance, token: token.value, lastEvent: lastEvent,
            biometrics: biometrics?.rawRepresentation, accounts: accounts)
        try JSONEncoder().encode(kept).write(to: storage, options: .atomic)
    }

    private func load() {
        guard let storage, let data = try? Data(contentsOf: storage) else { return }
        guarded {
            let kept = try JSONDecoder().decode(Kept.self, from: data)
            (instance, lastEvent) = (kept.instance, kept.lastEvent)
            token.value = kept.token
            biometrics = try kept.biometrics.map { try P256.Signing.PrivateKey(rawRepresentation: $0) }
            known.value.accounts = try kept.accounts.map {
                NAAccount(
                    id: $0.id, serverID: $0.serverID,
                    key: try P256.Signing.PrivateKey(rawRepresentation: $0.key),
                    userName: $0.userName, userID: $0.userID)
            }
        }
    }
}

/// A value behind a lock.
private final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) { stored = value }

    var value: Value {
        get { lock.withLock { stored } }
        set { lock.withLock { stored = newValue } }
    }

    func change(_ work: (inout Value) -> Void) { lock.withLock { work(&stored) } }
}

extension Dictionary<String, Any> {
    fileprivate func number(_ name: String) -> Int? { (self[name] as? NSNumber)?.intValue }
}

extension Data {
    fileprivate var base64url: String {
        base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(
            of: "/", with: "_"
        )
        .replacingOccurrences(of: "=", with: "")
    }

    fileprivate init?(base64url text: String) {
        let plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
            .replacingOccurrences(of: "=", with: "")
        self.init(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))
    }
}
