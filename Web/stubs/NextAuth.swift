// A stand-in for nextAuth's Mobile SDK for iOS, for tests against Understudy. Not the vendor's code: it has the names of the vendor's public
// documentation, of version 2 and of version 3 of the SDK, and speaks Understudy's open device protocol.
// understudy stub NextAuth.swift > NextAuth.swift; how to put it into a project, and how to swap it back: /docs/stubs.md.
//
// It fits Understudy @VERSION@; after an update of the program take it anew. Needs Swift 5.9 or later, Foundation and CryptoKit.
// Put it into a module called NextAuth, and “import NextAuth” stays as it is. The only call that the vendor's SDK does not have is the first:
//
//     NextAuth.connect("http://localhost:8420/nextauth", constants: .init(appLoginInactivityTimeout: "5m", singleAccount: true))
//
// Both faces are in this file. As in the vendor's version 3, `legacyUserInteraction: true` asks for the delegate's methods of version 2 alone,
// false for those of version 3 alone. Without it both are called, so that an app of either version hears its own.
//
// Names that public pages spell: NextAuth.default, accounts, deleteAccount, NextAuth.Constants, NextAuth.AppLogin with start, stop and session,
// NextAuth.NotificationNames, Session with isAppLogin, isLoggedIn, isLoggedOut, webNonce, username, account and info.announceInfo,
// Account.username, setAccount(_:for:with:), sfInput, PIN, willConfirmEnrolFor, willConfirmLoginFor, didStartSecondFactorWith,
// didUpdateSecondFactorWith, FlowService with start(with:) and inputSecondFactor, Transaction, create(transaction:), the fields of flows and
// interactions, NextAuthError, getToken, retrieveMessages, the keys of Info.plist, the numbers of error codes below 1000.
// The vendor's reference is not public: the other names (inputConfirm, cancel, didUpdate, …) are formed after these.
//
// Lacks: flows that change the PIN or the biometrics, transactions that the app makes, getToken, logos, the history, the QR code reader,
// pushes by APNS (they are pulled), manuallyStartUserInteraction. Keys are software keys in a file that nothing but the system protects.

import CryptoKit
import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// MARK: What an app hears

/// All of it on the main thread. Implement those of the version that the app is written for.
public protocol NextAuthDelegate: AnyObject {
    // Version 2.

    /// A new account is wanted: answer with `setAccount(nil, for:)` or `stopSession`. `vash`: a PNG, the visual hash of the server's key.
    @MainActor func nextAuth(_ nextAuth: NextAuth, willConfirmEnrolFor session: Session, vash: Data?)
    /// A login is wanted: answer with `setAccount` and one of the accounts, or `stopSession`.
    @MainActor func nextAuth(
        _ nextAuth: NextAuth, willConfirmLoginFor session: Session, accounts: [Account])
    /// A transaction is to be signed: answer with `confirmTransaction`.
    @MainActor func nextAuth(
        _ nextAuth: NextAuth, willConfirmTransactionFor session: Session, transaction: Transaction)
    /// The second factor is wanted: answer with `sfInput`.
    @MainActor func nextAuth(_ nextAuth: NextAuth, didStartSecondFactorWith context: SecondFactorContext)
    @MainActor func nextAuth(_ nextAuth: NextAuth, didUpdateSecondFactorWith result: SecondFactorResult)
    /// `code`: the number of a `NextAuthError`, such as 34, no accounts for this server.
    @MainActor func nextAuth(_ nextAuth: NextAuth, didReceiveUserErrorMessage message: String, code: Int)

    // Version 3.

    /// A flow goes on. Where its state is `waitForInput`, answer by the `FlowService` what its current interaction asks.
    @MainActor func nextAuth(_ nextAuth: NextAuth, didUpdate flow: Flow)
    /// Something went wrong outside of a flow.
    @MainActor func nextAuth(_ nextAuth: NextAuth, didReceive error: NextAuthError)
    /// What `retrieveMessages` found; logins and transactions among them start their flows by themselves.
    @MainActor func nextAuth(_ nextAuth: NextAuth, didRetrieve messages: [Message])
    /// Something went wrong for good: accounts and keys cannot be kept.
    @MainActor func nextAuth(_ nextAuth: NextAuth, didPanicWith message: String)
}

extension NextAuthDelegate {
    public func nextAuth(_ nextAuth: NextAuth, willConfirmEnrolFor session: Session, vash: Data?) {}
    public func nextAuth(_ nextAuth: NextAuth, willConfirmLoginFor session: Session, accounts: [Account]) {}
    public func nextAuth(
        _ nextAuth: NextAuth, willConfirmTransactionFor session: Session, transaction: Transaction
    ) {}
    public func nextAuth(_ nextAuth: NextAuth, didStartSecondFactorWith context: SecondFactorContext) {}
    public func nextAuth(_ nextAuth: NextAuth, didUpdateSecondFactorWith result: SecondFactorResult) {}
    public func nextAuth(_ nextAuth: NextAuth, didReceiveUserErrorMessage message: String, code: Int) {}
    public func nextAuth(_ nextAuth: NextAuth, didUpdate flow: Flow) {}
    public func nextAuth(_ nextAuth: NextAuth, didReceive error: NextAuthError) {}
    public func nextAuth(_ nextAuth: NextAuth, didRetrieve messages: [Message]) {}
    public func nextAuth(_ nextAuth: NextAuth, didPanicWith message: String) {}
}

public enum SecondFactorContext: String, Sendable { case firstSet = "FIRST_SET", verify = "VERIFY" }

public enum SecondFactorResult: String, Sendable {
    case success = "SUCCESS", wrong = "WRONG", blocked = "BLOCKED", cancelled = "CANCELLED"
}

/// Why something did not work.
public struct NextAuthError: Error, Sendable, CustomStringConvertible {
    /// Numbers below 1000 are the vendor's; from 1000 on they are 1000 and the number of Understudy's device protocol.
    public enum Reason: Int, Sendable, CaseIterable {
        /// The server could not be reached, or what answered is not Understudy.
        case unreachable = 0
        case qrParsingError = 32
        case qrUnknownType = 33
        case noAccountsForServer = 34
        case singleAccount = 40
        case enrolQRExpired = 41
        case serverAuthenticationFailed = 48
        case serverParametersNoResult = 64
        case badRequest = 1001
        case unknownInstallation = 1002
        case flowNotFound = 1036
        /// A step that does not fit, such as a second flow at a time.
        case wrongState = 1037
        case multipleAccounts = 1038
        case continuousAuthenticationRequired = 1039
        case secondFactorBlocked = 1041
        /// The vendor's SDK can, this stub cannot.
        case notEmulated = 1501

        /// - Parameters:
        ///   - number: of the device protocol.
        ///   - kind: of the flow.
        fileprivate init(number: Int, kind: String?) {
            switch number {
            case 0: self = .unreachable  // Not an answer of the device protocol.
            case 3, 30, 31: self = .serverAuthenticationFailed
            case 34: self = .noAccountsForServer
            case 35: self = .serverParametersNoResult
            case 38: self = kind == "ENROL" ? .singleAccount : .multipleAccounts
            case 40: self = .enrolQRExpired
            default: self = Self(rawValue: 1000 + number) ?? .badRequest
            }
        }
    }

    public let reason: Reason
    public let description: String

    fileprivate init(_ reason: Reason, _ description: String) {
        (self.reason, self.description) = (reason, description)
    }

    public var code: Int { reason.rawValue }
    public var localizedDescription: String { description }
    /// As the vendor spells them, such as NO_ACCOUNTS_FOR_SERVER.
    public var name: String {
        let word = "\(reason)"
        return word.indices.reduce(into: "") { name, index in
            let isStart =
                index > word.startIndex && word[index].isUppercase && word[word.index(before: index)].isLowercase
            name += (isStart ? "_" : "") + word[index].uppercased()
        }
    }
}

// MARK: What an app handles

/// Of version 2 the first three, from the back end; the field `benificiary` is spelled as the server's API spells it. The others the vendor's
/// app of version 3 sets, which this stub does not take.
public struct Transaction: Sendable {
    public fileprivate(set) var amount, benificiary, description: String?
    public var clientState, clientAdditionalData: Data?
    public var requiredSecondFactorType: InteractionSecondFactorInfo.SecondFactorType?

    public init(
        clientState: Data? = nil, clientAdditionalData: Data? = nil,
        requiredSecondFactorType: InteractionSecondFactorInfo.SecondFactorType? = nil
    ) {
        (self.clientState, self.clientAdditionalData) = (clientState, clientAdditionalData)
        self.requiredSecondFactorType = requiredSecondFactorType
    }

    fileprivate init(_ asked: [String: Any]) {
        (amount, benificiary) = (asked["amount"] as? String, asked["benificiary"] as? String)
        description = asked["description"] as? String
    }
}

public final class Account: NSObject, Sendable {
    public let id: Int
    public let serverID: String
    let key: P256.Signing.PrivateKey
    fileprivate let facts: Guarded<Facts>

    fileprivate struct Facts: Sendable {
        var username: String
        var userID: String?
        var isBlocked = false
    }

    fileprivate init(
        id: Int, serverID: String, key: P256.Signing.PrivateKey, username: String, userID: String?
    ) {
        (self.id, self.serverID, self.key) = (id, serverID, key)
        facts = Guarded(Facts(username: username, userID: userID))
    }

    /// The name that the enrolment gave it.
    public var username: String { facts.value.username }
    /// Nil as long as no back end has named the user.
    public var userID: String? { facts.value.userID }
    public var isBlocked: Bool { facts.value.isBlocked }
}

public final class Session: NSObject, Sendable {
    public enum State: String, Sendable {
        case starting = "STARTING", waitingForUserInput = "WAITING_FOR_USER_INPUT", active = "ACTIVE"
        case done = "DONE", error = "ERROR"
    }

    /// What a back end says of itself to the user.
    public struct Info: Sendable {
        public let announceInfo: [String: String]
    }

    fileprivate struct Facts: Sendable {
        var id: String?
        var state = State.starting
        var account: Account?
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
    public var account: Account? { facts.value.account }
    public var isLoggedIn: Bool { state == .active }
    public var isLoggedOut: Bool { state == .done }
    /// Of an AppLogin, what the app hands its back end; nil unless logged in.
    public var webNonce: String? { isLoggedIn ? facts.value.webNonce : nil }
    /// Nil unless logged in.
    public var username: String? { isLoggedIn ? account?.username : nil }
    public var info: Info { Info(announceInfo: facts.value.texts) }
    /// Why it has ended: USER, INACTIVITY, APPLOGIN_TIMEOUT, PING_TIMEOUT, SERVER_LOGOUT, ACCOUNT_BLOCKED, ACCOUNT_DELETED or REPLACED.
    public var stopReason: String? { facts.value.reason }
}

/// LOGIN, TRANSACTION, LOGOUT or ACCOUNT_DELETED, of version 3.
public struct Message: Sendable { public let id, type: String }

/// A PIN on its way.
public final class PIN: Sendable {
    let digits: String
    public init(_ digits: String) { self.digits = digits }
}

// MARK: Flows, of version 3

/// Where a flow stands.
public struct Flow: Sendable {
    public enum Kind: String, Sendable {
        case enrol = "ENROL", login = "LOGIN", signTransaction = "SIGN_TRANSACTION", changePIN = "CHANGE_PIN"
        case addBiometrics = "ADD_BIOMETRICS", removeBiometrics = "REMOVE_BIOMETRICS"
        case headlessUpgrade = "HEADLESS_UPGRADE"
    }
    public enum State: String, Sendable {
        case waitForInput = "WAIT_FOR_INPUT", processing = "PROCESSING", done = "DONE", error = "ERROR"
    }

    public let type: Kind
    public let state: State
    public let session: Session
    public let transaction: Transaction?
    public let currentInteraction: Interaction?
    public let previousInteractionResult: InteractionResult?
    public let secondFactorAccount: SecondFactorAccount
    public let error: NextAuthError?
    /// The vendor's pages use both names.
    public var currentUserInteraction: Interaction? { currentInteraction }
}

/// What the user shall do, or, while the flow is processing, has done (`inputTypes`). `vash`: a PNG, in an enrolment.
public struct Interaction: Sendable {
    public enum Kind: String, Sendable {
        case confirm = "CONFIRM", confirmTransaction = "CONFIRM_TRANSACTION"
        case verifySecondFactor = "VERIFY_SECOND_FACTOR", setSecondFactor = "SET_SECOND_FACTOR"
    }
    public enum InputType: String, Sendable { case pin = "PIN", biometrics = "BIOMETRICS", confirm = "CONFIRM" }

    public let type: Kind
    public let inputTypes: Set<InputType>
    public let secondFactorInfo: InteractionSecondFactorInfo?
    public let confirmSessionInfo: InteractionConfirmSessionInfo?
    public let vash: Data?
}

public struct InteractionSecondFactorInfo: Sendable {
    public enum SecondFactorType: String, Sendable { case pin = "PIN", biometrics = "BIOMETRICS" }

    public let allowedSecondFactors, requiredSecondFactors: Set<SecondFactorType>
    /// The vendor's pages use both names.
    public var allowedSecondFactorTypes: Set<SecondFactorType> { allowedSecondFactors }
    public var requiredSecondFactorTypes: Set<SecondFactorType> { requiredSecondFactors }
}

/// `accounts`: to choose from in a login, those that exist already in an enrolment.
public struct InteractionConfirmSessionInfo: Sendable {
    public let accounts: [Account]
    public let isSecondFactorNeeded: Bool
}

public struct InteractionResult: Sendable {
    public enum Kind: String, Sendable {
        case success = "SUCCESS", pinFail = "PIN_FAIL", biometricsRemoved = "BIOMETRICS_REMOVED"
    }

    public let type: Kind
    public let interactionType: Interaction.Kind
    public let inputTypes: Set<Interaction.InputType>
}

/// `remainingAttempts`: of the PIN; nil as long as the server has not said.
public struct SecondFactorAccount: Sendable {
    public let remainingAttempts: Int?
    public let isPinBlocked: Bool
}

/// Starts flows and answers them, by the shared instance or by the type itself; the vendor's pages do both.
public final class FlowService: Sendable {
    fileprivate init() {}

    /// Bytes of a QR code: enrolment, login or transaction. Throws a `NextAuthError` for a code of somebody else, and while another flow is
    /// active.
    public func start(with data: Data) throws { try NextAuth.default.startFlow(data) }
    /// The one that is active, if any.
    public var flow: Flow? { NextAuth.default.activeFlow.value }
    /// Confirms an enrolment, or a login with one of the accounts of the interaction. `userInput`: text for the back end.
    public func inputConfirm(_ account: Account? = nil, with userInput: String? = nil) {
        NextAuth.default.confirm(nil, account, userInput)
    }
    public func inputConfirmTransaction(_ approve: Bool) { NextAuth.default.decide(nil, approve) }
    public func inputSecondFactor(_ pin: PIN) { NextAuth.default.factor(pin, false) }
    /// Biometrics. The argument is not looked at: what the user's finger has unlocked is the app's business.
    public func inputSecondFactor(_ info: Any) { NextAuth.default.factor(nil, true) }
    public func inputSecondFactor(_ pin: PIN, and info: Any) { NextAuth.default.factor(pin, true) }
    public func cancel() { NextAuth.default.cancelFlow() }

    public static func start(with data: Data) throws { try NextAuth.default.flowService.start(with: data) }
    public static func inputSecondFactor(_ pin: PIN) { NextAuth.default.flowService.inputSecondFactor(pin) }
    public static func inputSecondFactor(_ info: Any) { NextAuth.default.flowService.inputSecondFactor(info) }
    public static func inputSecondFactor(_ pin: PIN, and info: Any) {
        NextAuth.default.flowService.inputSecondFactor(pin, and: info)
    }
}

extension NextAuth {
    /// Broadcast by NotificationCenter.default on the main thread. The object is the `Session` or the `Account`.
    public enum NotificationNames {
        public static let sessionUpdate = Notification.Name("NextAuth.sessionUpdate")
        public static let accountUpdate = Notification.Name("NextAuth.accountUpdate")
        public static let accountDelete = Notification.Name("NextAuth.accountDelete")
    }

    /// The login to the app itself.
    public enum AppLogin {
        /// Asks for the second factor where it is due, and for nothing else.
        public static func start() { NextAuth.default.start("APPLOGIN", [:]) }
        public static func stop() { NextAuth.default.stopAppLogin() }
        /// The running one; else the last one, or one that has not begun; nil as long as there is no account.
        public static var session: Session? { NextAuth.default.appLogin }
    }

    /// Members of the vendor's configuration reference; what is nil is as in Info.plist (NAAppLoginInactivityTimeout, NAAppLoginRequired,
    /// NASingleAccount, NAHideVash), or else the default. Durations are texts such as 5m, 1.5h or 1h30m; 0 is as good as none; what is no
    /// duration comes back as an error of `connect` and is as good as none. `appLoginRequired` is taken and has no effect.
    public struct Constants: Sendable {
        var flags: [String: Bool] = [:]
        var seconds: [String: Int] = [:]
        var complaints: [String] = []
        var hideVash: Bool
        var biometricsDisabled: Bool
        var legacyUserInteraction: Bool?

        public init(
            alwaysRequireSecondFactorIfInactiveAppLogin: Bool? = nil,
            appLoginInactivityTimeout: String? = nil,
            appLoginRequired: Bool? = nil,
            automaticallySelectSingleAccountWhenSecondFactorNeeded: Bool? = nil,
            biometricsDisabled: Bool = false, blockSecondFactorOnPINBlocked: Bool? = nil,
            hideVash: Bool? = nil, legacyUserInteraction: Bool? = nil,
            secondFactorUserInputTimeout: String? = nil, singleAccount: Bool? = nil,
            timeoutAppLogin: String? = nil
        ) {
            func plist<Value>(_ name: String) -> Value? {
                Bundle.main.object(forInfoDictionaryKey: name) as? Value
            }
            self.hideVash = hideVash ?? plist("NAHideVash") ?? false
            self.biometricsDisabled = biometricsDisabled
            self.legacyUserInteraction = legacyUserInteraction
            flags["singleAccount"] = singleAccount ?? plist("NASingleAccount")
            flags["autoSelectSingleAccount"] = automaticallySelectSingleAccountWhenSecondFactorNeeded
            flags["alwaysRequireSecondFactorIfInactiveAppLogin"] = alwaysRequireSecondFactorIfInactiveAppLogin
            flags["blockSecondFactorOnPINBlocked"] = blockSecondFactorOnPINBlocked
            set("inactivityTimeout", appLoginInactivityTimeout ?? plist("NAAppLoginInactivityTimeout"))
            set("appLoginTimeout", timeoutAppLogin)
            set("secondFactorUserInputTimeout", secondFactorUserInputTimeout)
        }

        private mutating func set(_ name: String, _ text: String?) {
            guard let text, text != "0" else { return }
            guard let sum = Self.duration(text), sum < 1e9 else {
                return complaints.append("\(name) is “\(text)”, expected a duration such as 5m, 90s or 1.5h")
            }
            if sum > 0 { seconds[name] = Int(sum.rounded(.up)) }
        }

        /// In seconds; nil for what is no duration string.
        private static func duration(_ text: String) -> Double? {
            var (sum, rest) = (0.0, Substring(text))
            while !rest.isEmpty {
                let digits = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
                let unit = rest.dropFirst(digits.count).prefix { $0.isASCII && $0.isLetter }
                guard let number = Double(digits), let length = ["h": 3600, "m": 60, "s": 1, "ms": 0.001][unit]
                else { return nil }
                sum += number * length
                rest = rest.dropFirst(digits.count + unit.count)
            }
            return text.isEmpty ? nil : sum
        }

        fileprivate var wire: [String: Any] { (flags as [String: Any]).merging(seconds) { $1 } }
    }
}

// MARK: The SDK

public final class NextAuth: @unchecked Sendable {
    // Mutable state belongs to the queue, except for what is guarded.

    public static let `default` = NextAuth()
    public let flowService = FlowService()

    /// The server said no.
    private struct Refused: Error {
        let number, status: Int
        let message: String
    }

    /// The app asked for something that does not fit; nothing has changed.
    private struct Misuse: Error { let message: String }

    /// A session of which something is asked.
    private final class Step {
        let type: String
        let session: Session
        var flow: [String: Any] = [:]
        var newKey: P256.Signing.PrivateKey?
        var isConfirmed = false
        var isAsked = false
        var isPINBlocked = false
        var inputs: Set<Interaction.InputType> = []
        var previous: InteractionResult?

        init(_ type: String) { (self.type, session) = (type, Session(isAppLogin: type == "APPLOGIN")) }

        var id: String { flow["flowid"] as? String ?? "" }
        var challenge: String { flow["challenge"] as? String ?? "" }
        var interaction: [String: Any]? { flow["interaction"] as? [String: Any] }
        var wish: String? { interaction?["type"] as? String }
    }

    private struct Known: Sendable {
        var accounts: [Account] = []
        var sessions: [Session] = []
        /// The running one.
        var appLogin: Session?
        /// What stands for it when none runs.
        var idleAppLogin = Session(isAppLogin: true)
    }

    private weak var appDelegate: (any NextAuthDelegate)?
    private let lock = NSLock()
    private let queue = DispatchQueue(label: "nextAuth stub")
    /// Says that the user reads lists; the queue has more urgent things to do.
    private let readings = DispatchQueue(label: "nextAuth stub readings")
    private let isReadingNoted = Guarded(true)
    private let known = Guarded(Known())
    private let token = Guarded(String?.none)
    fileprivate let activeFlow = Guarded(Flow?.none)
    private var base = ""
    private var constants = Constants()
    private var storage: URL?
    private var instance = ""
    private var pushToken: String?
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

    /// Bytes of a QR code, enrolment or login. A code of somebody else comes back as error 32.
    public func startSession(_ data: Data) { startSession(String(decoding: data, as: UTF8.self)) }

    /// The text of a QR code, or a link that has its base64url behind the scheme.
    public func startSession(_ text: String) {
        later { [self] in
            let (kind, code) = try Self.read(text)
            try begin(kind, ["data": code])
        }
    }

    fileprivate func startFlow(_ data: Data) throws {
        let (kind, code) = try Self.read(String(decoding: data, as: UTF8.self))
        if activeFlow.value != nil {
            throw NextAuthError(.wrongState, "Another flow is active; cancel it first.")
        }
        start(kind, ["data": code])
    }

    /// The kind of the flow that a code starts, and the code.
    private static func read(_ text: String) throws -> (kind: String, code: String) {
        let encoded = text.split(separator: ":").last.map(String.init) ?? ""
        let code =
            text.hasPrefix("na1;")
            ? text : Data(base64url: encoded).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let parts = code.split(separator: ";", omittingEmptySubsequences: false)
        guard parts.count > 4, parts[0] == "na1" else {
            throw NextAuthError(
                .qrParsingError, "“\(text.prefix(60))” is not a code of Understudy's nextAuth")
        }
        guard let kind = ["E": "ENROL", "L": "LOGIN", "S": "TRANSACTION"][parts[1]] else {
            throw NextAuthError(.qrUnknownType, "“\(parts[1])” is no kind of code: E, L or S")
        }
        return (kind, code)
    }

    /// Confirms an enrolment, or a login with one of the accounts. `userInput`: text for the back end.
    public func setAccount(_ account: Account?, for session: Session, with userInput: String? = nil) {
        confirm(session, account, userInput)
    }

    public func confirmTransaction(_ session: Session, approve: Bool) { decide(session, approve) }

    public func sfInput(_ pin: PIN) { factor(pin, false) }
    /// Biometrics. The argument is not looked at: what the user's finger has unlocked is the app's business.
    public func sfInput(_ info: Any) { factor(nil, true) }
    /// Sets up both.
    public func sfInput(_ pin: PIN, and info: Any) { factor(pin, true) }

    /// Ends a session, or cancels what is being asked.
    public func stopSession(_ session: Session) { later { [self] in try stop(session, "USER") } }

    /// Counts as activity of the user, as does `accounts`. Neither waits.
    public var sessions: [Session] {
        noteReading()
        return known.value.sessions
    }

    /// Never nil. The vendor's pages treat it as optional in version 2 and not in version 3, and this type takes both.
    public var accounts: [Account]! {
        noteReading()
        return known.value.accounts
    }

    public func deleteAccount(_ account: Account) {
        later { [self] in
            try noteActivity()
            let challenge = try object("POST", "/instance/challenge")["challenge"] as? String ?? ""
            let signature = try sign(account.key, instance, "DELETE_ACCOUNT", challenge, "\(account.id)", "")
            _ = try call("DELETE", "/accounts/\(account.id)", ["signature": signature])
            forget(account)
        }
    }

    /// Registers for pushes; the stub pulls them, whatever the token is. Before the first enrolment it is kept until then.
    public func updatePushToken(_ token: String) {
        later { [self] in
            pushToken = token
            if self.token.value != nil { _ = try call("PUT", "/instance", ["pushtoken": token]) }
        }
    }

    /// Asks for pushes now, of version 3.
    public func retrieveMessages() {
        later { [self] in
            let found = token.value == nil ? [] : try messages()
            let messages = found.map { Message(id: $0.id, type: $0.kind) }
            tell(isLegacy: false) { $1.nextAuth($0, didRetrieve: messages) }
            try pull(found)
        }
    }

    /// Not emulated: trade the web nonce of the AppLogin for a token at your back end. Comes back as an error.
    public func getToken() {
        later {
            throw NextAuthError(
                .notEmulated,
                "not emulated: getToken; trade the web nonce of the AppLogin for a token at your back end")
        }
    }

    /// Not emulated: Understudy's transactions begin at the back end.
    public func create(transaction: Transaction) throws {
        throw NextAuthError(
            .notEmulated, "not emulated: a transaction that the app makes; make it at the back end")
    }

    fileprivate var appLogin: Session? {
        let known = known.value
        return known.appLogin ?? (known.accounts.isEmpty ? nil : known.idleAppLogin)
    }

    fileprivate func stopAppLogin() {
        later { [self] in if let session = known.value.appLogin { try stop(session, "USER") } }
    }

    fileprivate func start(_ kind: String, _ wish: [String: String]) {
        later { [self] in try begin(kind, wish) }
    }

    fileprivate func cancelFlow() {
        later { [self] in
            guard let step else { throw Misuse(message: "No flow is active.") }
            try stop(step.session, "USER")
        }
    }

    // MARK: Work of the queue

    /// What goes wrong in `work` is told and harms nothing else.
    private func later(_ work: @escaping @Sendable () throws -> Void) { queue.async { self.guarded(work) } }

    private func guarded(_ work: () throws -> Void) {
        do {
            try work()
        } catch {
            let failure = explain(error, nil)
            if (error as? Refused)?.status == 401 { forgetAll() }
            report(failure)
            tell(isLegacy: false) { $1.nextAuth($0, didReceive: failure) }
        }
    }

    private func report(_ failure: NextAuthError) {
        tell(isLegacy: true) {
            $1.nextAuth($0, didReceiveUserErrorMessage: failure.description, code: failure.code)
        }
    }

    /// What goes wrong in `work`, unless the app is to blame, ends what is being asked.
    private func attempt(_ step: Step, _ work: () throws -> Void) throws {
        do {
            try work()
        } catch let misuse as Misuse {
            throw misuse
        } catch {
            let failure = explain(error, step.type)
            if (error as? Refused)?.status == 401 { forgetAll() }
            fail(step, failure)
        }
    }

    private func explain(_ error: any Error, _ kind: String?) -> NextAuthError {
        switch error {
        case let refusal as Refused:
            NextAuthError(.init(number: refusal.number, kind: kind), refusal.message)
        case let misuse as Misuse: NextAuthError(.wrongState, misuse.message)
        case let failure as NextAuthError: failure
        default: NextAuthError(.unreachable, "\(base): is it Understudy? \(error)")
        }
    }

    /// Tells version 2 (`isLegacy`) or version 3, where the configuration does not say that the other one is enough.
    private func tell(
        isLegacy: Bool, _ words: @escaping @MainActor @Sendable (NextAuth, any NextAuthDelegate) -> Void
    ) {
        if let wanted = constants.legacyUserInteraction, wanted != isLegacy { return }
        DispatchQueue.main.async {
            MainActor.assumeIsolated { if let delegate = self.delegate { words(self, delegate) } }
        }
    }

    private func post(_ name: Notification.Name, _ object: some AnyObject & Sendable) {
        DispatchQueue.main.async { NotificationCenter.default.post(name: name, object: object) }
    }

    /// Says where the flow stands.
    private func show(_ step: Step, _ state: Flow.State, _ error: NextAuthError? = nil) {
        let isOver = state == .done || state == .error
        let type = ["APPLOGIN": "LOGIN", "TRANSACTION": "SIGN_TRANSACTION"][step.type] ?? step.type
        let asked = step.interaction?["transaction"] as? [String: Any]
        let flow = Flow(
            type: Flow.Kind(rawValue: type) ?? .login, state: state, session: step.session,
            transaction: asked.map { Transaction($0) }, currentInteraction: isOver ? nil : interaction(step),
            previousInteractionResult: step.previous,
            secondFactorAccount: SecondFactorAccount(
                remainingAttempts: step.interaction?.number("triesleft"), isPinBlocked: step.isPINBlocked),
            error: error)
        activeFlow.value = isOver ? nil : flow
        tell(isLegacy: false) { $1.nextAuth($0, didUpdate: flow) }
    }

    private func interaction(_ step: Step) -> Interaction? {
        guard let type = step.wish.flatMap(Interaction.Kind.init) else { return nil }
        var info: InteractionSecondFactorInfo?
        if type == .verifySecondFactor {
            let words = step.interaction?["allowed"] as? [String] ?? ["PIN"]
            info = InteractionSecondFactorInfo(
                allowedSecondFactors: Set(words.map { $0 == "PIN" ? .pin : .biometrics }), requiredSecondFactors: [])
        } else if type == .setSecondFactor {
            info = InteractionSecondFactorInfo(
                allowedSecondFactors: constants.biometricsDisabled ? [.pin] : [.pin, .biometrics],
                requiredSecondFactors: [.pin])
        }
        var session: InteractionConfirmSessionInfo?
        if type == .confirm {
            session = InteractionConfirmSessionInfo(
                accounts: step.type == "ENROL" ? known.value.accounts : candidates(step),
                isSecondFactorNeeded: step.interaction?["secondfactor"] as? Bool ?? true)
        }
        return Interaction(
            type: type, inputTypes: step.inputs, secondFactorInfo: info, confirmSessionInfo: session,
            vash: step.type == "ENROL" ? vash(step) : nil)
    }

    private func begin(_ url: String, _ constants: Constants, _ storage: URL?) {
        (base, self.constants, self.storage) = (
            (url.hasSuffix("/") ? String(url.dropLast()) : url) + "/device/v1", constants, storage
        )
        (instance, lastEvent, biometrics, step, waiting, handled) = ("", 0, nil, nil, [], [])
        (idle, pings, pushToken, activity) = (nil, [:], nil, 0)
        (token.value, activeFlow.value, known.value) = (nil, nil, Known())
        for complaint in constants.complaints {
            later { throw NextAuthError(.badRequest, complaint) }
        }
        load()
        guard token.value != nil else { return }
        later { [self] in
            // What ran when the process ended is over: an AppLogin is tied to the app.
            for session in try object("GET", "/instance")["sessions"] as? [[String: Any]] ?? [] {
                _ = try call("POST", "/sessions/\(session["sessionid"] ?? "")/stop", ["reason": "USER"])
            }
        }
        later { [self] in listen() }
    }

    private func register() throws {
        guard token.value == nil else { return }
        var wish: [String: Any] = ["platform": "ios", "clientVersion": "3.0-stub"]
        wish["pushtoken"] = pushToken
        let made = try object("POST", "/instances", wish)
        instance = made["instanceid"] as? String ?? ""
        token.value = made["token"] as? String
        lastEvent = 0
        save()
        listen()
    }

    /// Says that the user reads a list, as the inactivity timeout wants to know, without keeping anybody waiting.
    private func noteReading() {
        guard token.value != nil, isReadingNoted.exchange(false) else { return }
        readings.async { [self] in
            isReadingNoted.value = true
            // The next reading says so again; whether the server lives, the pings find out.
            guard let now = try? object("GET", "/sessions").number("time") else { return }
            later { [self] in note(now) }
        }
    }

    private func noteActivity() throws { note(try object("GET", "/sessions").number("time") ?? 0) }

    private func note(_ time: Int) {
        activity = max(activity, time)
        idle?.cancel()
        guard let seconds = constants.seconds["inactivityTimeout"] else { return }
        idle = schedule(Double(seconds)) { [self] in
            if let session = known.value.appLogin { try stop(session, "INACTIVITY") }
        }
    }

    private func schedule(_ seconds: Double, _ work: @escaping @Sendable () throws -> Void)
        -> DispatchWorkItem
    {
        let item = DispatchWorkItem { self.guarded(work) }
        queue.asyncAfter(deadline: .now() + seconds, execute: item)
        return item
    }

    // MARK: Steps of a flow

    /// `isDeed`: of the user, not a push.
    private func begin(_ kind: String, _ wish: [String: String], isDeed: Bool = true) throws {
        guard step == nil else {
            throw Misuse(message: "Another session waits for the user; stop it first.")
        }
        let step = Step(kind)
        self.step = step
        show(step, .processing)
        try attempt(step) {
            try register()
            if isDeed { try noteActivity() }
            step.flow = try object(
                "POST", "/flows", ["type": kind, "config": constants.wire].merging(wish) { $1 })
            try proceed(step)
        }
    }

    private func proceed(_ step: Step) throws {
        if let texts = (step.interaction?["announceinfo"] as? [String: Any])?["info"] as? [String: String] {
            step.session.facts.change { $0.texts = texts }
        }
        switch step.flow["state"] as? String {
        case "DONE": try finish(step)
        case "ERROR":
            let error = step.flow["error"] as? [String: Any] ?? [:]
            fail(
                step,
                NextAuthError(
                    .init(number: error.number("number") ?? 0, kind: step.type),
                    error["message"] as? String ?? "the session has failed"))
        case nil: throw NextAuthError(.unreachable, "what answers at \(base) is not understood, is it Understudy?")
        default:
            step.session.facts.change { $0.state = .waitingForUserInput }
            if step.wish == nil {
                try take(step, "complete", ["signature": sign(step, owner(step))])
            } else {
                ask(step)
            }
        }
    }

    private func ask(_ step: Step) {
        let session = step.session
        switch step.wish {
        case "CONFIRM" where step.type == "ENROL":
            let vash = vash(step)
            tell(isLegacy: true) { $1.nextAuth($0, willConfirmEnrolFor: session, vash: vash) }
        case "CONFIRM":
            let accounts = candidates(step)
            tell(isLegacy: true) { $1.nextAuth($0, willConfirmLoginFor: session, accounts: accounts) }
        case "CONFIRM_TRANSACTION":
            let transaction = Transaction(step.interaction?["transaction"] as? [String: Any] ?? [:])
            tell(isLegacy: true) {
                $1.nextAuth($0, willConfirmTransactionFor: session, transaction: transaction)
            }
        default:
            let word = step.interaction?["context"] as? String ?? ""
            if !step.isAsked, let context = SecondFactorContext(rawValue: word) {
                tell(isLegacy: true) { $1.nextAuth($0, didStartSecondFactorWith: context) }
            }
        }
        step.isAsked = step.wish == "SET_SECOND_FACTOR" || step.wish == "VERIFY_SECOND_FACTOR"
        show(step, .waitForInput)
    }

    private func vash(_ step: Step) -> Data? {
        let vash = (step.flow["server"] as? [String: Any])?["vash"] as? String
        return constants.hideVash ? nil : vash.flatMap { Data(base64url: $0) }
    }

    private func candidates(_ step: Step) -> [Account] {
        let told = step.interaction?["accounts"] as? [[String: Any]] ?? []
        return told.compactMap { one in known.value.accounts.first { $0.id == one.number("accountid") } }
    }

    private func owner(_ step: Step) throws -> Account {
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

    private func sign(_ step: Step, _ account: Account, _ approve: String = "") throws -> String {
        try sign(account.key, step.id, step.type, step.challenge, "\(account.id)", approve)
    }

    fileprivate func confirm(_ session: Session?, _ account: Account?, _ userInput: String?) {
        answer(session, "CONFIRM") { [self] step in
            var body: [String: Any] = [:]
            body["userinput"] = userInput
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
                    throw Misuse(message: "Give one of the accounts of the question.")
                }
                body["accountid"] = chosen.id
                body["signature"] = try sign(step, chosen)
            }
            try take(step, "confirm", body, [.confirm])
        }
    }

    fileprivate func decide(_ session: Session?, _ approve: Bool) {
        answer(session, "CONFIRM_TRANSACTION") { [self] step in
            let signature = try sign(step, owner(step), approve ? "1" : "0")
            try take(step, "confirm", ["approve": approve, "signature": signature], [.confirm])
        }
    }

    /// `session`: nil means the one of which something is asked.
    private func answer(_ session: Session?, _ wish: String, _ work: @escaping @Sendable (Step) throws -> Void) {
        later { [self] in
            guard let step, session == nil || step.session === session else {
                throw Misuse(message: "This session waits for nothing.")
            }
            guard step.wish == wish else {
                throw Misuse(message: "This session waits for \(step.wish ?? "nothing").")
            }
            try attempt(step) {
                try noteActivity()
                try work(step)
            }
        }
    }

    fileprivate func factor(_ pin: PIN?, _ biometric: Bool) {
        later { [self] in
            guard let step, step.isAsked else { throw Misuse(message: "No second factor is asked for.") }
            let isNew = step.wish == "SET_SECOND_FACTOR"
            if let pin, pin.digits.isEmpty { throw Misuse(message: "The PIN is empty.") }
            if pin == nil, isNew { throw Misuse(message: "The first time needs a PIN.") }
            if pin == nil, biometrics == nil { throw Misuse(message: "No biometrics are set up.") }
            try attempt(step) {
                try noteActivity()
                let body = try isNew ? newFactor(pin, biometric) : proof(step, pin)
                let inputs: [Interaction.InputType?] = [pin.map { _ in .pin }, biometric ? .biometrics : nil]
                try take(step, "secondfactor", body, Set(inputs.compactMap { $0 }))
            }
        }
    }

    private func newFactor(_ pin: PIN?, _ biometric: Bool) throws -> [String: Any] {
        guard let pin else { throw Misuse(message: "The first time needs a PIN.") }
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
        } else if let biometrics {
            let subject = try step.newKey?.publicKey.derRepresentation.base64url ?? "\(owner(step).id)"
            body["biometricsignature"] = try sign(
                biometrics, step.id, step.type, step.challenge, subject, step.type == "TRANSACTION" ? "1" : ""
            )
        }
        return body
    }

    /// Takes a step and says what came of it.
    private func take(
        _ step: Step, _ name: String, _ body: [String: Any], _ inputs: Set<Interaction.InputType> = []
    ) throws {
        step.inputs = inputs
        show(step, .processing)
        let asked = step.wish.flatMap(Interaction.Kind.init)
        step.flow = try object("POST", "/flows/\(step.id)/\(name)", body)
        if name == "confirm" { step.isConfirmed = true }
        var result = SecondFactorResult.success
        if name == "secondfactor" {
            guard let word = step.interaction?["result"] as? String, let told = SecondFactorResult(rawValue: word)
            else { throw NextAuthError(.unreachable, "what answers at \(base) is not understood, is it Understudy?") }
            result = told
            tell(isLegacy: true) { $1.nextAuth($0, didUpdateSecondFactorWith: told) }
        }
        step.previous = asked.map {
            InteractionResult(type: result == .success ? .success : .pinFail, interactionType: $0, inputTypes: inputs)
        }
        step.inputs = []
        step.isPINBlocked = result == .blocked
        try proceed(step)
    }

    private func finish(_ step: Step) throws {
        self.step = nil
        let (session, owner) = (step.flow["session"] as? [String: Any], step.flow["account"] as? [String: Any])
        if let session, let owner {
            begin(step, session, owner)
        } else {
            step.session.facts.change { $0.state = .done }
        }
        show(step, .done)
        if session != nil { post(NotificationNames.sessionUpdate, step.session) }
        next()
    }

    private func begin(_ step: Step, _ told: [String: Any], _ owner: [String: Any]) {
        let number = owner.number("accountid") ?? 0
        let (username, userID) = (owner["username"] as? String ?? "", owner["userid"] as? String)
        if let key = step.newKey {
            let server = owner["serverid"] as? String ?? ""
            let made = Account(id: number, serverID: server, key: key, username: username, userID: userID)
            known.change { $0.accounts.append(made) }
        }
        let account = known.value.accounts.first { $0.id == number }
        account?.facts.change { ($0.username, $0.userID) = (username, userID) }
        save()
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
    }

    private func fail(_ step: Step, _ error: NextAuthError) {
        step.session.facts.change { $0.state = .error }
        if self.step === step { self.step = nil }
        report(error)
        show(step, .error, error)
        next()
    }

    /// The next push that had to wait.
    private func next() {
        guard step == nil, !waiting.isEmpty else { return }
        let (kind, message) = waiting.removeFirst()
        later { [self] in try begin(kind, ["messageid": message], isDeed: false) }
    }

    // MARK: Sessions that run

    /// Before something that failed is tried again.
    private static let pause = 1.0

    private func ping(_ session: Session, in seconds: Double) {
        guard let id = session.id else { return }
        pings.removeValue(forKey: id)?.cancel()
        pings[id] = schedule(seconds) { [self] in pingNow(session) }
    }

    /// A ping that fails is nothing but late: whatever the user does meanwhile goes on.
    private func pingNow(_ session: Session) {
        do {
            let told = try object(
                "POST", "/sessions/\(session.id ?? "")/ping",
                session.isAppLogin ? ["activity": activity] : [:])
            ping(session, in: told.number("next").map(Double.init) ?? Self.pause)
        } catch let refusal as Refused where refusal.status == 401 {
            forgetAll()
        } catch let refusal as Refused where refusal.status == 404 {
            // The reason comes as an event.
        } catch {
            ping(session, in: Self.pause)
        }
    }

    private func stop(_ session: Session, _ reason: String) throws {
        if let step, step.session === session { return try cancel(step, reason) }
        guard let id = session.id else { return }
        do {
            _ = try call("POST", "/sessions/\(id)/stop", ["reason": reason])
        } catch let refusal as Refused where refusal.status == 404 {
            // It has ended already.
        }
        end(session, reason)
    }

    private func cancel(_ step: Step, _ reason: String) throws {
        try attempt(step) {
            do {
                _ = try call("POST", "/flows/\(step.id)/cancel", [:])
            } catch let refusal as Refused where refusal.status == 404 {
                // It is over already.
            }
            self.step = nil
            step.session.facts.change { ($0.state, $0.reason) = (.error, reason) }
            if step.isAsked { tell(isLegacy: true) { $1.nextAuth($0, didUpdateSecondFactorWith: .cancelled) } }
            show(step, .error)
            post(NotificationNames.sessionUpdate, step.session)
            next()
        }
    }

    private func end(_ session: Session, _ reason: String) {
        guard known.value.sessions.contains(where: { $0 === session }) else { return }
        if let id = session.id { pings.removeValue(forKey: id)?.cancel() }
        session.facts.change { ($0.state, $0.reason) = (.done, reason) }
        known.change {
            $0.sessions.removeAll { $0 === session }
            if $0.appLogin === session { ($0.appLogin, $0.idleAppLogin) = (nil, session) }
        }
        post(NotificationNames.sessionUpdate, session)
    }

    private func forget(_ account: Account) {
        guard known.value.accounts.contains(where: { $0 === account }) else { return }
        for session in known.value.sessions where session.account === account {
            end(session, "ACCOUNT_DELETED")
        }
        known.change { $0.accounts.removeAll { $0 === account } }
        if known.value.accounts.isEmpty { biometrics = nil }
        save()
        post(NotificationNames.accountDelete, account)
    }

    /// The server does not know this installation any more: its world was made anew.
    private func forgetAll() {
        token.value = nil
        for account in known.value.accounts { forget(account) }
        save()
    }

    // MARK: Events

    private func listen() {
        guard let mine = token.value else { return }
        let thread = Thread { [self] in
            while token.value == mine {
                if !hearOnce(mine) { Thread.sleep(forTimeInterval: Self.pause) }
            }
        }
        thread.start()
    }

    /// Whether the server answered as it should; if not, a pause is due.
    private func hearOnce(_ mine: String) -> Bool {
        let result = Result { try object("GET", "/events?since=\(queue.sync { lastEvent })&wait=25") }
        return queue.sync {
            guard token.value == mine else { return true }
            do {
                try heed(result.get())
                return true
            } catch {
                if (error as? Refused)?.status == 401 { forgetAll() }
                return false
            }
        }
    }

    private func heed(_ told: [String: Any]) throws {
        for event in told["events"] as? [[String: Any]] ?? [] {
            let session = known.value.sessions.first { $0.id == event["sessionid"] as? String }
            let account = known.value.accounts.first { $0.id == event.number("accountid") }
            switch event["type"] as? String {
            case "PING": if let session { pingNow(session) }
            case "SESSION_STOP": if let session { end(session, event["reason"] as? String ?? "UNKNOWN") }
            case "ACCOUNT_DELETED": if let account { forget(account) }
            case "ACCOUNT_UPDATED":
                guard let account else { continue }
                account.facts.change {
                    $0.username = event["username"] as? String ?? $0.username
                    $0.userID = event["userid"] as? String
                    $0.isBlocked = event["blocked"] as? Bool ?? false
                }
                post(NotificationNames.accountUpdate, account)
            case "MESSAGE": try pull(messages())
            default: break
            }
        }
        guard let last = told.number("last") else { throw Misuse(message: "no events") }
        lastEvent = last
        save()
    }

    private func messages() throws -> [(id: String, kind: String)] {
        let told = try JSONSerialization.jsonObject(with: call("GET", "/messages")) as? [[String: Any]] ?? []
        return told.compactMap { message in
            guard let id = message["messageid"] as? String, let kind = message["type"] as? String else {
                return nil
            }
            return (id, kind)
        }
    }

    /// Takes up pushes that wait. No activity of the user.
    private func pull(_ messages: [(id: String, kind: String)]) throws {
        for (id, kind) in messages where handled.insert(id).inserted {
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
        let data = try call(method, path, body)
        guard let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw NextAuthError(.unreachable, "what answers at \(base) is not understood, is it Understudy?")
        }
        return object
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
            let serverID, username: String
            let userID: String?
            let key: Data
        }

        let instance: String
        let token: String?
        let lastEvent: Int
        let biometrics: Data?
        let accounts: [Account]
    }

    private func save() {
        guard let storage else { return }
        do {
            try kept().write(to: storage, options: .atomic)
        } catch {
            let failure = NextAuthError(
                .unreachable, "accounts and keys cannot be kept in \(storage.path): \(error)")
            report(failure)
            tell(isLegacy: false) { $1.nextAuth($0, didPanicWith: failure.description) }
        }
    }

    private func kept() throws -> Data {
        let accounts = known.value.accounts.map {
            Kept.Account(
                id: $0.id, serverID: $0.serverID, username: $0.username, userID: $0.userID,
                key: $0.key.rawRepresentation)
        }
        let kept = Kept(
            instance: instance, token: token.value, lastEvent: lastEvent,
            biometrics: biometrics?.rawRepresentation, accounts: accounts)
        return try JSONEncoder().encode(kept)
    }

    private func load() {
        guard let storage, let data = try? Data(contentsOf: storage) else { return }
        guarded {
            let kept = try JSONDecoder().decode(Kept.self, from: data)
            (instance, lastEvent) = (kept.instance, kept.lastEvent)
            token.value = kept.token
            biometrics = try kept.biometrics.map { try P256.Signing.PrivateKey(rawRepresentation: $0) }
            known.value.accounts = try kept.accounts.map {
                Account(
                    id: $0.id, serverID: $0.serverID,
                    key: try P256.Signing.PrivateKey(rawRepresentation: $0.key),
                    username: $0.username, userID: $0.userID)
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

    /// Puts a value in and gives the one that was there.
    func exchange(_ value: Value) -> Value {
        lock.withLock {
            defer { stored = value }
            return stored
        }
    }
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
