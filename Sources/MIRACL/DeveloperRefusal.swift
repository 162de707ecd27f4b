import HTTP
import PlatformKit

/// Refusals of what only the developer may read, where other machines reach the program.
struct DeveloperRefusal: MIRACLRefusal, Equatable {
    let explanation: String
    let isPage: Bool

    static func tokenMissing(isPage: Bool) -> Self {
        Self(
            explanation:
                "This tells what only the developer should know, and other machines reach the program: send "
                + "“Authorization: Bearer TOKEN” with the token that it was started with (--control-token), or open the console "
                + "once with ?token=TOKEN.",
            isPage: isPage)
    }

    static func tokenWrong(isPage: Bool) -> Self {
        Self(
            explanation: "The token is not the one that the program was started with (--control-token).",
            isPage: isPage)
    }

    var wire: MIRACLWire {
        var wire = MIRACLWire(.unauthorized, "UNAUTHORIZED", "The control token is needed")
        // RFC 6750 §3.
        wire.headers = [("WWW-Authenticate", "Bearer realm=\"understudy\"")]
        return wire
    }

    var page: Page? {
        guard isPage else { return nil }
        return Page(
            "Token needed", status: .unauthorized,
            """
            <h1>This page asks for the control token</h1>
            <p>\(explanation)</p>
            """)
    }
}

extension World {
    /// - Throws: ``DeveloperRefusal``.
    func requireDeveloper(_ request: Request, isPage: Bool = false) throws {
        switch services.controlToken.verdict(on: request) {
        case .right: return
        case .missing: throw DeveloperRefusal.tokenMissing(isPage: isPage)
        case .wrong: throw DeveloperRefusal.tokenWrong(isPage: isPage)
        }
    }
}
