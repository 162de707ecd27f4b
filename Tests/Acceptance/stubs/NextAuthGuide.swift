// The app of nextAuth's quick start “AppLogin”: lines that begin with //= stand for the guide's own code, here without @objc, which Linux lacks.
// A user is at the keyboard: lines of standard input.

import Foundation
import NextAuth

@MainActor final class GuideApp: NextAuthDelegate {
    private var confirms: Session?

    func start() {
        NextAuth.default.delegate = self
        observe(NextAuth.NotificationNames.accountUpdate, handleAccountUpdateNotification)
        observe(NextAuth.NotificationNames.accountDelete, handleAccountDeleteNotification)
        observe(NextAuth.NotificationNames.sessionUpdate, handleSessionUpdateNotification)
        appear()
    }

    private func observe(_ name: Notification.Name, _ handle: @escaping @MainActor (NSNotification) -> Void) {
        _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
            nonisolated(unsafe) let told = NSNotification(name: name, object: notification.object)
            MainActor.assumeIsolated {
                self.describe(told)
                handle(told)
            }
        }
    }

    // The root view appears.
    func appear() {
        if NextAuth.AppLogin.session?.isLoggedIn == true { show("home \(read()[1] ?? "")") }
        //= swift: entry point | Show your AppLogin flow: show("login") | Present your onboarding flow: show("onboarding")
    }

    //= swift: callbacks | without @objc | to // MARK: - UIViewController | Show your AppLogin flow: show("login")

    func logIn() {
        //= swift: logging in
    }

    func logOut() {
        //= swift: logging out
    }

    func read() -> [String?] {
        [
            //= swift: while being logged in | ,
        ]
    }

    // What the guide does not show.

    func handleAccountUpdateNotification(_ notification: NSNotification) {
        show("AccountUpdate \((notification.object as? Account)?.userID ?? "")")
    }

    private func describe(_ notification: NSNotification) {
        if let session = notification.object as? Session {
            show(session.isLoggedIn ? "SessionLogin" : "SessionStop \(session.stopReason ?? "")")
            if session.isLoggedIn, session.isAppLogin { show("home \(read()[1] ?? "") \(read()[0] ?? "")") }
        } else if notification.name == NextAuth.NotificationNames.accountDelete {
            show("AccountDeleted")
            if NextAuth.default.accounts?.isEmpty == true { show("onboarding") }
        }
    }

    func nextAuth(_ nextAuth: NextAuth, willConfirmEnrolFor session: Session, vash: Data?) {
        confirms = session
        show("ConfirmEnrol \((vash?.count ?? 0) > 100)")
    }

    func nextAuth(_ nextAuth: NextAuth, willConfirmLoginFor session: Session, accounts: [Account]) {
        confirms = session
        show(
            "ConfirmLogin \(accounts.map(\.username).joined(separator: ",")) \(session.info.announceInfo["shop"] ?? "")"
        )
    }

    func nextAuth(
        _ nextAuth: NextAuth, willConfirmTransactionFor session: Session, transaction: Transaction
    ) {
        confirms = session
        show("ConfirmTransaction \(transaction.amount ?? "") \(transaction.benificiary ?? "")")
    }

    func nextAuth(_ nextAuth: NextAuth, didStartSecondFactorWith context: SecondFactorContext) {
        show("SecondFactor \(context.rawValue)")
    }

    func nextAuth(_ nextAuth: NextAuth, didUpdateSecondFactorWith result: SecondFactorResult) {
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
        case "login": logIn()
        case "logout": logOut()
        case "forget": NextAuth.default.deleteAccount(NextAuth.default.accounts[0])
        case "push": NextAuth.default.updatePushToken(word)
        case "read": for _ in 0..<(Int(word) ?? 0) { _ = NextAuth.default.accounts?.count }
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
            secondFactorUserInputTimeout: told["secondFactorUserInputTimeout"] as? String,
            singleAccount: told["singleAccount"] as? Bool, timeoutAppLogin: told["timeoutAppLogin"] as? String
        )
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
