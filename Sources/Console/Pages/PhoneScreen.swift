import HTTP
import Phone

/// What the screen of a phone shows. Each has an address of its own, below that of the phone.
enum PhoneScreen: Equatable {
    case home
    /// - Parameter account: of several of the app; nil for the first.
    case app(_ platform: String, account: String?)
    case scan, settings

    /// Behind the address of the phone: `/apps/miracl/work`.
    var path: String {
        switch self {
        case .home: ""
        case .app(let platform, let account):
            "/apps/" + [platform, account].compactMap(\.self).map(\.percentEncoded).joined(separator: "/")
        case .scan: "/scan"
        case .settings: "/settings"
        }
    }

    /// Where a form stood, as it says itself; home where it does not, such as a form of another page.
    init(_ form: Form) {
        switch form["screen"] {
        case "app":
            let account = form["account"].flatMap { $0.isEmpty ? nil : $0 }
            self = .app(form["platform"] ?? "", account: account)
        case "scan": self = .scan
        case "settings": self = .settings
        default: self = .home
        }
    }

    init(_ app: ShownApp) { self = .app(app.platform, account: app.account) }

    init(app platform: String, account: String?) { self = .app(platform, account: account) }

    /// What a form says of itself.
    var word: String {
        switch self {
        case .home: "home"
        case .app: "app"
        case .scan: "scan"
        case .settings: "settings"
        }
    }
}
