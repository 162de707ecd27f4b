// An app on version 3 of nextAuth's SDK: it hears of flows. A user is at the keyboard: lines of standard input.

import Foundation
import NextAuth

@MainActor final class FlowApp: NextAuthDelegate {
    private let flowService = NextAuth.default.flowService

    func start() {
        NextAuth.default.delegate = self
        _ = NotificationCenter.default.addObserver(
            forName: NextAuth.NotificationNames.sessionUpdate, object: nil, queue: nil
        ) { notification in
            guard let session = notification.object as? Session else { return }
            show("SessionUpdate \(session.state.rawValue)")
        }
    }

    func nextAuth(_ nextAuth: NextAuth, didUpdate flow: Flow) {
        let asked = flow.currentInteraction
        var words: [String?] = ["Flow", flow.type.rawValue, flow.state.rawValue, asked?.type.rawValue]
        if let inputs = asked?.inputTypes, !inputs.isEmpty { words.append(list(inputs.map(\.rawValue))) }
        if let info = asked?.secondFactorInfo {
            words.append(
                list(info.allowedSecondFactors.map(\.rawValue)) + "/"
                    + list(info.requiredSecondFactors.map(\.rawValue)))
        }
        if let accounts = asked?.confirmSessionInfo?.accounts {
            words.append(accounts.isEmpty ? "nobody" : accounts.map(\.username).joined(separator: ","))
        }
        if let result = flow.previousInteractionResult {
            words.append("after \(result.interactionType.rawValue) \(result.type.rawValue)")
        }
        words += [
            flow.transaction?.amount, flow.error?.name,
            flow.secondFactorAccount.isPinBlocked ? "blocked" : nil,
        ]
        show(words.compactMap(\.self).joined(separator: " "))
    }

    private func list(_ words: [String]) -> String {
        "[" + words.sorted().reversed().joined(separator: ", ") + "]"
    }

    func nextAuth(_ nextAuth: NextAuth, didReceive error: NextAuthError) { show("Error \(error.name)") }
    func nextAuth(_ nextAuth: NextAuth, didRetrieve messages: [Message]) {
        show("RetrievedMessages [\(messages.map(\.type).joined(separator: ", "))]")
    }
    func nextAuth(_ nextAuth: NextAuth, willConfirmEnrolFor session: Session, vash: Data?) {
        show("ConfirmEnrol")
    }
    func nextAuth(_ nextAuth: NextAuth, didStartSecondFactorWith context: SecondFactorContext) {
        show("SecondFactor")
    }
    func nextAuth(_ nextAuth: NextAuth, didReceiveUserErrorMessage message: String, code: Int) {
        show("UserErrorMessage")
    }

    func hear(_ line: String) {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        let word = parts.count > 1 ? parts[1] : ""
        switch parts[0] {
        case "scan": attempt { try flowService.start(with: Data(word.utf8)) }
        case "confirm": flowService.inputConfirm(with: "typed by the user")
        case "sign": flowService.inputConfirmTransaction(word == "yes")
        case "cancel": flowService.cancel()
        case "pin": flowService.inputSecondFactor(PIN(word))
        case "pin+finger": flowService.inputSecondFactor(PIN(word), and: "an LAContext")
        case "login": NextAuth.AppLogin.start()
        case "messages": NextAuth.default.retrieveMessages()
        case "token": NextAuth.default.getToken()
        case "create": attempt { try NextAuth.default.create(transaction: Transaction()) }
        default: fatalError("what is “\(line)”?")
        }
    }

    private func attempt(_ work: () throws -> Void) {
        do {
            try work()
        } catch {
            show("thrown \((error as? NextAuthError)?.name ?? "")")
        }
    }
}

private func show(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

// Arguments: address, configuration as JSON, file.
@main enum Program {
    @MainActor static func main() throws {
        let arguments = CommandLine.arguments
        let told = try JSONSerialization.jsonObject(with: Data(arguments[2].utf8)) as? [String: Any] ?? [:]
        let constants = NextAuth.Constants(
            appLoginInactivityTimeout: told["appLoginInactivityTimeout"] as? String,
            automaticallySelectSingleAccountWhenSecondFactorNeeded:
                told["automaticallySelectSingleAccountWhenSecondFactorNeeded"] as? Bool,
            legacyUserInteraction: told["legacyUserInteraction"] as? Bool,
            singleAccount: told["singleAccount"] as? Bool)
        NextAuth.connect(arguments[1], constants: constants, storage: URL(fileURLWithPath: arguments[3]))
        let app = FlowApp()
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
