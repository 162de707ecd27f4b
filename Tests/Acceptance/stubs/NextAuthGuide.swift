// The app of nextAuth's quick start “AppLogin”, written anew from its steps, and a user at its keyboard: lines of standard input.

import Foundation
import NextAuth

@MainActor final class GuideApp: NextAuthDelegate {
    private var confirms: NASession?
    private var isLoggedIn = false

    func start() {
        NextAuth.default.delegate = self
        let center = NotificationCenter.default
        for (name, react) in [
            (NotificationNames.sessionUpdate, sessionUpdate),
            (NotificationNames.accountUpdate, accountUpdate),
            (NotificationNames.accountDelete, accountDelete),
        ] {
            _ = center.addObserver(forName: name, object: nil, queue: nil) { notification in
                nonisolated(unsafe) let object = notification.object
                MainActor.assumeIsolated { react(object) }
            }
        }
        appear()
    }

    // The root view appears.
    func appear() {
        if NextAuth.default.accounts.isEmpty {
            show("onboarding")
        } else if !NextAuth.default.appLogin.isLoggedIn {
            show("login")
        } else {
            show("home \(NextAuth.default.appLogin.userName ?? "")")
        }
    }

    func sessionUpdate(_ object: Any?) {
        guard let session = object as? NASession else { return }
        if session.isLoggedIn {
            show("SessionLogin")
            guard session.isAppLogin else { return }
            let appLogin: NAAppLogin = NextAuth.default.appLogin
            show("home \(appLogin.userName ?? "") \(appLogin.webNonce ?? "")")
        } else {
            show("SessionStop \(session.stopReason ?? "")")
            if !NextAuth.default.appLogin.isLoggedIn { show("login") }
        }
    }

    func accountUpdate(_ object: Any?) { show("AccountUpdate \((object as? NAAccount)?.userID ?? "")") }

    func accountDelete(_ object: Any?) {
        show("AccountDeleted")
        if NextAuth.default.accounts.isEmpty { show("onboarding") }
    }

    func nextAuth(_ nextAuth: NextAuth, willConfirmEnrolFor session: NASession, vash: Data?) {
        confirms = session
        show("ConfirmEnrol \((vash?.count ?? 0) > 100)")
    }

    func nextAuth(_ nextAuth: NextAuth, willConfirmLoginFor session: NASession, accounts: [NAAccount]) {
        confirms = session
        show(
            "ConfirmLogin \(accounts.map(\.userName).joined(separator: ",")) \(session.info.announceInfo["shop"] ?? "")"
        )
    }

    func nextAuth(
        _ nextAuth: NextAuth, willConfirmTransactionFor session: NASession, transaction: NATransaction
    ) {
        confirms = session
        show("ConfirmTransaction \(transaction.amount ?? "") \(transaction.benificiary ?? "")")
    }

    func nextAuth(_ nextAuth: NextAuth, didStartSecondFactorWith context: NASecondFactorContext) {
        show("SecondFactor \(context.rawValue)")
    }

    func nextAuth(_ nextAuth: NextAuth, didUpdateSecondFactorWith result: NASecondFactorResult) {
        show("SecondFactor \(result.rawValue)")
    }

    func nextAuth(_ nextAuth: NextAuth, didReceiveUserErrorMessage message: String, code: Int) {
        show("UserErrorMessage \(code)")
    }

    func hear(_ line: String) {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        let word = parts.count > 1 ? parts[1] : ""
        switch parts[0] {
        case "scan": NextAuth.default.startSession(Data(word.utf8))
        case "open": NextAuth.default.startSession(word)
        case "confirm":
            if let confirms { NextAuth.default.setAccount(nil, for: confirms, with: "typed by the user") }
        case "decline": if let confirms { NextAuth.default.stopSession(confirms) }
        case "sign": if let confirms { NextAuth.default.confirmTransaction(confirms, approve: word == "yes") }
        case "pin": NextAuth.default.sfInput(PIN(word))
        case "pin+finger": NextAuth.default.sfInput(PIN(word), and: "an LAContext")
        case "finger": NextAuth.default.sfInput("an LAContext")
        case "login": NextAuth.default.appLogin.start()
        case "logout": NextAuth.default.appLogin.stop()
        case "forget": NextAuth.default.deleteAccount(NextAuth.default.accounts[0])
        case "resume": appear()
        default: fatalError("what is “\(line)”?")
        }
    }

    private func show(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

// Arguments: address, configuration as JSON, file.
@main enum Program {
    @MainActor static func main() throws {
        let arguments = CommandLine.arguments
        let told = try JSONSerialization.jsonObject(with: Data(arguments[2].utf8)) as? [String: Any] ?? [:]
        let constants = NextAuth.Constants(
            appLoginInactivityTimeout: told["appLoginInactivityTimeout"] as? String,
            appLoginRequired: true,
            automaticallySelectSingleAccountWhenSecondFactorNeeded:
                told["automaticallySelectSingleAccountWhenSecondFactorNeeded"] as? Bool,
            singleAccount: told["singleAccount"] as? Bool)
        NextAuth.connect(arguments[1], constants: constants, storage: URL(fileURLWithPath: arguments[3]))
        let app = GuideApp()
        app.start()
        Thread {
            while let line = readLine() {
                DispatchQueue.main.async { MainActor.assumeIsolated { app.hear(line) } }
            }
            exit(0)
        }.start()
        RunLoop.main.run()
    }
}
