/// Why a user has to log in.
enum LoginReason: Equatable {
    case noSession
    case sessionOver
    case prompt(String)
    /// The login lies more than so many seconds back.
    case maxAge(Int, loggedInAgo: Int)
    case otherUser(asked: String, found: String)

    var words: String {
        switch self {
        case .noSession: "the browser has no session here"
        case .sessionOver: "the session in the browser's cookie is over"
        case .prompt(let prompt): "the request says prompt=\(prompt)"
        case .maxAge(let seconds, let ago):
            "the request says max_age=\(seconds), and the login was \(ago) s ago"
        case .otherUser(let asked, let found):
            "the request asks for the user “\(asked)”, and “\(found)” is logged in"
        }
    }
}
