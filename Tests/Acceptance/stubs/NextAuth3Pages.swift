// Code of the vendor's pages on version 3 of nextAuth's SDK: lines that begin with //= stand for it. That it compiles is the test.
import Foundation
import NextAuth

@MainActor final class Pages: NextAuthDelegate {
    private let flowService = NextAuth.default.flowService

    func nextAuth(_ nextAuth: NextAuth, didUpdate flow: Flow) {
        let (pin, info) = (PIN("13524"), "an LAContext")
        if flow.state == .waitForInput, flow.currentInteraction?.type == .verifySecondFactor {
            //= swift: second factor
        }
    }

    func start(_ data: Data) {
        //= swift: start
    }

    func create() {
        //= swift: transaction of the app
        print(account.username)
    }
}
