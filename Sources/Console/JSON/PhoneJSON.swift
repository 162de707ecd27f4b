import Phone
import PlatformKit

/// A phone, as the API gives it.
struct PhoneJSON: Encodable {
    struct App: Encodable {
        let platform: String
        /// Of several of one platform; absent for the first.
        let account: String?
        let title: String
        let isEnrolled: Bool
        let facts: [FactJSON]
        /// What can be begun in it.
        let actions: [Action]
    }

    struct Action: Encodable {
        let name: String
        let title: String
        /// Names of what it asks for.
        let inputs: [String]
    }

    struct FactJSON: Encodable {
        let name: String
        let value: String
    }

    struct Request: Encodable {
        let id: String
        let platform: String
        /// Of several of the app's; absent for the first.
        let account: String?
        let kind: String
        let title: String
        let message: String
        let details: [FactJSON]
        /// How it can be approved.
        let ways: [String]

        init(_ request: PhoneRequest) {
            (id, platform, kind) = (request.id, request.platform, request.kind)
            account = request.account
            (title, message) = (request.title, request.message)
            details = request.details.map { FactJSON(name: $0.name, value: $0.value) }
            ways = request.ways.map(\.rawValue)
        }
    }

    let name: String
    let owner: String?
    let mail: String?
    let model: String
    let network: String
    /// Seconds that its clock is ahead of the world's.
    let clockSkew: Int
    let policy: String
    /// By app, or app and kind of request.
    let policies: [String: String]
    /// Generation of the vendor's SDK, by app.
    let sdks: [String: String]
    let enrolsAtFirstUse: Bool
    let keepsAlive: Bool
    let apps: [App]
    /// What waits for an answer, as the phone knew it last.
    let requests: [Request]

    init(_ session: PhoneSession) {
        let phone = session.phone
        (name, owner, model, network) = (
            phone.name, phone.owner, phone.model.rawValue, phone.network.rawValue
        )
        (clockSkew, policy, mail) = (phone.clockSkew, phone.policy.rawValue, phone.mail)
        (enrolsAtFirstUse, keepsAlive) = (phone.enrolsAtFirstUse, phone.keepsAlive)
        policies = (phone.policies ?? [:]).mapValues(\.rawValue)
        sdks = phone.chosenSDKs
        apps = session.shownApps.map { app in
            App(
                platform: app.platform, account: app.account, title: app.title, isEnrolled: app.isEnrolled,
                facts: app.facts.map { FactJSON(name: $0.name, value: $0.value) },
                actions: app.actions.map {
                    Action(name: $0.name, title: $0.title, inputs: $0.inputs.map(\.name))
                })
        }
        requests = session.requests.map(Request.init)
    }
}

/// What a phone did.
struct PhoneReportJSON: Encodable {
    let kind: String
    let id: String
    let code: String?
    let detail: String

    init(_ report: PhoneReport) {
        (kind, id, code) = (report.kind, report.id, report.code)
        detail = report.sentence.prefix(1).uppercased() + report.sentence.dropFirst()
    }
}

/// A message of the inbox of an app.
struct PhoneMessageJSON: Encodable {
    let id: String
    let platform: String
    /// Of several of the app's; absent for the first.
    let account: String?
    let subject: String
    let summary: String
    let body: String?
    let isRead: Bool

    init(_ message: PhoneMessage) {
        (id, platform, subject) = (message.id, message.platform, message.subject)
        account = message.account
        (summary, body, isRead) = (message.summary, message.body, message.isRead)
    }
}
