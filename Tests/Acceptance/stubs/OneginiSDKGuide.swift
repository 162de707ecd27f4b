// The app of Onegini's topic guide “Mobile authentication with OTP”, written anew from its steps, and a user at its keyboard: lines of
// standard input.

import Foundation
import OneginiSDKiOS

@MainActor final class GuideApp {
    private var browser: ONGBrowserRegistrationChallenge?
    private var newPin: ONGCreatePinChallenge?
    private var pin: ONGPinChallenge?
    private var custom: ONGCustomRegistrationChallenge?
    private var confirmation: ((Bool) -> Void)?
    private var denies = false
    private var failure = 0

    func start() {
        ONGClient.sharedInstance().start { success, error in
            if let error {
                show("failed \((error as NSError).code)")
            } else {
                let users = ONGUserClient.sharedInstance().userProfiles()
                show("started \(success) \(users.count)")
            }
        }
    }

    // Step of the guide: the user has to be enrolled, and authenticated.
    func enroll() {
        ONGUserClient.sharedInstance().enroll(forMobileAuth: { enrolled, error in
            show(enrolled ? "enrolled" : "not enrolled \((error as NSError?)?.code ?? 0)")
        })
    }

    // Step of the guide: the camera has read a code.
    func scanned(_ otp: String) {
        guard ONGUserClient.sharedInstance().canHandleOTPMobileAuthRequest(otp) else {
            return show("cannot handle")
        }
        ONGUserClient.sharedInstance().handleOTPMobileAuthRequest(otp, delegate: self)
    }

    /// The cases of the guide's switch.
    private func why() -> String {
        switch failure {
        case ONGGenericError.deviceDeregistered.rawValue: "DeviceDeregistered"
        case ONGGenericError.userDeregistered.rawValue: "UserDeregistered"
        case ONGGenericError.networkConnectivityFailure.rawValue: "NetworkConnectivityFailure"
        case ONGGenericError.serverNotReachable.rawValue: "ServerNotReachable"
        case ONGMobileAuthRequestError.notFound.rawValue: "NotFound"
        case ONGMobileAuthRequestError.notHandleable.rawValue: "NotHandleable"
        case ONGMobileAuthRequestError.userDisenrolled.rawValue: "UserDisenrolled"
        case ONGMobileAuthRequestError.notEnrolled.rawValue: "NotEnrolled"
        case ONGMobileAuthRequestError.userNotAuthenticated.rawValue: "UserNotAuthenticated"
        default: "another error"
        }
    }

    func hear(_ line: String) {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        let word = parts.count > 1 ? parts[1] : ""
        let client = ONGUserClient.sharedInstance()
        switch parts[0] {
        case "start": start()
        case "register": client.registerUser(with: nil, scopes: ["openid", "profile"], delegate: self)
        case "landed":
            if let browser, let url = URL(string: word) {
                browser.sender.respond(with: url, challenge: browser)
            }
        case "newpin": if let newPin { newPin.sender.respond(withCreatedPin: word, challenge: newPin) }
        case "pin": if let pin { pin.sender.respond(withPin: word, challenge: pin) }
        case "cancel": if let pin { pin.sender.cancel(pin) }
        case "login":
            if let user = client.userProfiles().first {
                client.authenticateUser(user, authenticator: nil, delegate: self)
            }
        case "changepin": client.changePin(self)
        case "enroll": enroll()
        case "scan": scanned(word)
        case "handle": client.handleOTPMobileAuthRequest(word, delegate: self)
        case "why": show(why())
        case "yes", "no": confirmation?(parts[0] == "yes")
        case "logout": client.logoutUser { _, error in show("logged out \(error == nil)") }
        case "leave":
            if let user = client.userProfiles().first {
                client.deregisterUser(user) { left, _ in show("left \(left)") }
            }
        case "providers":
            let known = client.identityProviders().map(\.identifier).sorted()
            show("providers [\(known.joined(separator: ", "))]")
        case "customize":
            client.registerUser(
                with: client.identityProviders().first { $0.identifier == "understudy-direct" }, scopes: nil,
                delegate: self)
        case "bring": if let custom { custom.sender.respond(withData: word, challenge: custom) }
        case "pushes":
            client.enrollForPushMobileAuth(withDeviceToken: Data([1, 2, 3])) { enrolled, error in
                show(enrolled ? "push enrolled" : "push not enrolled \((error as NSError?)?.code ?? 0)")
            }
        case "pending", "denypending":
            denies = parts[0] == "denypending"
            client.pendingPushMobileAuthRequests { requests, error in
                guard let requests else { return show("not pending \((error as NSError?)?.code ?? 0)") }
                show("pending [\(requests.compactMap(\.message).joined(separator: ", "))]")
                for request in requests {
                    MainActor.assumeIsolated { client.handlePendingPush(request, delegate: self) }
                }
            }
        case "web":
            guard let target = URL(string: word) else { return }
            client.appToWebSingleSignOn(withTargetUrl: target) { link, _, error in
                show(link.map { "link \($0)" } ?? "no link \((error as NSError?)?.code ?? 0)")
            }
        case "who":
            let user = client.authenticatedUserProfile()
            show(
                "\(client.userProfiles().count) \(user != nil) \(user.map(client.isUserEnrolled(forMobileAuth:)) ?? false)"
            )
        default: fatalError("what is “\(line)”?")
        }
    }
}

extension GuideApp: ONGRegistrationDelegate {
    func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGBrowserRegistrationChallenge) {
        browser = challenge
        show("open \(challenge.url)")
    }

    func userClient(
        _ userClient: ONGUserClient, didReceivePinRegistrationChallenge challenge: ONGCreatePinChallenge
    ) {
        newPin = challenge
        show("choose a PIN of \(challenge.pinLength) \(challenge.error?.code ?? 0)")
    }

    func userClient(
        _ userClient: ONGUserClient, didRegisterUser userProfile: ONGUserProfile,
        identityProvider: ONGIdentityProvider, info: ONGCustomInfo?
    ) {
        show("registered \(userProfile.profileId.count)" + (info.map { " \($0.status)" } ?? ""))
    }

    func userClient(
        _ userClient: ONGUserClient,
        didReceiveCustomRegistrationFinish challenge: ONGCustomRegistrationChallenge
    ) {
        custom = challenge
        show("bring data \(challenge.info?.status ?? 0)")
    }

    func userClient(
        _ userClient: ONGUserClient, didFailToRegisterWith identityProvider: ONGIdentityProvider, error: Error
    ) {
        show("not registered \((error as NSError).code)")
    }
}

extension GuideApp: ONGAuthenticationDelegate, ONGChangePinDelegate {
    func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGPinChallenge) {
        pin = challenge
        show("PIN? \(challenge.remainingFailureCount) \(challenge.error?.code ?? 0)")
    }

    func userClient(
        _ userClient: ONGUserClient, didAuthenticateUser userProfile: ONGUserProfile,
        authenticator: ONGAuthenticator, info: ONGCustomInfo?
    ) {
        show("authenticated")
    }

    func userClient(
        _ userClient: ONGUserClient, didFailToAuthenticateUser userProfile: ONGUserProfile,
        authenticator: ONGAuthenticator, error: Error
    ) {
        show("not authenticated \((error as NSError).code)")
    }

    func userClient(_ userClient: ONGUserClient, didReceive challenge: ONGCreatePinChallenge) {
        newPin = challenge
        show("choose a PIN of \(challenge.pinLength) \(challenge.error?.code ?? 0)")
    }

    func userClient(_ userClient: ONGUserClient, didChangePinForUser userProfile: ONGUserProfile) {
        show("PIN changed")
    }

    func userClient(
        _ userClient: ONGUserClient, didFailToChangePinForUser userProfile: ONGUserProfile, error: Error
    ) {
        show("PIN not changed \((error as NSError).code)")
    }
}

extension GuideApp: ONGMobileAuthRequestDelegate {
    func userClient(
        _ userClient: ONGUserClient, didReceiveConfirmationChallenge confirmation: @escaping (Bool) -> Void,
        for request: ONGMobileAuthRequest
    ) {
        if denies { return confirmation(false) }
        self.confirmation = confirmation
        show("confirm? \(request.message ?? "") (\(request.type))")
    }

    func userClient(
        _ userClient: ONGUserClient, didHandle request: ONGMobileAuthRequest,
        authenticator: ONGAuthenticator?,
        info customAuthenticatorInfo: ONGCustomInfo?
    ) {
        show("handled")
    }

    func userClient(
        _ userClient: ONGUserClient, didFailToHandle request: ONGMobileAuthRequest,
        authenticator: ONGAuthenticator?, error: Error
    ) {
        let code = (error as NSError).code
        failure = code
        show(denies && code == ONGGenericError.actionCancelled.rawValue ? "denied" : "not handled \(code)")
    }
}

private func show(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

// Arguments: address, file.
@main enum Program {
    @MainActor static func main() {
        let arguments = CommandLine.arguments
        ONGClient.connect(
            arguments[1], application: "com.example.understudy", version: "1.0.0",
            signature: "understudy-ios-1.0.0", customProviders: ["understudy-direct": .oneStep],
            storage: URL(fileURLWithPath: arguments[2]))
        let app = GuideApp()
        Thread {
            while let line = readLine() {
                DispatchQueue.main.async { MainActor.assumeIsolated { app.hear(line) } }
            }
            exit(0)
        }.start()
        RunLoop.main.run()
    }
}
